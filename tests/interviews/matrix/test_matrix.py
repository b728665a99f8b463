"""Each cell checks what is said, phase, counts and the transcript's kinds."""

from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, get_args

import pytest

from interviews.choices import EntryKind, SessionStatus
from interviews.engine.language.sentences import asks
from interviews.engine.reading import FIRST, Answers, Care, parse
from interviews.engine.result import TurnResult
from llm.tasks.yaml_files import read_yaml_file
from tests.each import each
from tests.interviews.matrix.counts import COUNTS
from tests.interviews.protocols.leading import offline
from tests.transcripts import files
from tests.transcripts.model import ScriptedModel
from tests.transcripts.people import Line
from tests.transcripts.play import Interview

pytestmark = pytest.mark.django_db  # the demo is loaded once
LANGUAGES = ("en", "it", "ru")
INTENTS = ("answer", "dont_know", *FIRST)
LEVELS = get_args(Care)
NOTED = ("strike", "renamed")
ASIDE = ("clarify", "ask_back", "off_topic", "manipulate", "pause", "stop", "withdraw", *NOTED)
REASONS = {
    "stop": "stop_to_confirm",
    "pause": "paused_in_words",
    "withdraw": "withdrawal_explained",
    "ask_back": "question_back",
    "clarify": "clarification",
    "off_topic": "off_topic",
    "manipulate": "off_topic",
    "strike": "noted",
    "renamed": "noted",
}
HEARD = {
    "ask_back": EntryKind.CANDIDATE_QUESTION,
    "clarify": EntryKind.CANDIDATE_QUESTION,
    "skip": EntryKind.SKIP,
    "refuse": EntryKind.SKIP,
    "complaint": EntryKind.SKIP,
    "last_one": EntryKind.SKIP,
}
ON_THE_FLOOR = {  # what rules don't tell apart
    "manipulate": "off_topic",
    "complaint": "answer",
    "last_one": "stop",
    "strike": "answer",
    "renamed": "answer",
}
ABOUT_STOPPING = ("stop", "pause", "withdraw")
SAID = {  # kinds of what is said, where the common rules say it
    "stop": [EntryKind.STOP_REQUEST],
    "pause": [EntryKind.TRANSITION, None],
    "withdraw": [EntryKind.INTERVIEWER_ANSWER, None],
    "ask_back": [EntryKind.INTERVIEWER_ANSWER, None],
    "clarify": [None],
    "off_topic": [EntryKind.TRANSITION, None],
    "manipulate": [EntryKind.TRANSITION, None],
    "strike": [EntryKind.TRANSITION, None],
    "renamed": [None],
}
SENTENCES = read_yaml_file(Path(__file__).parent / "sentences.yaml")


