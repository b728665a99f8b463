"""The admin of bots and plans, as people use it."""

import re

import pytest
from django.http import QueryDict

from plans.admin.links import LinkActions
from plans.bots.compile import plan_for
from plans.forms.bot import PLACES, typed_languages
from plans.models import Bot, Experiment, Plan
from plans.portability.bots import bot_document
from plans.portability.formats import write
from plans.portability.reader import read_bot, read_script
from plans.portability.scripts import apply_script
from tests.conftest import make_bot
from tests.plans.pages import form_of, text_of, words_of
from tests.plans.study_files import SHORT

LIST = "/admin/plans/bot/"
TEXTS = {f"text__en__{name}": f"The {name}." for name in ("summary", "consent", "about", "care")}


def url(bot: Bot, page: str = "change") -> str:
    return f"{LIST}{bot.pk}/{page}/"


@pytest.fixture
def ready(bot) -> Bot:
    """A live bot that lacks nothing."""
    bot.texts.create(language="en", summary="a", consent="b", about="c", care="d")
    return bot


def save(owner, bot, **changes):
    return owner.post(url(bot), form_of(owner.get(url(bot))) | changes)


def test_an_empty_list_says_how_to_begin(owner):
    assert "A bot is an interviewer with a public page" in text_of(owner.get(LIST))


def test_bots_and_scripts_to_choose_from_are_in_the_order_of_their_names(owner):
    for title in ("Wells", "Kettles", "Ferries"):
        bot = make_bot(title=title)
        bot.scripts.update(name=f"Script on {title}")
    for model, field in (("experimentarm", "bot"), ("bot", "scripts")):
        asked = {"app_label": "plans", "model_name": model, "field_name": field}
        found = owner.get("/admin/autocomplete/", asked).json()["results"]
        names = [one["text"] for one in found]
        assert names == sorted(names)
        assert len(names) == 3


def test_the_list(owner, bot):
    page = text_of(owner.get(LIST))

    assert "Live" in page
    assert f"/i/{bot.slug}/" in page
    assert "English" in page


@pytest.mark.parametrize(("public", "shown"), [(True, "listed"), (False, "")])
def test_the_list_says_which_bots_the_home_page_lists(owner, bot, public, shown):
    Bot.objects.update(public=public)
    column = re.search(r"<td[^>]*field-listed[^>]*>(.*?)</td>", text_of(owner.get(LIST)))
    assert re.sub("<[^>]*>", "", column[1]).strip() == shown


@pytest.mark.parametrize(
    "where",
    ["change", "history", "preview", "versions", "delete", "import", "duplicate", "set_closed"],
)
def test_pages_open(owner, bot, where):
    assert owner.get(url(bot, where)).status_code == 200


def test_a_new_bot_is_a_draft_and_its_page_says_what_it_needs(owner, script):
    data = {"title": "Mine", "slug": "mine", "protocol": "life_story", "minutes": 30}
    response = owner.post(f"{LIST}add/", data | {"scripts": [script.pk]})

    bot = Bot.objects.get(slug="mine")
    assert (bot.status, bot.public) == (Bot.Status.DRAFT, False)
    page = words_of(owner.get(response.headers["Location"]))
    assert "3 items missing before it can go live" in page
    assert "Write the texts in English" in page
    assert "Name the person or organisation under Words" in page


def test_a_closed_bot_with_gaps_is_grey(owner, bot):
    Bot.objects.update(status=Bot.Status.CLOSED)
    page = text_of(owner.get(url(bot)))
    assert "missing before it can go live" in page
    assert re.search(r'<span class="[^"]*bg-base-500/8[^"]*"[^>]*>\s*Closed', page)


def test_saving_without_a_change_changes_nothing(owner, ready):
    ready.options = {"followup_ceiling": 2}
    ready.model_overrides = {"main": "a", "planner": "b"}
    ready.save()
    before = bot_document(ready)

    assert save(owner, ready).status_code == 302

    assert bot_document(Bot.objects.get()) == before
    assert Bot.objects.get().is_default


