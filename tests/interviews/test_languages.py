"""What is understood in Spanish, German, French and Arabic, and in which language people write."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.test import AsyncClient

from interviews.engine.contact_data.fields import read_consent
from interviews.engine.language.distress import in_distress
from interviews.engine.language.intents import meaning
from interviews.engine.language.wishes import wishes
from interviews.models import Assignment, Session
from interviews.protocols.knowledge_transfer.extraction import says_nothing
from interviews.recruitment.invitations.changes import invite
from interviews.recruitment.invitations.people_file import Invitee
from interviews.recruitment.invitations.redeem import new_path
from interviews.turns import actions
from interviews.turns.language_offer import written_in
from interviews.turns.replay import first_difference
from interviews.turns.session_start import StartRequest, open_session
from llm.concurrency.threads import in_database
from llm.tasks.yaml_files import TEXT_LOADER, read_yaml_file
from plans.models import BotText, Experiment
from tests.conftest import make_topic_bot
from tests.each import each
from tests.factories import make_bot
from tests.interviews.talk import Talk, begin

FOLDER = Path(__file__).parent / "wishes"
LANGUAGES = ("es", "de", "fr", "ar")


@cache
def sentences(language: str) -> dict[str, Any]:
    """Own sentences of a language, and what they say."""
    loaded: dict[str, Any] = read_yaml_file(FOLDER / f"{language}.yaml", TEXT_LOADER)
    return loaded


def listed(*path: str) -> list[tuple[str, str]]:
    """The key that comes last, and each sentence below it, in every language."""
    found = []
    for language in LANGUAGES:
        below: Any = sentences(language)
        for key in path:
            below = below[key]
        named = below if isinstance(below, dict) else {path[-1]: below}
        found += [(key, text) for key, texts in named.items() for text in texts]
    return found


def test_a_clear_wish_is_heard():
    for wish, text in listed("said"):
        assert wishes(text, wish) or (wish == "no" and wishes(text, "go_on")), text


@each(("wish", "text"), listed("never"))
def test_a_story_is_no_wish(wish: Any, text: str):
    assert not wishes(text, wish)


def test_a_cry_for_help_is_heard_and_what_only_sounds_like_one_is_not():
    assert [text for _, text in listed("distress") if not in_distress(text)] == []
    assert [text for _, text in listed("calm") if in_distress(text)] == []


@each("language", LANGUAGES)
def test_there_are_enough_to_tell(language: str):
    assert min(len(sentences(language)[key]) for key in ("distress", "calm")) >= 12


@each(("_key", "text"), listed("agrees"))
def test_a_clear_yes_is_consent(_key: str, text: str):
    assert read_consent(text) == "yes"


@each(("_key", "text"), listed("refuses"))
def test_a_clear_no_is_none(_key: str, text: str):
    assert read_consent(text) == "no"


@each(
    ("language", "clause"),
    [
        ("es", "depende mucho"),
        ("es", "ni idea"),
        ("es", "más o menos"),
        ("de", "das kommt darauf an"),
        ("de", "keine Ahnung"),
        ("de", "nach Gefühl"),
        ("fr", "ça dépend"),
        ("fr", "je ne sais pas trop"),
        ("fr", "au pif"),
        ("ar", "الأمر يعتمد"),
        ("ar", "لا أعرف بالضبط"),
        ("ar", "كالعادة"),
    ],
)
def test_what_tells_nothing_is_heard_as_vague(language: str, clause: str):
    assert says_nothing(clause, language, "")


@each(
    ("language", "clause"),
    [
        ("es", "depende del grosor del papel"),
        ("es", "el papel grueso pasa por la segunda prensa"),
        ("de", "das hängt an der zweiten Schraube"),
        ("fr", "ça dépend de l'épaisseur du papier"),
        ("ar", "يعتمد الحساب على سماكة الورق"),
    ],
)
def test_what_tells_something_is_not_vague(language: str, clause: str):
    assert not says_nothing(clause, language, "")


@each(
    ("language", "clause"),
    [
        ("es", "¿Quién lee esto?"),
        ("es", "¿Por qué me lo pregunta?"),
        ("de", "Wer liest das?"),
        ("de", "Was passiert mit meinen Antworten?"),
        ("fr", "Qui lit mes réponses ?"),
        ("fr", "Pourquoi me demandez-vous cela ?"),
        ("ar", "من يقرأ هذا؟"),
        ("ar", "لماذا تسأل؟"),
    ],
)
def test_a_question_about_the_interview_is_heard(language: str, clause: str):
    assert meaning(clause, language, "") == "ask_back"


# -- in which language somebody writes

MEMORY = {
    "en": "I remember the kitchen of my grandmother and the smell of bread.",
    "it": "Mi ricordo la cucina di mia nonna e il profumo del pane.",
    "ru": "Я помню кухню моей бабушки и запах хлеба.",
    "es": "Recuerdo la cocina de mi abuela y el olor del pan.",
    "de": "Ich erinnere mich an die Küche meiner Großmutter und den Duft von Brot.",
    "fr": "Je me souviens de la cuisine de ma grand-mère et de l'odeur du pain.",
    "ar": "أتذكر مطبخ جدتي ورائحة الخبز.",
}
ALL = tuple(MEMORY)


@each("spoken", [ALL, tuple(reversed(ALL))])
@each("written", ALL)
def test_a_language_of_the_bot_is_known_from_a_sentence(written: str, spoken: tuple[str, ...]):
    for language in ALL:
        found = written_in(MEMORY[written], language, spoken)
        assert found == ("" if language == written else written)


@each(
    ("text", "language", "spoken", "found"),
    [
        ("Да, конечно", "en", ("en", "it", "ru"), "ru"),  # the script says it
        ("نعم", "en", ("en", "ar"), ""),  # three letters say nothing
        ("نعم، طبعًا", "en", ("en", "ar"), "ar"),
        ("Да, конечно", "en", ("en", "ru", "uk"), ""),  # one of two
        ("Yes, of course", "ru", ("ru", "en"), "en"),
        ("Yes, of course", "ru", ("ru", "en", "it"), ""),
        ("Sì, certo", "en", ("en", "it"), ""),  # too short in the same script
        ("ok", "ru", ("ru", "en"), ""),
        ("", "en", ("en", "it"), ""),
        ("1951, 1960 … 12!", "en", ("en", "ru"), ""),
        # a language that the bot doesn't speak is none of those that it does
        ("Eu nasci em uma pequena cidade perto do mar.", "en", ("en", "it", "es"), ""),
        ("Jestem z małego miasta nad morzem, daleko stąd.", "en", ("en", "it", "de"), ""),
        ("من در یک روستای کوچک نزدیک دریا بزرگ شدم", "en", ("en", "ar"), ""),
        # names and terms of the trade are no language
        ("PostgreSQL, Kubernetes, Terraform, Ansible, Grafana", "it", ("it", "en"), ""),
        ("Giovanni Bianchi, Francesca De Santis, Milano", "en", ("en", "it"), ""),
        ("My name is Giovanni Bianchi and I come from Milano", "en", ("en", "it"), ""),
        (MEMORY["it"], "en", ("en", "it-CH"), "it-CH"),
        (MEMORY["it"], "it-CH", ("it-CH", "it", "en"), ""),
        (MEMORY["it"], "en", ("en",), ""),
    ],
)
def test_only_what_is_clear_is_found(text: str, language: str, spoken: tuple[str, ...], found: str):
    assert written_in(text, language, spoken) == found


def in_two_languages():
    """A bot that speaks English first, and Italian."""
    bot = make_bot()
    bot.scripts.add(other := make_bot().scripts.get())
    type(other).objects.filter(pk=other.pk).update(language="it")
    return bot


def test_a_program_may_begin_in_a_language_without_its_country(db):
    bot = in_two_languages()
    bot.scripts.filter(language="it").update(language="pt-BR")
    assert open_session(StartRequest(bot.slug, "", "pt"), None)[0].session.language == "pt-BR"


async def entered(
    bot: Any, accept: str, query: str = "", client: AsyncClient | None = None
) -> tuple[AsyncClient, Talk]:
    """Somebody who has begun by the bot's page, with a browser of those languages."""
    client, headers = client or AsyncClient(), {"Accept-Language": accept}
    address = f"/i/{bot.slug}/?{query}"
    page = await client.get(address, headers=headers)
    await client.post(address, form_of(page.content.decode()), headers=headers)
    session = await Session.objects.order_by("started_at").alast()
    assert session is not None
    return client, Talk(session.pk)


