"""Words that a participant doesn't want kept: gone from all that is stored, in every protocol."""

import pytest

from interviews.engine.contact_data.masking import STRUCK
from interviews.engine.texts import wordings
from interviews.exports.registry import TABLES
from interviews.models import Fact, Node, Note, TranscriptEntry
from interviews.models import Session as SessionRow
from interviews.protocols.knowledge_transfer.tasks import TransferExtraction
from interviews.protocols.laddering.tasks import AnswerSignalsResult, ExtractedLines
from interviews.protocols.life_story.tasks import LifeStoryLed, NotePair
from interviews.protocols.technical_assessment.tasks import ObserverAnalysis, Scores
from interviews.protocols.topic_exploration.tasks import ReportedFact, TopicLed
from interviews.search.queries import saying
from llm.concurrency.threads import in_database
from llm.models import LLMCall
from plans.models import Script
from reflections.evidence.material import transcript_of
from tests.interviews.exports.reading import export
from tests.interviews.talk import begin, same_again
from tests.interviews.test_distress import BOTS
from tests.scripted import scripted

pytestmark = pytest.mark.django_db(transaction=True)
SECRET = "My boss hides cash on an account in Vaduz."
TOLD = f"I kept the books for eleven years, mostly alone. {SECRET}"
WISH = "Better not write that down, what I said of that cash."
PLAIN = "We closed the accounts every Friday evening, and then we all went for a beer."
WORDS = ("Vaduz", "hides", "cash on")
ECHO = "So there was cash in Vaduz. What happened then?"


@pytest.fixture
def model(settings):
    settings.LLM_PROVIDER = "scripted"
    return scripted


def hears(heard: str, fact: str = "", says: str = ECHO) -> None:
    """Let every protocol's model hear that, draw that from the answer, and say the rest."""
    told = [fact] if fact else []
    stays = heard.replace(" ", " stay ", 1) if " " in heard else f"{heard} stay"
    notes = [NotePair(key="boss", value=one) for one in told]
    scripted.always("life_story.lead", LifeStoryLed(heard=stays, say=says, notes=notes))
    facts = [ReportedFact(text=one, confidence=0.9) for one in told]
    scripted.always("topic_exploration.lead", TopicLed(heard=stays, say=says, facts=facts))
    extraction = TransferExtraction(heard=heard, confidence="low", follow_up=says, facts=told)
    scripted.always("knowledge_transfer.extract", extraction)
    right = {"status": "confirmed", "scores": Scores(correctness=0.8, confidence=0.8)}
    judged = ObserverAnalysis(heard=heard, action="same", notes=fact, **right)
    scripted.always("technical_assessment.observer", judged)
    concepts = [f"{one} | attribute |" for one in told]
    scripted.always("laddering.extract", ExtractedLines(heard=heard, concepts=concepts))
    signals = AnswerSignalsResult(depth="deep", sentiment="neutral")
    scripted.always("laddering.signals", signals)
    scripted.always("laddering.question", says)


async def stored(talk) -> list[str]:
    """Return everything that is stored of the interview, as text."""
    rows = [
        await in_database(list, model.objects.values())
        for model in (SessionRow, TranscriptEntry, Note, Fact, Node, LLMCall)
    ]
    turns = [(one.readings, one.decision) for one in await talk.turns()]
    return [*map(str, rows), str(turns)]


async def begun(kind: str):
    return await begin(await in_database(BOTS[kind]))


@pytest.mark.parametrize("kind", BOTS)
async def test_in_the_answer_just_given(kind, model):
    talk = await begun(kind)
    hears(f"fully strike: {SECRET}", f"Boss: {SECRET}")
    said = await talk.say(f"{TOLD} Better not write that down.")
    assert said.startswith(tuple(wordings("en", "struck")))
    heard = next(one for one in await talk.entries() if one.role == "participant")
    kept = "I kept the books for eleven years, mostly alone."
    assert heard.text == f"{kept} {STRUCK}. Better not write that down."
    assert [one for text in await stored(talk) for one in WORDS if one in text] == []
    assert "account" not in said
    turn = (await talk.turns())[1]
    assert turn.decision["details"]["wishes"] == ["strike"]
    calls = await in_database(list, LLMCall.objects.filter(turn=1).values("request", "response"))
    assert calls
    assert all(one == {"request": {}, "response": ""} for one in calls)
    assert await same_again(talk) == ""

    model.requests.clear()
    hears("fully", says="What was the work like?")
    await talk.say(PLAIN)
    asked = "".join(map(repr, model.requests))
    assert [one for one in WORDS if one in asked] == []
    assert await same_again(talk) == ""