def test_options_models_and_texts_are_typed(owner, ready):
    save(
        owner,
        ready,
        option__followup_ceiling="1",
        option__excluded_sections=[],
        model_main="big",
        model_fast="",
        model_tasks="planner: other:1\r\n",
        text__en__care="Line one.\r\nLine two. ",
    )

    ready.refresh_from_db()
    assert ready.options == {"followup_ceiling": 1}
    assert ready.model_overrides == {"main": "big", "planner": "other:1"}
    assert ready.texts.get().care == "Line one.\nLine two."


def test_sections_of_the_scripts_are_offered_and_left_out(owner, ready, script):
    ready.scripts.set([script])
    page = text_of(owner.get(url(ready)))
    assert "Home" in page

    save(owner, ready, option__excluded_sections=["home"])

    ready.refresh_from_db()
    assert ready.options == {"excluded_sections": ["home"]}
    assert "first-home" not in text_of(owner.get(url(ready, "preview")))


MISTAKES = [
    ({"option__followup_ceiling": "99"}, "less than or equal to 20"),
    ({"option__followup_ceiling": "many"}, "Enter a whole number"),
    ({"option__excluded_sections": ["nowhere"]}, "Select a valid choice"),
    ({"model_tasks": "planner"}, "should look like"),
    ({"slug": "a b"}, "Use only Latin letters, digits, - and _."),
    ({"minutes": "0"}, "greater than or equal to 1"),
    ({"scripts": []}, "Choose a script under Interview."),
    ({"text__en__consent": " "}, "in English under Words: what participants agree to."),
    ({"closes_at_0": "2020-01-01", "closes_at_1": "10:00", "opens_at_0": "2021-01-01",
      "opens_at_1": "10:00"}, "It would close before it opens"),
]  # fmt: skip


def test_what_does_not_fit_is_refused(owner, ready):
    before, form = bot_document(ready), form_of(owner.get(url(ready)))

    for changes, message in MISTAKES:
        page = owner.post(url(ready), form | changes)
        assert page.status_code == 200, changes
        assert message in words_of(page).replace("&quot;", "”"), changes

    assert bot_document(Bot.objects.get()) == before


def test_the_first_place_with_an_error_opens_and_says_how_many(owner, ready):
    page = save(owner, ready, day_budget="-1", asks_rating="", outcome_full_url="x", slug="a b")

    marked = re.findall(r'href="#(\w+)"[^>]*>[^<]*<b>(\d)<span[^>]*> ?to fix', text_of(page))
    assert marked == [("participants", "1"), ("ending", "1"), ("advanced", "1")]
    assert "activeTab = 'participants' ||" in text_of(page)


def test_a_refused_form_leaves_the_checklist_at_the_stored_bot(owner, bot):
    Bot.objects.update(status=Bot.Status.DRAFT)
    page = words_of(save(owner, bot, day_budget="-1", alert_to="nobody", plans_bot_go_live=""))
    assert "is no e-mail address" in page
    assert "1 item missing before it can go live" in page
    assert "US dollars of the bot’s model budget" not in page


def test_what_keeps_a_bot_from_going_live_leads_to_its_place(owner, ready):
    page = text_of(save(owner, ready, text__en__care=" "))

    assert 'Write the texts in English <a class="study-link" href="#words">under Words</a>' in page
    assert "activeTab = 'words' ||" in page


def test_no_button_is_named_like_a_place(ready):
    names = {getattr(value, "short_description", "") for value in vars(LinkActions).values()}
    assert "Links and QR code" in names
    assert not names & set(PLACES)


