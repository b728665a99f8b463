"""What the interviews of a bot have in common: their codes as themes, all of it counted from rows.

A theme is a code with its excerpts, those of the codes below it included. Quotes are cut out of the
answers, so that none can be invented; whoever withdraws leaves every count.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import Any
from uuid import UUID

from interviews.choices import NO_ANSWER, EntryKind
from interviews.engine.contact_data.masking import without_marks
from interviews.engine.language.lists import in_words_of
from interviews.engine.language.terms import LEAST, WORDS
from interviews.exports.cursors import NOBODY
from interviews.exports.planned import planned_questions, section_of, sections_by_question
from interviews.exports.pseudonyms import pseudonym
from interviews.exports.selection import Selection
from interviews.exports.utterances import OpenQuestionTracker
from interviews.models import Session, TranscriptEntry, Turn
from llm.languages import language_name
from plans.models import Bot
from plans.models.experiment import study_of
from plans.similarity import is_filler
from reflections.coding.codebook import in_levels, path_of, selected_codes
from reflections.evidence.material import ASIDE, CARE
from reflections.models import CodebookCode, Excerpt

ARM, LANGUAGE = "arm", "language"
FIELD = "field:"  # before the key of a field of the start page, which may be one of these two
FREQUENT = 12  # words of a question
NEGATED = re.compile(r"(?<!\w)\w++(?<=n)['’]t\b")  # “didn't”, which would count as “didn”
DONE = Turn.Status.DONE
Place = tuple[str, str]  # of a question: its section and key


@dataclass(frozen=True)
class ThemeQuote:
    person: UUID  # who said it, or the interview if nobody knows
    session: UUID
    position: int
    start: int
    text: str
    against: bool

    @property
    def who(self) -> str:
        """The pseudonym of who said it, or what the interview's id begins with."""
        return str(self.session)[:8] if self.person == self.session else pseudonym(self.person)


@dataclass(frozen=True)
class Theme:
    code: CodebookCode
    depth: int
    quotes: tuple[ThemeQuote, ...]

    @cached_property
    def backing(self) -> frozenset[UUID]:
        """Who supports it; some may also speak against it."""
        return frozenset(one.person for one in self.quotes if not one.against)

    @cached_property
    def against(self) -> frozenset[UUID]:
        return frozenset(one.person for one in self.quotes if one.against)

    def counts(self, people: Iterable[UUID]) -> tuple[int, int, int]:
        """Return how many of these people only support it, say both, only speak against it."""
        people = {*people}
        both = self.backing & self.against & people
        return (len((self.backing & people) - both), len(both), len((self.against & people) - both))


@dataclass(frozen=True)
class QuestionWords:
    question: str
    people: int  # who answered it
    words: Sequence[tuple[str, int]]  # with the number of people who used each


@dataclass(frozen=True)
class Findings:
    people: frozenset[UUID]
    coded: frozenset[UUID]  # of whom anything is coded
    groups: Mapping[str, frozenset[UUID]]
    themes: Sequence[Theme]
    questions: Sequence[QuestionWords]
    damaged: int  # excerpts whose place isn't in the answer

    @property
    def quotes(self) -> int:
        return len({(q.session, q.position, q.text) for one in self.themes for q in one.quotes})


def findings(selection: Selection, by: str = "") -> Findings:
    """Return what was found; `by` compares arms, languages or a field of the start page."""
    sessions = selection.with_content().select_related("participant", "assignment__arm__experiment")
    answered = TranscriptEntry.objects.filter(kind=EntryKind.USER_ANSWER, turn__status=DONE)
    sessions = sessions.filter(pk__in=answered.values("session"))
    told = {one.pk: one for one in sessions}
    person = {key: one.participant_id or key for key, one in told.items()}
    groups = defaultdict[str, set[UUID]](set)
    for key, name in _group_names(told, by).items():
        if name:
            groups[name].add(person[key])
    codes = selected_codes(selection)
    rows = Excerpt.objects.filter(session__in=told, code__in=codes, entry__turn__status=DONE)
    rows = rows.exclude(entry__turn__decision__reason__in=CARE).select_related("entry")
    coded, damaged = defaultdict[int, list[Excerpt]](list), 0
    for row in rows.order_by("session__started_at", "session", "entry__position", "start"):
        if row.end > len(row.entry.text) or not row.quote.strip():
            damaged += 1
            continue
        for above in path_of(codes[row.code_id], codes):
            coded[above.pk].append(row)
    return Findings(
        people=frozenset(person.values()),
        coded=frozenset(person[row.session_id] for rows in coded.values() for row in rows),
        groups={name: frozenset(groups[name]) for name in sorted(groups)},
        themes=[
            Theme(code, depth, _quotes(coded[code.pk], person)) for depth, code in in_levels(codes)
        ],
        questions=_frequencies(told, person),
        damaged=damaged,
    )


