"""Interviews and questionnaires for tests of calibrations."""

from interviews.choices import EntryKind
from interviews.models import Session
from plans.bots.compile import plan_for
from plans.models import Question, Script, Section
from reflections.calibration.types import QuestionnaireItem, QuestionnaireOptions
from reflections.models import Expert
from tests.conftest import make_bot
from tests.factories import AnswerFactory, EntryFactory, SessionFactory, TurnFactory

SECTIONS = ("Home", "Work", "Later")
# Each answer has words that no other one has.
SAID = (
    "We lived in a lighthouse near Vadso with my aunt Solveig.",
    "I walked to school through juniper and fog with a lantern.",
    "My first work was mending herring nets for old Ragnhild.",
    "I became a piano tuner because the silence suited me.",
    "Money went into a blue biscuit tin behind the stove.",
    "My friend Tobias taught me chess in the boathouse.",
    "The journey to Lisbon changed what I thought of heat.",
    "I sing in a quartet every Thursday, mostly Schubert.",
    "The winter of the broken pipes taught us patience.",
    "Letters from Magda are still in my top drawer.",
    "In the garden I grow quince and far too much sorrel.",
    "What matters now is unhurried breakfasts with my grandson.",
)


def make_script_bot(count: int = len(SAID), **changes):
    """A bot whose script has so many questions in three sections."""
    bot = make_bot(questions=0, **changes)
    script = bot.scripts.get()
    script.sections.all().delete()
    for place, title in enumerate(SECTIONS):
        _section(script, place, title, count)
    return bot


def _section(script: Script, place: int, title: str, count: int) -> None:
    section = Section.objects.create(script=script, key=title.lower(), title=title, position=place)
    share = count // len(SECTIONS)
    for i in range(place * share, (place + 1) * share):
        Question.objects.create(
            section=section,
            key=f"q{i + 1}",
            text=f"What would you say of number {i + 1}?",
            objective=f"thing {i + 1}",
            position=i,
        )


def told_session(answers=SAID, bot=None, follow_ups=(), **changes) -> Session:
    """An interview in which these were answered; `follow_ups`: index -> (probe, answer)."""
    bot = bot or make_script_bot(len(answers))
    session = SessionFactory(bot=bot, plan=plan_for(bot), **changes)
    questions = session.plan.content["material"]["scripts"]["en"]["questions"]
    turn = TurnFactory(session=session, trigger="opening")
    EntryFactory(turn=turn, slot=0, kind=EntryKind.INTRO, text="Hello.")
    more = dict(follow_ups)
    for number, (question, said) in enumerate(zip(questions, answers, strict=True), 1):
        _asked(turn, number, question)
        turn = _answered(session, said)
        if number - 1 in more:
            probe, again = more[number - 1]
            EntryFactory(turn=turn, kind=EntryKind.FOLLOW_UP, text=probe, question=question["key"])
            turn = _answered(session, again)
    EntryFactory(turn=turn, kind=EntryKind.OUTRO, text="Goodbye.")
    return session


def _asked(turn, number: int, question: dict) -> None:
    EntryFactory(
        turn=turn,
        kind=EntryKind.SCRIPTED_QUESTION,
        text=question["text"],
        question=question["key"],
        number=number,
    )


def _answered(session: Session, said: str):
    turn = TurnFactory(session=session)
    AnswerFactory(turn=turn, text=said)
    return turn


def make_expert(key: str = "listener") -> Expert:
    """The only expert that there is."""
    Expert.objects.all().delete()
    return Expert.objects.create(
        key=key, name="Listener", looks_for="how they speak", instructions="Listen closely."
    )


def forty_items() -> tuple[QuestionnaireItem, ...]:
    """Forty items, all answered twice and 35 of them alike."""
    return tuple(
        QuestionnaireItem(
            key=f"i{i}",
            text=f"Statement number {i:02} here",
            options=("yes", "no", "never"),
            answer="yes",
            again="yes" if i < 35 else "no",
        )
        for i in range(40)
    )


def knows(count: int) -> str:
    """Words from which the first so many of the forty are known."""
    return "; ".join(f"Statement number {i:02} here: yes" for i in range(count))


def options(items=None) -> QuestionnaireOptions:
    """A questionnaire to be asked for."""
    return QuestionnaireOptions(items=items or forty_items())