@pytest.fixture(scope="module")
def plans(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock():
        return files.plans()[files.ENGLISH]


@cache
def said_for(language: str, intent: str, care: str) -> str:
    """Return an answer of this intent and level of care."""
    own = SENTENCES[language]
    if care == "none":
        return own[intent]
    return own[care] if intent == "answer" else f"{own[care]} {own[intent]}"


class Cell:
    """An interview in which one ordinary answer was given, and then the one in question."""

    def __init__(self, plan: Any, language: str, mode: str) -> None:
        self.words, self.mode = SENTENCES[language], mode
        self.model = ScriptedModel(plan, f"{language}:{mode}", language=language)
        by = offline if mode == "floor" else self.model
        self.run = Interview(plan, model=by, language=language)
        self.say(Line(self.words["first"]))

    def say(self, line: Line) -> TurnResult[Any]:
        self.model.hear(line)
        return self.run.say(line.say)

    @property
    def counts(self) -> tuple[int, int]:
        counts = COUNTS[self.run.plan.protocol]
        return counts.turns(self.run.state), counts.covered(self.run.state)


MODES = ("floor", "model")
CELLS = list(product(files.BOTS, MODES, LANGUAGES))
# Every two of protocol, mode and language; the other half is for `make test-long`.
PLACES = product(range(len(files.BOTS)), range(len(MODES)), range(len(LANGUAGES)))
PAIRS = [
    pytest.param(*cell, marks=[pytest.mark.long] * (sum(places) % 2))
    for cell, places in zip(CELLS, PLACES, strict=True)
]


@pytest.mark.parametrize(("protocol", "mode", "language"), CELLS)
@each("care", LEVELS)
@each("intent", INTENTS)
def test_what_follows(plans, protocol, mode, language, intent, care):
    cell = Cell(plans[protocol], language, mode)
    before, open_before = cell.counts, cell.run.said
    subject = cell.words["subject"] if intent == "refuse" and mode == "model" else ""
    said = said_for(language, "refuse_subject" if subject else intent, care)
    line = Line(said, intent, care, subject)
    found = cell.say(line)
    details = found.details
    if care == "acute":
        check_care(cell, found, before)
        return
    if mode == "floor" and care == "heavy":  # what else such an answer is, rules may miss
        check_heavy(found)
        return
    assert details["intent"] in (intent, ON_THE_FLOOR.get(intent) if mode == "floor" else intent)
    intent = details["intent"]
    assert details["care"] == care
    intent = as_met(intent, found)
    check_said(cell, found, intent, open_before)
    check_counts(cell, found, intent, before)
    if care == "heavy" and intent in ("answer", "dont_know", *ASIDE):
        check_heavy(found)
    if subject:
        assert cell.run.state.closed == (subject,)


def as_met(intent: str, found: TurnResult[Any]) -> str:
    """Return what follows: where the open question was about struck words, it is passed over."""
    return "skip" if intent == "strike" and found.reason != "noted" else intent


def check_care(cell: Cell, found: TurnResult[Any], before: tuple[int, int]) -> None:
    assert (found.reason, found.flagged) == ("distress", True)
    assert [one.kind for one in found.utterances] == [EntryKind.CARE]
    assert cell.run.state.awaiting == "care"
    assert cell.counts == before
    assert found.status == SessionStatus.WAITING_ANSWER


def check_heavy(found: TurnResult[Any]) -> None:
    """The first thing said takes it in and asks nothing, or leaves the pace to the person."""
    first = found.utterances[0]
    sentence = first.text.split("?")[0]
    assert first.kind in (EntryKind.TRANSITION, EntryKind.OUTRO) or len(sentence.split(".")) > 1
    assert sum(asks(one.text) for one in found.utterances) <= 1


def check_said(cell: Cell, found: TurnResult[Any], intent: str, open_before: str) -> None:
    reason = REASONS.get(intent)
    if reason is not None:
        assert found.reason == reason
        kinds = [one.kind for one in found.utterances]
        heavy = found.details["care"] == "heavy"
        leads = bool(found.spoken_by) and cell.run.protocol.leads
        own = leads and intent != "clarify"  # a model that leads takes it in itself
        wanted = [*([EntryKind.TRANSITION] * (heavy and not own)), *SAID[intent]]
        again = own and len(kinds) == len(wanted)  # in other words
        if heavy and intent == "ask_back" and not again:  # nobody is without a way out
            wanted.insert(-1, EntryKind.TRANSITION)
        assert len(kinds) == len(wanted)
        assert all(want in (None, kind) for want, kind in zip(wanted, kinds, strict=True))
    else:
        assert found.reason not in REASONS.values()
    heard = cell.run.lines[-1 - len(found.utterances)]
    told = found.details["care"] == "heavy" or intent not in ABOUT_STOPPING
    expected = EntryKind.USER_ANSWER if told else EntryKind.STOP_REPLY
    assert heard.kind == HEARD.get(intent, expected)
    last = found.utterances[-1]
    ends = found.status in (SessionStatus.COMPLETED, SessionStatus.STOPPED)
    assert asks(last.text) or ends or found.reason == "own_pace" or open_before.endswith(last.text)
    if intent in ("pause", "withdraw", "ask_back", "off_topic", "manipulate", *NOTED):
        assert last.text in open_before  # the question that was open
    if intent == "ask_back" and cell.mode == "floor":  # how much is left is said in any case
        _, total, _ = cell.run.protocol.progress(cell.run.here(""), cell.run.state)
        assert f" {total}" in found.utterances[0].text
    wanted_status = SessionStatus.PAUSED if intent == "pause" else SessionStatus.WAITING_ANSWER
    assert found.status == wanted_status or ends


def check_counts(cell: Cell, found: TurnResult[Any], intent: str, before: tuple[int, int]) -> None:
    turns, covered = cell.counts
    if found.strike:  # what was told before may go
        assert covered <= before[1]
        before = (before[0], covered)
    if intent in ASIDE:
        assert (turns, covered) == before
    elif not cell.run.state.last_asked:  # the closing question takes no turn
        assert turns > before[0]
    if intent != "answer":
        assert covered == before[1]


@pytest.mark.parametrize(("protocol", "mode", "language"), PAIRS)
def test_a_stop_is_confirmed_and_taken_back(plans, protocol, mode, language):
    cell = Cell(plans[protocol], language, mode)
    before, phase = cell.counts, cell.run.last.progress
    asked = cell.say(Line(cell.words["stop"], "stop"))
    back = cell.say(Line(cell.words["no"]))
    assert back.reason == "goes_on"
    assert cell.counts == before
    assert back.progress in (None, phase)
    again = cell.say(Line(cell.words["stop"], "stop"))
    assert again.utterances[-1].text != asked.utterances[-1].text
    cell.say(Line(cell.words["yes"]))
    for _ in range(3):  # contact data may be asked for first
        if cell.run.ended:
            break
        cell.say(Line(cell.words["no"]))
    assert cell.run.last.status == SessionStatus.STOPPED


@pytest.mark.parametrize(("protocol", "mode", "language"), PAIRS)
@each("told", [False, True])
def test_a_second_stop_in_a_row_ends_it(plans, protocol, mode, language, told):
    cell = Cell(plans[protocol], language, mode)
    cell.say(Line(cell.words["stop"], "stop"))
    stop = Line(cell.words["stop"], "stop")
    if told and mode == "model":
        stop = Line(f"{cell.words['answer']} {cell.words['stop']}", heard="partly stop")
    ended = cell.say(stop)
    for _ in range(3):  # contact data may be asked for first
        if cell.run.ended:
            break
        assert ended.utterances[-1].kind != EntryKind.STOP_REQUEST
        cell.say(Line(cell.words["no"]))
    assert cell.run.last.status == SessionStatus.STOPPED


@pytest.mark.parametrize(("protocol", "mode", "language"), PAIRS)
@each("reply", ["yes", "no"])
def test_something_hard_beside_the_reply_to_the_stop_is_heard(
    plans, protocol, mode, language, reply
):
    cell = Cell(plans[protocol], language, mode)
    cell.say(Line(cell.words["stop"], "stop"))
    told = Line(f"{cell.words[reply]} {cell.words['heavy']}", care="heavy")
    heard = cell.say(told)
    assert cell.run.state.awaiting == ("stop" if reply == "yes" else "")
    opens_door = reply == "no" and cell.run.protocol.leads
    assert heard.utterances[0].kind == EntryKind.TRANSITION or (opens_door and heard.spoken_by)
    assert asks(cell.run.said) is (reply == "yes" or opens_door)
    if reply == "no":
        assert cell.run.last.reason == ("stay" if opens_door else "own_pace")


@pytest.mark.parametrize(("protocol", "mode", "language"), PAIRS)
def test_words_off_topic_are_led_back_and_never_endlessly(plans, protocol, mode, language):
    cell = Cell(plans[protocol], language, mode)
    joke = Line(cell.words["off_topic"], "off_topic")
    led_back = []
    for _ in range(4):
        if not cell.run.ended:
            first = cell.say(joke).utterances[0]
            led_back.append(first.kind == EntryKind.TRANSITION)
    assert led_back[0]
    assert not all(led_back[:3])


@pytest.mark.parametrize(("protocol", "mode", "language"), PAIRS)
def test_a_question_is_put_in_other_words_twice(plans, protocol, mode, language):
    cell = Cell(plans[protocol], language, mode)
    line = Line(cell.words["clarify"], "clarify")
    before = cell.counts
    first, second = cell.say(line), cell.say(line)
    assert (first.reason, second.reason) == ("clarification",) * 2
    assert cell.counts == before
    third = cell.say(line)
    assert third.reason != "clarification"
    assert cell.run.state.clarified == 0


@pytest.mark.parametrize(("protocol", "mode", "language"), PAIRS)
def test_five_questions_back_are_answered_in_a_row(plans, protocol, mode, language):
    cell = Cell(plans[protocol], language, mode)
    line = Line(cell.words["ask_back"], "ask_back")
    before = cell.counts
    assert [cell.say(line).reason for _ in range(5)] == ["question_back"] * 5
    assert cell.counts == before
    assert cell.say(line).reason != "question_back"


# -- what is wished beside an answer


TOLD = {"partly": "answer", "fully": "answer", "unknown": "dont_know"}  # what is said with the wish


def says_beside(cell: Cell, answers: str, wish: str) -> TurnResult[Any]:
    heard = f"{answers} {wish}"
    said = [cell.words[key] for key in (TOLD.get(answers), wish) if key]
    return cell.say(Line(" ".join(said), parse(heard).intent, heard=heard))


def open_question(cell: Cell) -> str:
    return cell.run.protocol.repeat_question(cell.run.here("")).text


@pytest.mark.parametrize("protocol", files.BOTS)
@each("answers", get_args(Answers))
@each("wish", FIRST)
def test_a_wish_beside_an_answer_takes_nothing_of_it_away(plans, protocol, wish, answers):
    cell = Cell(plans[protocol], files.ENGLISH, "model")
    before, open_before, asked = cell.counts, cell.run.said, open_question(cell)
    found = says_beside(cell, answers, wish)

    assert found.details["wishes"] == [wish]
    # "I don't know. Next one, please." is a wish to skip, which rules settle
    assert found.details["answers"] in (answers, "no" if answers == "unknown" else answers)
    if answers not in ("partly", "fully"):
        assert found.details["intent"] == wish
        check_said(cell, found, as_met(wish, found), open_before)
        check_counts(cell, found, as_met(wish, found), before)
        return
    assert found.details["intent"] == "answer"
    assert cell.run.lines[-1 - len(found.utterances)].kind == EntryKind.USER_ANSWER
    assert cell.counts[0] > before[0] or cell.run.state.last_asked
    assert open_question(cell) != asked
    assert not any(one.text.endswith(asked) for one in found.utterances)
    check_met(cell, found, wish)


def check_met(cell: Cell, found: TurnResult[Any], wish: str) -> None:
    """The wish is met, and the next question asked or left open."""
    kinds = [one.kind for one in found.utterances]
    assert found.status == ("PAUSED" if wish == "pause" else "WAITING_ANSWER")
    assert cell.run.state.awaiting == ("stop" if wish == "stop" else "")
    if wish == "last_one":
        assert cell.run.state.last_asked
    if wish == "ask_back":
        assert kinds[0] == EntryKind.INTERVIEWER_ANSWER
    if wish in ("pause", "withdraw"):
        assert kinds[0] == SAID[wish][0]
        assert found.utterances[-1].text == open_question(cell)
    if wish == "stop":
        waits = open_question(cell)
        back = cell.say(Line(cell.words["no"]))
        assert (back.reason, back.utterances[-1].text) == ("goes_on", waits)
    assert sum(asks(one.text) for one in found.utterances) == 1