def test_a_language_is_added_to_a_live_bot_with_its_texts(owner, ready, script):
    script.language = "it"
    script.save()
    both = [script.pk, ready.scripts.get().pk]

    page = save(owner, ready, scripts=both)
    assert "Write the texts in Italian" in text_of(page)
    assert "Texts in Italian" in text_of(page)
    italian = {name.replace("__en__", "__it__"): text for name, text in TEXTS.items()}
    form = form_of(page)
    assert italian.keys() <= form.keys()

    assert owner.post(url(ready), form | italian | {"scripts": both}).status_code == 302
    assert ready.texts.get(language="it").consent == "The consent."


@pytest.mark.django_db
@pytest.mark.parametrize("sent", ["x", "-1", "9" * 400, "²", "", "7,8", "%00"])
def test_what_is_no_script_or_language_adds_none(sent):
    data = QueryDict(f"scripts={sent}&scripts=&option__languages=fr, it; {sent}")
    assert typed_languages(data) == ["fr", "it"]


def test_one_script_a_language(owner, ready, script):
    page = save(owner, ready, scripts=[script.pk, ready.scripts.get().pk])

    assert "Two scripts are in English. Choose one." in text_of(page)


def test_only_one_default(owner, ready):
    other = Bot.objects.create(slug="other", title="Other")

    page = save(owner, other, is_default="on")

    assert "Another bot is the site&#x27;s default" in text_of(page)


def test_a_draft_may_lack_anything(owner, bot):
    bot.status = Bot.Status.DRAFT
    bot.save()

    assert save(owner, bot, scripts=[]).status_code == 302


def test_going_live_with_gaps_is_refused_with_the_list(owner, bot):
    bot.status = Bot.Status.DRAFT
    bot.save()

    for answer in (save(owner, bot, status="live"), save(owner, bot, plans_bot_go_live="1")):
        assert "Write the texts in English" in text_of(answer)
        bot.refresh_from_db()
        assert bot.status == Bot.Status.DRAFT


def test_texts_and_going_live_fit_into_one_save(owner, bot):
    bot.status = Bot.Status.DRAFT
    bot.save()
    texts = {
        f"text__en__{name}": f"About {name}." for name in ("summary", "consent", "about", "care")
    }

    page = text_of(owner.get(url(bot)))
    assert "Save and go live (1 missing)" in page
    saved = save(owner, bot, plans_bot_go_live="1", **texts)
    assert (saved.status_code, saved["Location"]) == (302, f"{url(bot)}#top")

    bot.refresh_from_db()
    assert bot.status == Bot.Status.LIVE
    page = text_of(owner.get(saved["Location"]))
    assert f'is live at <a class="study-link" href="/i/{bot.slug}/">' in page
    assert "was changed successfully" not in page


def test_the_page_says_in_which_time_zone_it_opens(owner, bot):
    assert "When it opens and closes is in UTC" in text_of(owner.get(url(bot)))


def test_live_closed_draft(owner, ready):
    for step, status in (("set_closed", "closed"), ("set_draft", "draft")):
        owner.get(url(ready, step))  # a link changes nothing
        answer = owner.post(
            url(ready, step), {"_form_submitted": "True"}, headers={"HX-Request": "true"}
        )
        assert answer.headers["HX-Redirect"] == url(ready)
        ready.refresh_from_db()
        assert ready.status == status
    assert "Save and go live" in text_of(owner.get(url(ready)))
    assert "missing)" not in text_of(owner.get(url(ready)))
    assert save(owner, ready, plans_bot_go_live="1").status_code == 302
    assert Bot.objects.get().status == "live"
    assert "Save and go live" not in owner.get(url(ready)).content.decode()


def test_public_page_and_preview(owner, ready):
    ready.scripts.add(apply_script(read_script(SHORT.replace("language: en", "language: ru"))))

    assert owner.get(url(ready, "public_page")).headers["Location"] == f"/i/{ready.slug}/"
    assert "Where did you grow up?" in text_of(owner.get(url(ready, "preview") + "?language=ru"))
    assert "Where did you grow up?" not in text_of(owner.get(url(ready, "preview")))