def form_of(page: str) -> dict[str, str]:
    """The hidden fields of a start page."""
    return {
        name: page.partition(f'name="{name}" value="')[2].partition('"')[0]
        for name in ("language", "language_source", "consent")
    }


OFFER = "?language=it&amp;chosen=answers"


async def offered(client: AsyncClient, talk: Talk) -> bool:
    page = await client.get(f"/s/{talk.session_id}/")
    return OFFER in page.content.decode()


@pytest.mark.django_db(transaction=True)
async def test_who_writes_in_another_language_may_begin_anew_in_it():
    bot = await in_database(in_two_languages)
    client, talk = await entered(bot, "pt", "PROLIFIC_PID=p7")
    assert not await offered(client, talk)
    await talk.say(MEMORY["it"])
    page = (await client.get(f"/s/{talk.session_id}/")).content.decode()
    assert "Questa intervista è disponibile anche in un'altra lingua: italiano." in page
    address = page.partition('href="/i/')[2].partition('"')[0].replace("&amp;", "&")
    start = (await client.get(f"/i/{address}")).content.decode()
    assert '<html lang="it"' in start
    begun = await client.post(f"/i/{address}", form_of(start))
    assert begun.status_code == 303
    new = await Session.objects.order_by("started_at").alast()
    assert new is not None and new.pk != talk.session_id
    assert (new.language, new.language_source) == ("it", "answers")
    assert new.params == {"PROLIFIC_PID": "p7"}
    old = await talk.session()
    assert (old.status, old.language, old.language_source) == ("ARCHIVED", "en", "bot")
    assert await in_database(first_difference, old) == ""
    assert await in_database(first_difference, await actions.fresh(new.pk)) == ""


