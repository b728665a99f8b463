"""How a study was led, in figures and as a paragraph: everything counted, nothing from a model."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from statistics import median
from typing import Any

from django.conf import settings
from django.db.models import Count, Max, Min, Q

from interviews.choices import ACTIVE, EntryKind, SessionStatus
from interviews.exports.selection import Selection
from interviews.exports.tables.consents import consents
from interviews.models import Consent, TranscriptEntry, Turn
from llm.languages import language_name
from llm.models import LLMCall
from llm.tasks.records import CallOutcome
from plans.protocols import PROTOCOLS

BATCH = 500  # sessions
USABLE = (CallOutcome.OK, CallOutcome.REPAIRED)
BY_MODEL = ("model", "fallback_model")


@dataclass(frozen=True)
class PromptUse:
    """Calls of one task to one model with one version of its prompt."""

    task: str
    prompt_version: str
    provider: str
    model: str
    calls: int
    failed: int
    first: datetime
    last: datetime


@dataclass(frozen=True)
class MethodsFacts:
    statuses: Counter[str]
    languages: Counter[str]
    protocols: Counter[str]
    plans: int
    arms: Counter[tuple[str, str]]  # by experiment and name
    first: date | None
    last: date | None
    minutes: Sequence[float]  # of completed interviews, pauses left out
    answers: Sequence[int]  # of completed interviews
    consents: Counter[tuple[str, str, str]]  # by decision, version and language
    knows_declined: bool  # they have no interview, so a choice of interviews leaves them out
    models: Sequence[PromptUse]
    unlogged: int  # interviews in which a model worded replies and whose calls are deleted
    synthetic: bool
    previews: bool

    @property
    def started(self) -> int:
        return sum(self.statuses.values())


def methods_facts(selection: Selection) -> MethodsFacts:
    fields = ("pk", "status", "language", "plan_id", "plan__protocol", "started_at", "away_total")
    arm = ("assignment__arm__experiment__slug", "assignment__arm__name")
    rows = list(selection.queryset().values_list(*fields, *arm))
    completed = [row for row in rows if row[1] == SessionStatus.COMPLETED]
    told = _told([row[0] for row in completed])
    days = [row[5].date() for row in rows]
    decisions = consents(selection).values_list("decision", "text__digest", "text__language")
    return MethodsFacts(
        statuses=Counter(row[1] for row in rows),
        languages=Counter(row[2] for row in rows),
        protocols=Counter(row[4] for row in rows),
        plans=len({row[3] for row in rows}),
        arms=Counter(row[7:] for row in rows if row[8]),
        first=min(days, default=None),
        last=max(days, default=None),
        minutes=[
            max(0.0, (told[key][0] - began).total_seconds() - away) / 60
            for key, _, _, _, _, began, away, *_ in completed
            if key in told
        ],
        answers=[told[row[0]][1] if row[0] in told else 0 for row in completed],
        consents=Counter((what, digest[:8], tag) for what, digest, tag in decisions),
        knows_declined=not (selection.sessions or selection.statuses),
        models=_model_uses(row[0] for row in rows),
        unlogged=_unlogged([row[0] for row in rows]),
        synthetic=selection.synthetic,
        previews=selection.previews,
    )


def _told(keys: Sequence[Any]) -> dict[Any, tuple[datetime, int]]:
    """Return the time of the last utterance and the number of answers, by session."""
    found = {}
    for some in _batches(keys):
        entries = TranscriptEntry.objects.filter(session__in=some).order_by().values("session")
        answers = Count("pk", filter=Q(kind=EntryKind.USER_ANSWER))
        for row in entries.annotate(last=Max("at"), answers=answers):
            found[row["session"]] = (row["last"], row["answers"])
    return found


def _batches(keys: Sequence[Any]) -> Iterator[Sequence[Any]]:
    return (keys[first : first + BATCH] for first in range(0, len(keys), BATCH))


def _model_uses(sessions: Iterable[Any]) -> list[PromptUse]:
    by = ("task", "template_version", "provider", "model")
    found: dict[tuple[str, ...], PromptUse] = {}
    for some in _batches([*map(str, sessions)]):
        calls = LLMCall.objects.filter(session__in=some).order_by().values(*by)
        failed = Count("pk", filter=~Q(outcome__in=USABLE))
        counted = calls.annotate(
            n=Count("pk"), bad=failed, f=Min("created_at"), l=Max("created_at")
        )
        for *key, count, bad, first, last in counted.values_list(*by, "n", "bad", "f", "l"):
            use = found.get(tuple(key))
            if use:
                count, bad = count + use.calls, bad + use.failed
                first, last = min(first, use.first), max(last, use.last)
            task, version, provider, model = key
            found[tuple(key)] = PromptUse(
                task, version, provider, model, calls=count, failed=bad, first=first, last=last
            )
    return [found[key] for key in sorted(found)]


def _unlogged(keys: Sequence[Any]) -> int:
    found = 0
    for some in _batches(keys):
        turns = Turn.objects.filter(session__in=some, source__in=BY_MODEL).order_by()
        calls = LLMCall.objects.filter(session__in=[*map(str, some)]).order_by()
        logged = set(calls.values_list("session", flat=True).distinct())
        worded = turns.values_list("session", flat=True).distinct()
        found += sum(str(key) not in logged for key in worded)
    return found


# -- the paragraph


def paragraph(facts: MethodsFacts) -> str:
    """Return the methods in plain English, as far as the site knows them."""
    if not facts.started:
        return "No interviews were selected."
    parts = (_interviews, _outcomes, _lengths, _consents, _models, _left_out)
    return " ".join(filter(None, (part(facts) for part in parts)))


def _interviews(facts: MethodsFacts) -> str:
    when = (
        f"on {facts.first}" if facts.first == facts.last else f"from {facts.first} to {facts.last}"
    )
    kinds = _listed(
        (str(PROTOCOLS[name].title).lower() if name in PROTOCOLS else name, count)
        for name, count in facts.protocols.most_common()
    )
    tags = _listed((language_name(tag), count) for tag, count in facts.languages.most_common())
    several = len({experiment for experiment, _ in facts.arms}) > 1
    named = [
        (f"{experiment}: {arm}" if several else arm, count)
        for (experiment, arm), count in sorted(facts.arms.items())
    ]
    arms = f" They were assigned to these arms: {_listed(named)}."
    return (
        f"{_count(facts.started, 'interview')} began {when} (UTC), led in writing by Interviewsite "
        f"{settings.VERSION} under {_count(facts.plans, 'version')} of the interview plan. "
        f"By kind of interview: {kinds}. By language: {tags}.{arms if facts.arms else ''}"
    )


def _outcomes(facts: MethodsFacts) -> str:
    ended = {
        "completed": facts.statuses[SessionStatus.COMPLETED],
        "ended by the participant before the end": facts.statuses[SessionStatus.STOPPED],
        "replaced by a new start": facts.statuses[SessionStatus.ARCHIVED],
        "withdrawn and deleted": facts.statuses[SessionStatus.WITHDRAWN],
        "left unfinished": sum(facts.statuses[status] for status in ACTIVE),
    }
    listed = [
        f"{n} {_share(n, facts.started)} {'was' if n == 1 else 'were'} {how}"
        for how, n in ended.items()
        if n
    ]
    return f"Of these, {_joined(listed)}."


def _lengths(facts: MethodsFacts) -> str:
    if not facts.minutes:
        return ""
    return (
        f"Completed interviews took a median of {median(facts.minutes):.0f} minutes, pauses left "
        f"out (range {min(facts.minutes):.0f} to {max(facts.minutes):.0f}), and had a median of "
        f"{median(facts.answers):g} answers (range {min(facts.answers)} to {max(facts.answers)})."
    )


def _consents(facts: MethodsFacts) -> str:
    if not facts.consents:
        return "No consent text was shown by the site."
    agreed, declined = (
        Counter({key[1:]: n for key, n in facts.consents.items() if key[0] == decision})
        for decision in (Consent.Decision.AGREED, Consent.Decision.DECLINED)
    )
    versions = _listed(
        (f"version {version} in {language_name(tag)}", count)
        for (version, tag), count in agreed.most_common()
    )
    by = f" ({versions})" if agreed else ""
    others = f"; {_count(declined.total(), 'person', 'people')} declined"
    return (
        f"Agreement to a consent text was recorded {_count(agreed.total(), 'time')} before an "
        f"interview{by}{others if facts.knows_declined else ''}."
    )


def _models(facts: MethodsFacts) -> str:
    if not facts.models and not facts.unlogged:
        return "No language model was called: questions followed the script and rules."
    return " ".join(filter(None, (_calls(facts), _deleted_calls(facts))))


def _calls(facts: MethodsFacts) -> str:
    if not facts.models:
        return ""
    calls, failed = Counter[str](), 0
    for use in facts.models:
        calls[f"{use.model} ({use.provider})"] += use.calls
        failed += use.failed
    total = calls.total()
    return (
        f"Language models were called {_count(total, 'time')}, after the interviews included: "
        f"{_listed(calls.most_common())}; {failed:,} of these calls {_share(failed, total)} failed "
        f"or {'was' if failed == 1 else 'were'} cancelled."
    )


def _deleted_calls(facts: MethodsFacts) -> str:
    if not facts.unlogged:
        return ""
    return (
        f"For {_count(facts.unlogged, 'interview')} in which a language model worded replies, the "
        "log of calls has been deleted."
    )


def _left_out(facts: MethodsFacts) -> str:
    left = {"previews": facts.previews, "interviews answered by programs": facts.synthetic}
    names = [name for name, included in left.items() if not included]
    return f"{_joined(names).capitalize()} are left out." if names else ""


def _count(number: int, noun: str, plural: str = "") -> str:
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def _share(number: int, total: int) -> str:
    return f"({100 * number / total:.0f}%)"


def _listed(counts: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts)


def _joined(parts: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))