def test_a_draft_is_tried_on_its_own_start_page(owner, ready):
    where = owner.get(url(ready, "try_it")).headers["Location"]
    assert where.startswith(f"/i/{ready.slug}/?try-it=")


def test_a_bot_without_a_script_has_an_empty_preview(owner, bot):
    bot.scripts.clear()

    tried = owner.get(url(bot, "try_it"), follow=True)
    assert "It can’t be tried yet. Below is what is missing." in text_of(tried)

    assert "This bot has no script yet" in text_of(owner.get(url(bot, "preview")))


def test_duplicate(owner, ready):
    owner.post(url(ready, "duplicate"), {"title": "Twin", "_form_submitted": "True"})

    twin = Bot.objects.get(title="Twin")
    assert (twin.slug, twin.status) == ("twin", "draft")


def test_versions_and_what_changed_between_them(owner, ready):
    plan_for(ready)
    ready.minutes = 45
    ready.save()
    question = ready.scripts.get().sections.get().questions.first()
    question.text = "Something quite different?"
    question.save()

    upcoming = text_of(owner.get(url(ready, "versions")))
    assert "Changed since the last version: 2 differences" in upcoming

    plan_for(ready)
    page = text_of(owner.get(url(ready, "versions")))
    assert "From version 1 to version 2" in page
    assert "minutes" in page
    assert "different?" in page
    assert "The bot hasn’t changed since the last version" in page
    same = owner.get(url(ready, "versions") + "?newer=1&older=1")
    assert "They are identical" in text_of(same)
    assert owner.get(url(ready, "versions") + "?newer=9").status_code == 404


def test_versions_tell_that_a_bot_was_changed_back(owner, ready):
    for minutes in (20, 30):
        Bot.objects.filter(pk=ready.pk).update(minutes=minutes)
        plan_for(Bot.objects.get(pk=ready.pk))
    Bot.objects.filter(pk=ready.pk).update(minutes=20)
    page = text_of(owner.get(url(ready, "versions")))
    assert "The next interview runs on version 1 again." in page


def test_versions_of_a_bot_that_cannot_be_made(owner, bot):
    bot.scripts.clear()

    assert "A plan can’t be created now" in text_of(owner.get(url(bot, "versions")))


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_out_and_in(owner, ready, form):
    content = owner.get(url(ready, f"export_{form}")).content.decode()
    assert read_bot(content, form) == bot_document(ready)

    changed = content.replace("a test", "x").replace("A test", "Another title")
    page = owner.post(f"{LIST}import/", {"text": changed})
    assert "Another title" in text_of(page)
    assert Bot.objects.get().title == "A test"
    owner.post(f"{LIST}import/", form_of(page))

    bot = Bot.objects.get()
    assert (bot.title, bot.status) == ("Another title", "live")


def test_an_imported_bot_is_a_draft(owner, ready):
    content = owner.get(url(ready, "export_yaml")).content.decode()
    content = content.replace(f"slug: {ready.slug}", "slug: brought")
    page = owner.post(f"{LIST}import/", {"text": content})
    owner.post(f"{LIST}import/", form_of(page))

    brought = Bot.objects.get(slug="brought")
    assert brought.status == Bot.Status.DRAFT
    assert list(brought.scripts.all()) == list(ready.scripts.all())


def test_history_of_a_bot(owner, ready):
    save(owner, ready, text__en__summary="Another summary.")

    page = text_of(owner.get(url(ready, "history")))

    assert "Texts “en”" in page
    assert "owner" in page


def test_deleting_says_what_it_does_and_keeps_plans(owner, ready):
    plan = plan_for(ready)

    assert "Interviews under way are ended politely" in text_of(owner.get(url(ready, "delete")))
    owner.post(url(ready, "delete"), {"post": "yes"})

    assert not Bot.objects.exists()
    assert Plan.objects.filter(pk=plan.pk, bot=None).exists()


