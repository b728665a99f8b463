"""Life stories that were told, in several languages, for tests of what is made of them."""

from collections.abc import Sequence
from itertools import count

from interviews.choices import EntryKind
from interviews.models import Session
from plans.jobs import MOST_ATTEMPTS
from plans.models import Bot, Question, Script, Section
from reflections import jobs
from reflections.models import Reflection
from tests.factories import AnswerFactory, EntryFactory, SessionFactory, TurnFactory
from tests.reflections.held import again, wished

SECTIONS = {
    "en": (("early-years", "Early years"), ("work", "Work")),
    "it": (("early-years", "I primi anni"), ("work", "Il lavoro")),
    "ru": (("early-years", "Ранние годы"), ("work", "Дело")),
}
ANSWERS = {
    "en": (
        "We lived over a bakery in Riga, the five of us in two rooms, until I was seven.",
        "My grandmother taught me to read before school, from the labels of jam jars.",
        "At nineteen I began in a print shop, and I stayed there for eleven years.",
        "I left when the presses were sold, and I opened a workshop of my own.",
    ),
    "it": (
        "Abitavamo sopra un forno a Lucca, in cinque in due stanze, fino ai miei sette anni.",
        "La nonna mi ha insegnato a leggere prima della scuola, dalle etichette dei vasetti.",
        "A diciannove anni ho cominciato in tipografia, e ci sono rimasto undici anni.",
        "Sono andato via quando hanno venduto le macchine, e ho aperto una mia bottega.",
    ),
    "ru": (
        "Мы жили над пекарней в Риге, впятером в двух комнатах, пока мне не исполнилось семь.",
        "Бабушка научила меня читать ещё до школы, по этикеткам на банках с вареньем.",
        "В девятнадцать лет я начал в типографии и проработал там одиннадцать лет.",
        "Я ушёл, когда продали станки, и открыл свою мастерскую.",
    ),
}


def story_bot(language: str = "en", questions: int = 2) -> Bot:
    """A live life-story bot of two sections with so many questions each."""
    number = Script.objects.count() + 1
    script = Script.objects.create(
        name=f"Story {number}", language=language, intro="Hello.", outro="Thank you."
    )
    for place, (key, title) in enumerate(SECTIONS[language]):
        section = Section.objects.create(script=script, key=key, title=title, position=place)
        for i in range(questions):
            text = f"What about {title}, part {i + 1}?"
            Question.objects.create(
                section=section, key=f"{key}-{i + 1}", text=text, objective=text, position=i
            )
    bot = Bot.objects.create(slug=f"story-{number}", title="A life", status="live", host="Us")
    bot.scripts.add(script)
    return bot


def told_story(language: str = "en", answers: Sequence[str] = ()) -> Session:
    """An interview in which these answers were given to the questions of two sections; when there
    are more answers than four, to more questions."""
    said = list(answers or ANSWERS[language])
    bot = story_bot(language, max(2, -(-len(said) // 2)))
    session = SessionFactory(bot=bot, language=language)
    questions = session.plan.content["material"]["scripts"][language]["questions"]
    turn = TurnFactory(session=session, trigger="opening")
    for number, text, question in zip(count(1), said, questions, strict=False):
        EntryFactory(
            turn=turn,
            kind=EntryKind.SCRIPTED_QUESTION,
            text=question["text"],
            question=question["key"],
            number=number,
        )
        turn = TurnFactory(session=session)
        AnswerFactory(turn=turn, text=text)
    return session


def position_of(session: Session, words: str) -> int:
    """Where somebody said that."""
    return session.entries.get(text__contains=words).position


def product(session: Session, name: str) -> Reflection:
    """That product, made now."""
    row = session.reflections.filter(name=name).first() or wished(session, name)
    jobs.make(row.pk)
    return again(row)


def at_last(row: Reflection) -> Reflection:
    """The same after its last attempt."""
    Reflection.objects.filter(pk=row.pk).update(attempts=MOST_ATTEMPTS - 1, claimed_until=None)
    jobs.make(row.pk)
    return again(row)


def told(row: Reflection) -> dict[str, list[str]]:
    """Its statements by the titles of their sections."""
    sections = row.content["sections"]
    return {one["title"]: [said["text"] for said in one["statements"]] for one in sections}


def quotes(row: Reflection) -> list[tuple[int, str]]:
    """All its quotes."""
    statements = [said for one in row.content["sections"] for said in one["statements"]]
    return [(one["position"], one["text"]) for said in statements for one in said["quotes"]]


def checks(row: Reflection) -> list[str]:
    """What was found in what the model wrote."""
    return [one["check"] for one in row.content["findings"]]
