"""One interview with one of the people, led in the hand."""

from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from interviews.choices import ENDED, EntryKind, SessionStatus, SpeakerRole
from interviews.engine.context import TranscriptLine, Trigger, TurnContext
from interviews.engine.protocol import AnyProtocol
from interviews.engine.result import AnyResult
from interviews.protocols import PROTOCOLS
from plans.protocols import PlanContent
from tests.interviews.protocols.leading import Leading, offline
from tests.transcripts.model import ScriptedModel
from tests.transcripts.people import ENGLISH, Line, Person, in_words_of, words_of

AWAY = 600.0  # seconds of a pause
MOST = 40  # answers, confirmations included
REPLIES = {  # what anybody says to what isn't about the subject
    EntryKind.DEEP_OFFER: Line("Yes, a little more is fine."),
    EntryKind.CONSENT_REQUEST: Line("No, thank you."),
    EntryKind.DATA_REQUEST: Line("No, I'd rather leave that out."),
}
YES, NO = Line("Yes, please."), Line("No, I didn't mean that. Go on.")


@dataclass
class Interview(Leading[Any, Any]):
    """An interview by a whole plan."""

    made: PlanContent[Any]
    name: str = "Robin"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.intro = self.protocol.intro(self.here("", "opening"))
        if self.intro:
            said = TranscriptLine(SpeakerRole.INTERVIEWER, self.intro.kind, self.intro.text)
            self.lines.insert(0, said)

    @property
    def protocol(self) -> AnyProtocol:  # type: ignore[override]
        return PROTOCOLS[self.made.protocol]

    def planned(self) -> PlanContent[Any]:
        return self.made

    def here(self, text: str, trigger: Trigger = "user_answer") -> TurnContext[Any, Any]:
        return replace(super().here(text, trigger), material=self.plan.material)

    @property
    def ended(self) -> bool:
        return self.last.status in ENDED


@dataclass
class Played:
    person: Person
    run: Interview
    exchanges: list[tuple[Line, AnyResult]] = field(default_factory=list)


def play(
    plan: PlanContent[Any], person: Person, mode: str, seed: int = 1, language: str = ENGLISH
) -> Played:
    """Lead the interview through all of the person's lines; `mode` is floor, model or bad."""
    name = f"{seed}:{plan.protocol}:{person.name}"
    scripted = ScriptedModel(plan, name, bad=mode == "bad", language=language)
    run = Interview(plan, model=offline if mode == "floor" else scripted, language=language)
    played, words = Played(person, run), words_of(person, plan.protocol, language)
    for step in person.lines:
        if run.ended or len(played.exchanges) >= MOST:
            break
        own = isinstance(step, str)
        line = words.next(step, _asked(run)) if own else in_words_of(language, step)
        if line is None:
            continue
        _say(played, scripted, line)
        _reply_to_what_came_up(played, scripted, line)
    return played


def _reply_to_what_came_up(played: Played, scripted: ScriptedModel, line: Line) -> None:
    run = played.run
    for attempt in range(3):  # a confirmation, a choice after the care text, data
        reply = None if run.ended else _reply(run, played.person, line, attempt)
        if reply is None:
            return
        _say(played, scripted, in_words_of(run.language, reply))


def _reply(run: Interview, person: Person, line: Line, attempt: int) -> Line | None:
    if run.state.awaiting == "care":
        return person.care_replies[min(attempt, len(person.care_replies) - 1)]
    if run.state.awaiting == "stop" or run.last.reason == "stop_to_confirm":
        if line.intent != "stop":
            return NO
        unsure = line.confirm is not None and line.confirm.intent != "answer"
        return (NO if unsure else YES) if attempt else line.confirm or YES
    return REPLIES.get(run.last.utterances[-1].kind) if run.last.utterances else None


def _say(played: Played, scripted: ScriptedModel, line: Line) -> None:
    run = played.run
    run.away = AWAY if run.last.status == SessionStatus.PAUSED else 0.0
    run.at += timedelta(seconds=run.away)
    run.seconds = 12 + 1.5 * len(line.say.split())
    scripted.hear(line)
    played.exchanges.append((line, run.say(line.say, line.press)))


def _asked(run: Interview) -> list[str]:
    return [line.text for line in run.lines if line.role == "interviewer"]