@pytest.mark.parametrize("kind", BOTS)
async def test_in_an_earlier_answer(kind, model, admin_client):
    talk = await begun(kind)
    hears("fully", "The cash is in Vaduz")
    await talk.say(TOLD)
    hears("fully", says="What was the work like?")
    await talk.say(PLAIN)
    assert "Vaduz" in str(await stored(talk))
    hears(f"no strike: {SECRET}", says="Which books were they?")
    said = await talk.say(WISH)
    assert said.startswith(tuple(wordings("en", "struck")))
    texts = {one.position: one.text for one in await talk.entries()}
    assert f"I kept the books for eleven years, mostly alone. {STRUCK}." in texts.values()
    assert {WISH, PLAIN} <= {*texts.values()}
    assert [one for text in await stored(talk) for one in WORDS if one in text] == []
    assert await same_again(talk) == ""

    model.requests.clear()
    hears("fully", says="And what else did you do there?")
    await talk.say("I also answered the telephone, which rang a good deal.")
    asked = "".join(map(repr, model.requests))
    assert asked
    assert [one for one in WORDS if one in asked] == []
    assert await same_again(talk) == ""
    lines = (await in_database(transcript_of, await talk.session())).numbered
    assert STRUCK in lines
    exports = await in_database(lambda: [export(name, "jsonl").decode() for name in TABLES])
    page = await in_database(
        admin_client.get, f"/admin/interviews/session/{talk.session_id}/change/"
    )
    assert "struck at the participant" in page.content.decode()
    shown = [lines, *exports, page.content.decode()]
    assert [one for text in shown for one in WORDS if one in text] == []


async def test_what_is_told_later_is_kept_beside_what_has_gone(model):
    talk = await begun("knowledge_transfer")
    hears("fully", "The cash is in Vaduz", says="Who else kept them?")
    await talk.say(f"{TOLD} We closed them on Fridays.")
    hears(f"no strike: {SECRET}", says="Which books were they?")
    await talk.say(WISH)
    hears("fully", "They closed the accounts every Friday", says="And then?")
    await talk.say(PLAIN)
    facts = await in_database(list, Fact.objects.values_list("number", "text"))
    assert facts == [(2, "They closed the accounts every Friday")]
    assert [one["text"] for one in (await talk.session()).state["facts"]] == ["", facts[0][1]]
    assert await same_again(talk) == ""


async def test_a_graph_goes_on_without_what_has_gone(model):
    talk = await begun("laddering")
    hears("fully", "The cash is in Vaduz", says="Why is that?")
    await talk.say(f"{TOLD} We closed them on Fridays.")
    scripted.always(
        "laddering.extract", ladder("evening beer | attribute |", "closing early | attribute |")
    )
    await talk.say(PLAIN)
    hears(f"no strike: {SECRET}", says="Which books were they?")
    await talk.say(WISH)
    scripted.always("laddering.extract", ladder("singing loudly | attribute |"))
    await talk.say("And then we sang loudly, all of us, until the landlord threw us out.")
    nodes = await in_database(list, Node.objects.values_list("key", "text"))
    assert nodes == [("n2", "evening beer"), ("n3", "closing early"), ("n4", "singing loudly")]
    assert [one["id"] for one in (await talk.session()).state["graph"]["nodes"]] == [
        key for key, _ in nodes
    ]
    assert await same_again(talk) == ""


def ladder(*concepts: str) -> ExtractedLines:
    return ExtractedLines(heard="fully", concepts=list(concepts))


async def test_a_second_wish_reaches_back_over_the_first(model):
    talk = await begun("life_story")
    hears("fully", "The cash is in Vaduz")
    await talk.say(TOLD)
    hears("fully strike: we all went for a beer", says="What was the work like?")
    await talk.say(f"{PLAIN} Strike the beer.")
    assert await same_again(talk) == ""
    hears(f"no strike: {SECRET}", says="Which books were they?")
    await talk.say(WISH)
    await talk.say("And then?")
    assert [one for text in await stored(talk) for one in WORDS if one in text] == []
    assert await same_again(talk) == ""


async def test_where_the_open_question_is_about_it_the_next_one_follows(model):
    talk = await begun("life_story")
    hears("fully")
    await talk.say(TOLD)
    hears(f"no strike: {SECRET}")
    said = await talk.say(WISH)
    assert "cash" not in said
    assert (await talk.turns())[-1].decision["reason"] == "next"
    assert await same_again(talk) == ""


async def test_it_is_found_by_no_search(model):
    def found() -> int:
        return saying(TranscriptEntry.objects.all(), "Vaduz").count()

    talk = await begun("life_story")
    hears("fully")
    await talk.say(TOLD)
    assert await in_database(found) == 2
    hears(f"no strike: {SECRET}")
    await talk.say(WISH)
    assert await in_database(found) == 0


# -- the right name


async def test_a_corrected_name_is_the_name_to_the_goodbye(model, bot):
    outro = "Thank you, {participant_name}. Goodbye."
    await in_database(Script.objects.update, outro=outro)
    await in_database(bot.save)  # makes a new plan
    talk = await begin(bot, name="Kim")
    said = [entry.text for entry in await talk.entries()]
    assert said[0].startswith("Hello, Kim.")
    hears("fully renamed: Kimmo", says="What was the work like?")
    await talk.say("Mostly at home. And it's Kimmo, not Kim.")
    hears("fully", says="And then?")
    model.requests.clear()
    while (await talk.session()).is_active:
        last = await talk.say(PLAIN)
    assert last.endswith("Thank you, Kimmo. Goodbye.")
    dialogue = "".join(map(repr, model.asked("life_story.lead")))
    assert "Hello, Kimmo." in dialogue
    assert "Hello, Kim." not in dialogue
    assert await same_again(talk) == ""
    session = await talk.session()
    person = await in_database(lambda: session.participant.name)
    assert (person, session.state["names"]) == ("Kim", ["Kimmo"])
    assert (await talk.entries())[0].text == said[0]