def study_selection(bot: Bot, user: Any, **filters: Any) -> Selection:
    """Return the interviews of the bot and of the other arms of its experiments."""
    bots = [*study_of(bot)]
    if len(bots) == 1:
        return Selection(bot=bot.pk, user=user, **filters)
    keys = Session.objects.filter(bot__in=bots).order_by().values_list("pk", flat=True)
    return Selection(sessions=tuple(keys) or (NOBODY,), user=user, **filters)


def main_language(selection: Selection) -> str:
    """Return the language that most of the interviews were held in."""
    told = selection.with_content().values_list("language", flat=True)
    return next((language for language, _ in Counter(told).most_common(1)), "en")


def groupings(selection: Selection) -> list[tuple[str, str]]:
    """Return by what the interviews can be compared: key and label."""
    sessions = selection.with_content().order_by()
    fields = dict.fromkeys(
        key for answers in sessions.values_list("start_answers", flat=True) for key in answers
    )
    known = [(LANGUAGE, "Language"), *((f"{FIELD}{key}", _label(key)) for key in fields)]
    return [(ARM, "Arm"), *known] if sessions.filter(assignment__isnull=False).exists() else known


def _label(field: str) -> str:
    return f"{field.capitalize()} (given)" if field in (ARM, LANGUAGE) else field.capitalize()


def _group_names(told: Mapping[UUID, Session], by: str) -> dict[UUID, str]:
    if by == ARM:
        return _arm_names(told)
    if by == LANGUAGE:
        return {key: language_name(session.language) for key, session in told.items()}
    field = by.removeprefix(FIELD)
    return {key: session.start_answers.get(field, "") for key, session in told.items()}


def _arm_names(told: Mapping[UUID, Any]) -> dict[UUID, str]:
    """Return the names of arms, with the experiment's address where there are several."""
    arms = {key: one.assignment.arm for key, one in told.items() if hasattr(one, "assignment")}
    several = len({arm.experiment_id for arm in arms.values()}) > 1
    return {
        key: f"{arm.experiment.slug}: {arm.name}" if several else arm.name
        for key, arm in arms.items()
    }


def _quotes(rows: Iterable[Excerpt], person: Mapping[UUID, UUID]) -> tuple[ThemeQuote, ...]:
    quotes = (
        ThemeQuote(
            person[row.session_id],
            row.session_id,
            row.entry.position,
            row.start,
            row.quote,
            row.against,
        )
        for row in rows
    )
    return tuple(dict.fromkeys(quotes))


def _frequencies(told: Mapping[UUID, Session], person: Mapping[UUID, UUID]) -> list[QuestionWords]:
    """Count for each question the people who used each word, common words left out."""
    entries = TranscriptEntry.objects.filter(session__in=told, turn__status=DONE)
    entries = entries.exclude(turn__decision__reason__in=CARE).order_by("session", "position")
    used = defaultdict[Place, dict[str, set[UUID]]](lambda: defaultdict(set))
    answered, texts = defaultdict[Place, set[UUID]](set), dict[Place, str]()
    before, question, tracker = None, "", OpenQuestionTracker()
    fields = ("session", "role", "kind", "text", "question", "number", "turn__decision__reason")
    for key, role, kind, text, asked, number, reason in entries.values_list(*fields).iterator():
        if key != before:
            question, before, tracker = "", key, OpenQuestionTracker()
        tracker.update(role, kind, asked, number)
        question = asked or ("" if kind in ASIDE else question)
        if kind != EntryKind.USER_ANSWER or not question or reason in NO_ANSWER:
            continue
        sections = sections_by_question(told[key].plan_id, told[key].language)
        place = section_of(sections, tracker.number, question), question
        answered[place].add(person[key])
        for word in _telling_words(text, told[key].language):
            used[place][word].add(person[key])
    for session in told.values():
        for one in planned_questions(session.plan_id, session.language):
            texts.setdefault((one.section, one.key), one.text)
    return [
        QuestionWords(
            texts.get(place, place[1]),
            len(people),
            Counter({word: len(who) for word, who in used[place].items()}).most_common(FREQUENT),
        )
        for place, people in answered.items()
    ]


def spread(quotes: Iterable[ThemeQuote], most: int) -> list[ThemeQuote]:
    """Return so many quotes at most, first one of each participant."""
    seen = Counter[UUID]()
    rounds: list[tuple[int, ThemeQuote]] = []
    for one in quotes:
        seen[one.person] += 1
        rounds.append((seen[one.person], one))
    return [one for _, one in sorted(rounds, key=itemgetter(0))[:most]]


def _telling_words(text: str, language: str) -> set[str]:
    common = in_words_of(language, "common")
    said = NEGATED.sub(" ", without_marks(text).casefold())
    words = (word for word in WORDS.findall(said) if len(word) >= LEAST)
    return {word for word in words if not (is_filler(word) or common.fullmatch(word))}
