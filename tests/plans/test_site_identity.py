"""Who runs the site: its form, what pages show of it, and that no bot goes live without."""

import base64
from collections.abc import Iterator

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from hypothesis import given
from hypothesis import strategies as st

from plans.bots.checklist import checklist, gaps
from plans.bots.duplicate import duplicate_bot
from plans.models import Bot, SiteIdentity
from plans.models import site as models
from plans.portability.bots import bot_document
from plans.portability.reader import read_bot
from tests.plans.pages import form_of

LIST = "/admin/plans/siteidentity/"
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
in_threads = pytest.mark.django_db(transaction=True)  # pages read in threads of their own


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    yield
    models._current = SiteIdentity()


@pytest.fixture
def save(owner, django_capture_on_commit_callbacks):
    def save(**changes):
        url = owner.get(LIST).headers["Location"]
        data = form_of(owner.get(url)) | changes
        with django_capture_on_commit_callbacks(execute=True):
            return owner.post(url, data)

    return save


@pytest.fixture
def nameless(bot) -> Bot:
    bot.texts.create(language="en", summary="a", consent="b", about="c", care="d")
    bot.status, bot.host, bot.contact = "draft", "", ""
    bot.save()
    return bot


# -- the form


def test_there_is_one_and_it_stays(owner, save):
    assert save(name="Open Voices").status_code == 302
    owner.get(LIST)
    assert SiteIdentity.objects.get().name == "Open Voices"
    assert owner.get(f"{LIST}add/").status_code == 403
    assert owner.post(f"{LIST}{SiteIdentity.objects.get().pk}/delete/").status_code == 403


def test_pages_show_it(client, save):
    save(
        name="Open <Voices>",
        organisation="Institute of Listening",
        contact="ask@example.org",
        privacy_url="https://example.org/privacy",
        accent="#7a1f5c",
        new_logo=SimpleUploadedFile("logo.png", PNG),
    )
    page = client.get("/").content.decode()
    assert "Open &lt;Voices&gt;" in page
    assert "Institute of Listening" in page
    assert 'href="mailto:ask@example.org"' in page
    assert 'href="https://example.org/privacy"' in page

    digest = models.current_identity().logo_digest
    assert f'src="/logo/{digest}"' in page
    logo = client.get(f"/logo/{digest}")
    assert (logo.content, logo.headers["Content-Type"]) == (PNG, "image/png")
    assert "immutable" in logo.headers["Cache-Control"]
    assert client.get("/logo/0123456789ab").status_code == 404

    assert 'href="/accent/7a1f5c.css"' in page
    assert "--accent:#7a1f5c" in client.get("/accent/7a1f5c.css").content.decode()
    assert client.get("/accent/000000.css").status_code == 404


def test_the_admin_has_its_name(owner, save):
    save(name="Open Voices")
    assert "Open Voices" in owner.get("/admin/").content.decode()


def test_an_svg_runs_no_script(client, save):
    save(new_logo=SimpleUploadedFile("logo.svg", SVG))
    reply = client.get(f"/logo/{models.current_identity().logo_digest}")
    assert reply.headers["Content-Type"] == "image/svg+xml"
    assert reply.headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert "sandbox" in reply.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("content", "said"), [(b"<html>", "This is no PNG"), (PNG + bytes(102_400), "larger than 100")]
)
def test_another_file_is_refused(save, content, said):
    assert said in save(new_logo=SimpleUploadedFile("logo.png", content)).content.decode()
    assert not SiteIdentity.objects.get().logo


def test_a_logo_is_kept_replaced_and_removed(client, save):
    save(new_logo=SimpleUploadedFile("logo.png", PNG))
    save(name="Renamed")
    assert bytes(SiteIdentity.objects.get().logo) == PNG
    save(new_logo=SimpleUploadedFile("logo.svg", SVG), no_logo="on")
    assert bytes(SiteIdentity.objects.get().logo) == SVG
    save(no_logo="on")
    assert "/logo/" not in client.get("/").content.decode()


# -- the accent


@pytest.mark.parametrize("colour", ["petrol", "#fff", "#12345g", "red; }"])
def test_a_colour_is_written_in_one_way(save, colour):
    assert "Write the colour as #" in save(accent=colour).content.decode()


def test_a_pale_colour_is_refused_with_one_that_is_fine(save):
    said = save(accent="#f5c400").content.decode()
    assert "too light to read: its contrast is 1.4" in said
    [shade] = [word for word in said.split() if word.startswith("#") and len(word.strip(",")) == 7]
    assert save(accent=shade.strip(",")).status_code == 302


def test_contrast_is_that_of_wcag():
    assert models.contrast("#000000", ("#ffffff",)) == pytest.approx(21)
    assert models.contrast("#767676", ("#ffffff",)) == pytest.approx(4.54, abs=0.01)


@given(st.binary(min_size=3, max_size=3))
def test_any_accepted_colour_is_readable_in_light_and_dark(colour):
    accent = f"#{colour.hex()}"
    try:
        models.check_accent(accent)
    except ValidationError:
        accent = models.readable_shade(accent, "#000000", models.LIGHT, 4.5)
        models.check_accent(accent)
    dark = models.readable_shade(accent, "#ffffff", models.DARK, 7.0)
    assert models.contrast(dark, models.DARK) >= 7.0
    assert f"--accent:{dark};" in SiteIdentity(accent=accent).stylesheet


# -- bots


def test_no_bot_goes_live_without_host_and_contact(nameless):
    assert len(gaps(checklist(nameless))) == 2
    nameless.host, nameless.contact = "The archive", "ask@example.org"
    nameless.save()
    assert gaps(checklist(nameless)) == []


def test_the_site_names_them_for_all_bots(nameless, save):
    save(organisation="The archive", contact="ask@example.org")
    assert gaps(checklist(nameless)) == []
    assert nameless.host_in("en") == "The archive"
    assert nameless.contact_address == "ask@example.org"
    nameless.host, nameless.contact = "A museum", "museum@example.org"
    assert nameless.host_in("en") == "A museum"
    assert nameless.contact_address == "museum@example.org"


@in_threads
def test_participants_are_told_whom_to_ask(client, bot):
    assert "mailto:ask@example.org" in client.get(bot.public_path).content.decode()
    Bot.objects.update(status="closed")
    assert "mailto:ask@example.org" in client.get(bot.public_path).content.decode()


@in_threads
def test_a_demo_says_that_it_is_one_and_needs_nobody(client, nameless):
    nameless.demo, nameless.status = True, "live"
    nameless.save()
    assert gaps(checklist(nameless)) == []
    page = client.get(nameless.public_path).content.decode()
    assert "This is a demo." in page
    assert "Whoever set up this demo" in page
    assert "· Demo" in client.get("/").content.decode()


def test_a_copy_of_a_demo_is_none(nameless):
    nameless.demo = True
    nameless.save()
    assert not duplicate_bot(nameless).demo


@in_threads
def test_the_whole_consent_text_stands_open_where_the_bot_says_so(client, nameless):
    Bot.objects.update(status="live")
    folded = '<details class="details" >'
    assert folded in client.get(nameless.public_path).content.decode()
    Bot.objects.update(shows_consent=True)
    assert '<details class="details" open>' in client.get(nameless.public_path).content.decode()


def test_a_file_holds_them(nameless):
    nameless.contact, nameless.demo, nameless.shows_consent = "ask@example.org", True, True
    document = bot_document(nameless)
    again = read_bot(document.model_dump_json().encode(), "json")
    assert (again.contact, again.demo, again.shows_consent) == ("ask@example.org", True, True)
