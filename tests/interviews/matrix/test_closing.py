"""The closing question: it comes once, its answer is kept, and the interview ends."""

from itertools import product
from typing import Any, get_args

import pytest

from interviews.choices import ENDED, EntryKind, SessionStatus
from interviews.engine.language.sentences import asks
from interviews.engine.reading import Wish, parse
from interviews.engine.result import LAST
from tests.each import each
from tests.interviews.matrix.test_matrix import LANGUAGES, MODES, Cell, plans
from tests.transcripts.people import Line

CLOSING = ("technical_assessment", "knowledge_transfer", "laddering")
pytestmark = pytest.mark.django_db  # the demo is loaded once
__all__ = ["plans"]  # the fixture
CELLS = list(product(CLOSING, MODES, LANGUAGES))
MOST = 60  # answers


def to_the_last(plan: Any, language: str, mode: str) -> Cell:
    """Return an interview whose closing question is open."""
    cell = Cell(plan, language, mode)
    for number in range(MOST):
        if cell.run.state.last_asked:
            return cell
        cell.say(Line(answer(cell, number)))
    raise AssertionError("no closing question")


def answer(cell: Cell, number: int) -> str:
    """Return an answer that was not given before."""
    return f"{cell.words['answer'].rstrip('.')} {number}."


def closing_questions(cell: Cell) -> int:
    return sum(one.kind == EntryKind.LAST_QUESTION for one in cell.run.lines)


def kept(cell: Cell, text: str) -> bool:
    """Return whether the protocol keeps what was said to the closing question."""
    state = cell.run.state
    match cell.run.plan.protocol:
        case "knowledge_transfer":
            item = state.item(LAST)
            return text in item.answer and item.status == "ANSWERED_BY_INTERVIEW"
        case "technical_assessment":
            last = state.observations[-1]
            return "closing" in last.flags and not last.scored
        case _:
            position = len(cell.run.lines) - len(cell.run.last.utterances)
            return any(position in node.positions for node in state.graph.nodes)


@pytest.mark.parametrize(("protocol", "mode", "language"), CELLS)
def test_it_comes_once_its_answer_is_kept_and_the_interview_ends(plans, protocol, mode, language):
    cell = to_the_last(plans[protocol], language, mode)
    asked, (turns, _) = cell.run.last, cell.counts
    assert asked.status == SessionStatus.WAITING_ANSWER
    assert [one.kind for one in asked.utterances] == [EntryKind.LAST_QUESTION]
    assert (asked.utterances[-1].question, asked.utterances[-1].number) == (LAST, None)
    assert sum(asks(one.text) for one in asked.utterances) == 1
    current, total, _ = asked.progress
    assert 0 < current <= total
    said = f"{cell.words['first']} {cell.words['answer']}"
    ended = cell.say(Line(said))
    assert (ended.status, ended.reason) == (SessionStatus.COMPLETED, "last_answered")
    assert [one.kind for one in ended.utterances] == [EntryKind.OUTRO]
    assert cell.run.lines[-2].kind == EntryKind.USER_ANSWER
    assert closing_questions(cell) == 1
    assert cell.counts[0] == turns
    assert ended.progress == asked.progress
    assert kept(cell, said)


@pytest.mark.parametrize(("protocol", "mode", "language"), CELLS)
def test_a_stop_after_it_ends_at_once(plans, protocol, mode, language):
    cell = to_the_last(plans[protocol], language, mode)
    ended = cell.say(Line(cell.words["stop"], "stop"))
    assert (ended.status, ended.reason) == (SessionStatus.COMPLETED, "skipped_last")
    assert cell.run.lines[-2].kind == EntryKind.STOP_REPLY


LEAVE_IT_OPEN = ("pause", "withdraw", "strike", "renamed")


@pytest.mark.parametrize("protocol", CLOSING)
@each("wish", [one for one in get_args(Wish) if one not in LEAVE_IT_OPEN])
@each("answers", ["no", "fully"])
def test_whatever_is_wished_for_it_ends(plans, protocol, answers, wish):
    cell = to_the_last(plans[protocol], "en", "model")
    told = cell.words["answer"] if answers == "fully" else ""
    line = Line(f"{told} {cell.words[wish]}", parse(f"{answers} {wish}").intent)
    line = Line(line.say, line.intent, heard=f"{answers} {wish}")
    for _ in range(7):  # five questions back are answered
        if not cell.run.ended:
            cell.say(line)
    assert cell.run.last.status == SessionStatus.COMPLETED
    assert cell.run.last.utterances[-1].kind == EntryKind.OUTRO
    if answers == "fully":
        assert kept(cell, told)
        assert closing_questions(cell) == 1


@pytest.mark.parametrize(("protocol", "mode", "language"), CELLS)
@each("wish", ["pause", "withdraw"])
def test_a_pause_keeps_it_open(plans, protocol, mode, language, wish):
    cell = to_the_last(plans[protocol], language, mode)
    found = cell.say(Line(cell.words[wish], wish))
    assert found.utterances[-1].kind == EntryKind.LAST_QUESTION
    assert found.status not in ENDED


@pytest.mark.parametrize("protocol", CLOSING)
@each("answers", ["no", "fully"])
@each("language", LANGUAGES)
def test_who_has_time_for_one_more_gets_the_closing_question_and_the_end(
    plans, protocol, language, answers
):
    cell = Cell(plans[protocol], language, "model")
    told = cell.words["answer"] if answers == "fully" else ""
    heard = f"{answers} last_one"
    found = cell.say(Line(f"{told} {cell.words['last_one']}", parse(heard).intent, heard=heard))
    assert found.utterances[-1].kind == EntryKind.LAST_QUESTION
    assert cell.run.lines[-1 - len(found.utterances)].kind == (
        EntryKind.USER_ANSWER if told else EntryKind.SKIP
    )
    ended = cell.say(Line(cell.words["answer"]))
    assert (ended.status, ended.reason) == (SessionStatus.STOPPED, "last_answered")
    assert closing_questions(cell) == 1


@pytest.mark.parametrize("protocol", CLOSING)
def test_the_last_answer_with_a_wish_to_stop_gets_no_closing_question(plans, protocol):
    cell = to_the_last(plans[protocol], "en", "model")
    again = Cell(plans[protocol], "en", "model")
    before = len(cell.run.moves) - 3  # all answers but the last one, and the first
    for number in range(before):
        again.say(Line(answer(again, number)))
    ended = again.say(Line(f"{answer(again, before)} {again.words['stop']}", heard="fully stop"))
    assert ended.status == SessionStatus.COMPLETED
    assert closing_questions(again) == 0