@pytest.mark.django_db(transaction=True)
async def test_it_is_offered_to_a_script_and_to_an_open_page_alike():
    bot = await in_database(in_two_languages)
    client, talk = await entered(bot, "pt")
    await talk.say(MEMORY["it"])
    news = await client.get(
        f"/s/{talk.session_id}/state/?sequence=0", headers={"HX-Request": "true"}
    )
    assert OFFER in news.content.decode()


@pytest.mark.django_db(transaction=True)
async def test_it_is_offered_at_the_beginning_only():
    bot = await in_database(in_two_languages)
    client, talk = await entered(bot, "pt")
    for _ in range(2):
        await talk.say(MEMORY["it"])
        assert await offered(client, talk)
    await talk.say(MEMORY["it"])
    assert not await offered(client, talk)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("accept", "query", "answer"),
    [
        ("en", "", MEMORY["it"]),  # the browser decided
        ("pt", "language=en", MEMORY["it"]),  # the link
        ("pt", "language=en&chosen=1", MEMORY["it"]),  # the person
        ("pt", "", MEMORY["en"]),
        ("pt", "", MEMORY["es"]),  # the bot doesn't speak it
    ],
)
async def test_whose_language_was_known_is_offered_nothing(accept: str, query: str, answer: str):
    bot = await in_database(in_two_languages)
    client, talk = await entered(bot, accept, query)
    await talk.say(answer)
    assert not await offered(client, talk)


@pytest.mark.django_db(transaction=True)
async def test_where_nobody_may_begin_nothing_is_offered():
    bot = await in_database(in_two_languages)
    client, talk = await entered(bot, "pt")
    await talk.say(MEMORY["it"])
    bot.status = "closed"
    await bot.asave()
    assert not await offered(client, talk)


