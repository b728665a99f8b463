"""Addresses and phone numbers of the care text as links."""

import re

import pytest

from interviews.templatetags.contact_links import contact_links
from llm.concurrency.threads import in_database
from plans.models import BotText
from tests.each import each
from tests.interviews.talk import begin

LINK = re.compile(r'<a href="([^"]+)" dir="ltr">([^<]+)</a>')


@each(
    ("text", "number", "shown"),
    [
        ("Call 112 (in many countries).", "112", "112"),
        ("Ring 116 123, day and night.", "116123", "116 123"),
        ("Telefonseelsorge: 0800/111 0 111.", "08001110111", "0800/111 0 111"),
        ("0800 / 111 0 222 oder Chat", "08001110222", "0800 / 111 0 222"),
        ("+49 (0)800 111 0 111", "+498001110111", "+49 (0)800 111 0 111"),
        ("(+39 02 2327 2327)", "+390223272327", "+39 02 2327 2327"),
        ("(040) 123-4567", "0401234567", "(040) 123-4567"),
        ("030 1234-567", "0301234567", "030 1234-567"),
        ("au 01 45 39 40 00 ou", "0145394000", "01 45 39 40 00"),
        ("01.45.39.40.00", "0145394000", "01.45.39.40.00"),
        ("1-800-273-8255", "18002738255", "1-800-273-8255"),
        ("8 800 2000 122", "88002000122", "8 800 2000 122"),
        ("Call 988 24/7, 365 days a year", "988", "988"),
        ("116 123 24 hours a day", "116123", "116 123"),
        ("اتصل على ١١٢ الآن", "112", "١١٢"),
        ("+٩٦٢ ٦ ٥٥٥ ٠٠٠٠", "+96265550000", "+٩٦٢ ٦ ٥٥٥ ٠٠٠٠"),
    ],
)
def test_a_number_can_be_dialled(text, number, shown):
    html = contact_links(text)
    assert LINK.findall(html) == [(f"tel:{number}", shown)]
    assert LINK.sub(r"\2", html) == text


@each(
    "text",
    [
        "365 days, 24 hours, 24/7, 100 % free, since 1953",
        "Mo 09.00-17.00, 8:00–22:00, 9-17, 01/02/2025",
        "3,5 or 1.5 or A-101 or user@116123.org",
        "116 123 8-20 Uhr",  # what isn't clear stays text
        "116 123 9.00-17.00",
        "116 123 8:00",
        "116 123 7 days a week",
        "116 123 8 am to 8 pm",
        "116 123x",
        "1234 5678 9012 3456",
    ],
)
def test_other_figures_are_no_numbers(text):
    assert contact_links(text) == text


@each(
    ("text", "address", "shown"),
    [
        ("See https://findahelpline.com.", "https://findahelpline.com", ""),
        ("(http://x.org/a_(b)?q=1#c)", "http://x.org/a_(b)?q=1#c", ""),
        ("https://x.org/116-123-456/112", "https://x.org/116-123-456/112", ""),
        ("www.samaritans.org, at once", "https://www.samaritans.org", "www.samaritans.org"),
        ("„https://помощь.рф“", "https://помощь.рф", ""),
        ("On findahelpline.com.", "https://findahelpline.com", "findahelpline.com"),
        ("Telefono-Amico.it/chat,", "https://Telefono-Amico.it/chat", "Telefono-Amico.it/chat"),
    ],
)
def test_an_address_can_be_followed(text, address, shown):
    assert LINK.findall(contact_links(text)) == [(address, shown or address)]


def test_everything_is_escaped():
    html = contact_links('<b onclick="1">https://x.org/?a=1&b=2"><script>112</script>')
    assert html == (
        "&lt;b onclick=&quot;1&quot;&gt;"
        '<a href="https://x.org/?a=1&amp;b=2" dir="ltr">https://x.org/?a=1&amp;b=2</a>'
        '&quot;&gt;&lt;script&gt;<a href="tel:112" dir="ltr">112</a>&lt;/script&gt;'
    )


@each(
    "text",
    [
        *("javascript:alert(1)", "data:text/html,1", "https://", "www. x"),
        *("help@example.org", "z.B. or e.g. or 8 a.m.", "We stop here.It can wait.", "note.txt"),
    ],
)
def test_nothing_else_is_a_link(text):
    assert "<a" not in contact_links(text)


@pytest.mark.django_db(transaction=True)
async def test_the_care_text_has_links_and_other_words_have_none(bot):
    care = "Ring <116 123> or see https://findahelpline.com."
    await in_database(lambda: BotText.objects.create(bot=bot, language="en", care=care))
    talk = await begin(bot)
    for text in ("Ring 116 123.", "I want to die."):
        await talk.say(text)
    client = talk.browser()
    for page in ("", "transcript/"):
        html = (await client.get(f"/s/{talk.session_id}/{page}")).content.decode()
        said = html.rpartition("</header>")[2]
        assert LINK.findall(said) == [("tel:116123", "116 123"), ("https://findahelpline.com",) * 2]
        assert "&lt;<a" in html
    plain = (await client.get(f"/s/{talk.session_id}/transcript.txt")).content.decode()
    assert care in plain