def test_plans_are_read_and_never_changed(owner, ready):
    plan = plan_for(ready)
    page = f"/admin/plans/plan/{plan.pk}/"

    assert "What comes to mind" in text_of(owner.get(f"{page}change/"))
    assert (
        "{" not in text_of(owner.get(f"{page}change/")).split("study-outline")[1].split("</div>")[0]
    )
    assert owner.post(f"{page}change/", {"number": 5}).status_code == 403
    assert owner.get(f"{page}delete/").status_code == 403
    assert owner.get("/admin/plans/plan/add/").status_code == 403
    assert owner.get("/admin/plans/plan/").status_code == 200


@pytest.mark.parametrize(
    ("where", "status"),
    [
        ("change", 200),
        ("history", 200),
        ("preview", 200),
        ("versions", 200),
        ("export_yaml", 200),
        ("delete", 403),
        ("import", 403),
        ("duplicate", 403),
        ("set_closed", 403),
    ],
)
def test_readers_read(reader, ready, where, status):
    assert reader.get(url(ready, where)).status_code == status
    if status == 403:
        assert reader.post(url(ready, where), {"_form_submitted": "True"}).status_code == 403
        assert Bot.objects.get().status == "live"


def test_a_reader_sees_texts_and_options_but_no_way_to_change_them(reader, ready):
    ready.texts.update(care="Said in distress.")
    Bot.objects.update(options={"followup_ceiling": 2})
    page = text_of(reader.get(url(ready)))

    assert "_save" not in page
    assert "followup ceiling" in page
    assert "Said in distress." in page


def test_strangers_see_nothing(stranger, ready):
    for page in ("change", "versions", "export_json"):
        assert stranger.get(url(ready, page)).status_code == 403


def test_the_navigation_shows_what_one_may_see(owner, reader, stranger):
    assert "Scripts" in text_of(owner.get("/admin/"))
    assert "Users" not in text_of(reader.get("/admin/"))
    assert "Scripts</a>" not in text_of(stranger.get("/admin/"))


def test_the_admin_has_its_own_policy_and_the_site_the_strict_one(owner, bot):
    admin, site = owner.get("/admin/"), owner.get(f"/i/{bot.slug}/")

    [scripts] = re.findall("script-src ([^;]*)", admin.headers["Content-Security-Policy"])
    assert sorted(scripts.split()) == ["'self'", "'unsafe-eval'"]  # no script within a page
    assert admin.headers["Referrer-Policy"] == "same-origin"
    assert "unsafe" not in site.headers["Content-Security-Policy"]


def test_the_address_of_another_bot_is_refused(owner, bot):
    other = make_bot(title="Another")
    page = owner.post(url(bot, "import"), {"text": write(bot_document(other), "yaml")})
    assert "another bot has this address" in text_of(page)


def test_an_old_window_opens_nothing_again_and_takes_no_texts_away(owner, ready):
    old = form_of(owner.get(url(ready)))
    ready.texts.create(language="it", consent="Il consenso.")
    owner.post(url(ready, "set_closed"), {"_form_submitted": "True"})

    page = owner.post(url(ready), old | {"persona": "Brisk."})

    assert "Somebody else has saved it" in text_of(page)
    assert "Brisk." in text_of(page)
    ready.refresh_from_db()
    assert ready.status == "closed"
    assert ready.texts.get(language="it").consent == "Il consenso."
    assert owner.post(url(ready), form_of(page)).status_code == 302
    assert ready.texts.get(language="it").consent == "Il consenso."


def test_a_bot_in_an_experiment_cannot_be_deleted_and_its_page_says_what_to_do(owner, bot):
    Experiment.objects.create(slug="e", title="Two ways").arms.create(name="Now", bot=bot)
    page = words_of(owner.get(url(bot, "delete")))
    assert f"“{bot}” can’t be deleted" in page
    assert "Delete the experiment first, or close the bot instead" in page
    assert owner.post(url(bot, "delete"), {"post": "yes"}).status_code == 200
    assert Bot.objects.exists()
