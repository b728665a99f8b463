"""A bot's public links, as its admin copies and prints them."""

from xml.etree import ElementTree

import pytest
from django.utils.html import escape

from plans.admin.links import links_of
from plans.bots.qr_codes import qr_svg
from plans.models import Bot
from tests.plans.pages import text_of


def url(bot: Bot) -> str:
    return f"/admin/plans/bot/{bot.pk}/links/"


def test_the_page_has_the_whole_address_and_its_code(owner, bot):
    page = owner.get(url(bot))
    address = f"http://testserver/i/{bot.slug}/"
    assert address in text_of(page)
    assert qr_svg(address) in page.content.decode()


def test_the_code_is_a_file_too(owner, bot):
    given = owner.get(url(bot), {"picture": ""})
    assert given["Content-Type"] == "image/svg+xml"
    assert given["Content-Disposition"] == f'attachment; filename="{bot.slug}.svg"'
    assert ElementTree.fromstring(given.content).tag.endswith("}svg")


def test_there_is_no_code_of_an_address_with_which_nobody_can_begin(owner, bot):
    Bot.objects.filter(pk=bot.pk).update(link_params=[{"name": "PANELIST", "required": True}])
    page = text_of(owner.get(url(bot)))
    assert "study-code" not in page
    assert "each needs its own PANELIST" in page
    assert owner.get(url(bot), {"picture": ""})["Content-Type"].startswith("text/html")


def test_where_the_site_is_reached_is_told_by_its_settings(owner, bot, settings):
    settings.SITE_URL = "https://interviews.example.org"
    assert f"https://interviews.example.org/i/{bot.slug}/" in text_of(owner.get(url(bot)))


def test_a_link_for_each_language_and_for_prolific(bot, script):
    assert [link.label for link in links_of(bot, "a/")] == ["For everybody", "For Prolific"]
    script.language = "it"
    script.save()
    bot.scripts.add(script)
    links = {link.label: link.address for link in links_of(bot, "a/")}
    assert links["In Italian"] == "a/?language=it"
    assert links["For Prolific"] == (
        "a/?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
    )


def test_what_nobody_may_begin_without_stands_in_the_link(bot):
    bot.link_params = [{"name": "PANELIST", "required": True}, {"name": "WAVE"}]
    link = links_of(bot, "a/")[0]
    assert link.address == "a/?PANELIST=…"
    assert "without PANELIST" in link.note


@pytest.mark.parametrize(
    ("changes", "said"),
    [({"status": "draft"}, "isn’t live"), ({"invited_only": True}, "Only invited people")],
)
def test_who_can_begin_by_it_is_said(owner, bot, changes, said):
    Bot.objects.filter(pk=bot.pk).update(**changes)
    assert said in text_of(owner.get(url(bot)))


def test_a_title_is_no_markup(owner, bot):
    Bot.objects.filter(pk=bot.pk).update(title="<b>x")
    assert escape("<b>x") in owner.get(url(bot)).content.decode()


def test_what_prolific_does_not_fill_in_stands_in_its_link(bot):
    bot.link_params = [
        {"name": "pid", "aliases": ["prolific_pid"], "required": True},
        {"name": "cohort", "required": True},
    ]
    *_, prolific = links_of(bot, "a/")
    assert prolific.address.endswith("&SESSION_ID={{%SESSION_ID%}}&cohort=…")
    assert "without cohort: replace each “…”" in prolific.note


def test_what_nobody_may_begin_without_stands_in_the_links_of_languages_too(bot, script):
    script.language = "it"
    script.save()
    bot.scripts.add(script)
    bot.link_params = [{"name": "PANELIST", "required": True}]
    links = {link.label: link.address for link in links_of(bot, "a/")}
    assert links["In Italian"] == "a/?language=it&PANELIST=…"