@pytest.mark.django_db(transaction=True)
async def test_what_an_invitation_knows_of_somebody_stands_in_no_address():
    bot = await in_database(in_two_languages)
    known = {"phone": "+39 000 111", "wave": "2"}
    made = (await in_database(invite, bot, [Invitee(params=known)]))[0]
    path, _, secret = (await in_database(new_path, made)).partition("#key=")
    client = AsyncClient()
    await client.post(f"{path}enter/", {"key": secret})
    client, talk = await entered(bot, "pt", client=client)
    await talk.say(MEMORY["it"])
    page = (await client.get(f"/s/{talk.session_id}/")).content.decode()
    assert f'href="/i/{bot.slug}/{OFFER}"' in page
    assert not [told for told in ("phone=", "wave=", "%2B39", "000+111") if told in page]
    start = f"/i/{bot.slug}/{OFFER}".replace("&amp;", "&")
    form = form_of((await client.get(start)).content.decode())
    assert (await client.post(start, form)).status_code == 303
    new = await Session.objects.alatest("started_at")
    assert (new.language, new.params, new.invitation_id) == ("it", known, made.pk)


# -- what it is called


@pytest.mark.django_db(transaction=True)
async def test_title_and_host_are_told_in_the_language_of_the_interview():
    bot = await in_database(in_two_languages)
    bot.title, bot.host = "Houses", "The town"
    await bot.asave()
    await BotText.objects.acreate(bot=bot, language="it", title="Case", host="il Comune")
    client = AsyncClient()

    async def told(address: str, language: str) -> str:
        page = await client.get(address, headers={"Accept-Language": language})
        return page.content.decode()

    for address in ("/", f"/i/{bot.slug}/"):
        italian, english = await told(address, "it"), await told(address, "en")
        assert "Case" in italian and "omune" in italian
        assert bot.title not in italian and "The town" not in italian
        assert bot.title in english
    _client, talk = await entered(bot, "it")
    session = await talk.session()
    assert (session.title, session.host) == ("Case", "il Comune")
    _client, talk = await entered(bot, "en")
    assert (await talk.session()).title == bot.title


@pytest.mark.django_db(transaction=True)
async def test_an_interview_opens_with_its_title_in_its_language():
    bot = await in_database(make_topic_bot)
    plain = await begin(bot)
    await BotText.objects.acreate(bot=bot, language="en", title="Water, hot and otherwise")
    named = await begin(bot)
    assert f": {bot.title}." in (await plain.entries())[0].text
    assert ": Water, hot and otherwise." in (await named.entries())[0].text


@pytest.mark.django_db(transaction=True)
async def test_who_begins_anew_in_another_language_stays_in_the_experiment():
    def trial() -> None:
        experiment = Experiment.objects.create(seed=7, status="live", slug="trial", title="Trial")
        for name in "AB":
            experiment.arms.create(name=name, bot=in_two_languages())

    await in_database(trial)
    client, headers = AsyncClient(), {"Accept-Language": "pt"}
    page = await client.get("/e/trial/?PROLIFIC_PID=p7", headers=headers)
    await client.post("/e/trial/?PROLIFIC_PID=p7", form_of(page.content.decode()), headers=headers)
    first = await Assignment.objects.select_related("session").aget()
    talk = Talk(first.session_id)
    await talk.say(MEMORY["it"])
    page = (await client.get(f"/s/{talk.session_id}/")).content.decode()
    offer = page.partition('<p class="muted" lang="it"')[2]
    address = offer.partition('href="')[2].partition('"')[0].replace("&amp;", "&")
    start = (await client.get(address)).content.decode()
    assert (await client.post(address, form_of(start))).status_code == 303
    new = await Session.objects.order_by("started_at").alast()
    assert new.language == "it"
    own = await Assignment.objects.filter(session=new).afirst()
    assert own is not None and (own.arm_id, own.place) == (first.arm_id, first.place)
