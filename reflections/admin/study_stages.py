"""The stages from interviews to a report on their findings, as its page shows them."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.template.defaultfilters import pluralize
from django.urls import reverse

from interviews.choices import ENDED
from interviews.models import Session
from llm.routing.routes import has_model
from plans.jobs import UNDER_WAY, Job
from plans.models import Bot
from reflections.coding import suggestions
from reflections.coding.codebook import Codes, CodingRefused, codes_of
from reflections.models import CodeSuggestions, Excerpt, StudyReport, ThemeSuggestions
from reflections.reviews import review_of
from reflections.themes import theme_suggestions, written
from reflections.themes.findings import study_selection

FAILED = Job.Status.FAILED
NO_REPORT = "A model writes statements on each theme, with numbered quotes. You review each."


@dataclass(frozen=True)
class Stage:
    """One stage: its state, and what can be done, by a button or a link."""

    name: str
    state: str
    busy: bool = False
    button: str = ""
    link: str = ""
    label: str = ""  # of the link
    proposals: Sequence[tuple[int, str]] = ()  # keys and texts


@dataclass(frozen=True)
class StudyStages:
    """How far a study is. Only jobs are looked at, until `stages` reads what they have made."""

    bot: Bot
    user: Any
    may_code: bool
    jobs: Counter[str]  # code suggestions by status
    themes: ThemeSuggestions | None
    report: StudyReport | None
    refused: str  # why there is no report to be seen
    polled: bool  # asked for again and again

    @property
    def reading(self) -> int:
        return sum(self.jobs[status] for status in UNDER_WAY)

    @property
    def busy(self) -> bool:
        return bool(self.reading) or any(map(_under_way, (self.themes, self.report)))

    @property
    def seen(self) -> str:
        """A hash of how far the jobs are, which changes when something is to be shown."""
        rows = [
            (row.status, row.reason, row.finished_at) if row else None
            for row in (self.themes, self.report)
        ]
        state = repr((sorted(self.jobs.items()), rows))
        return hashlib.sha256(state.encode()).hexdigest()[:16]

    @property
    def has_model(self) -> bool:
        return has_model()

    @cached_property
    def stages(self) -> list[Stage]:
        codes = codes_of(self.bot, self.user)
        return [self._read(), self._decide(), self._order(codes), self._write(len(codes))]

    def _read(self) -> Stage:
        left = unread(self.bot, self.user).count()
        told = self.jobs.total() + left - self.jobs[FAILED]
        if not told:
            return Stage("read", "No interview has ended yet.")
        state = f"A model has read {self.jobs[Job.Status.READY]} of {_interviews(told)}."
        if self.reading:
            state += f" {_interviews(self.reading)} to go."
        if failed := self.jobs[FAILED]:
            state += f" {failed} failed."
        button = f"Suggest codes for {_interviews(left)}" if left else ""
        return Stage("read", state, bool(self.reading), self._offered(button))

    def _decide(self) -> Stage:
        coded = Excerpt.objects.filter(session__in=_told(self.bot, self.user)).count()
        state = f"{coded} passage{pluralize(coded)} coded."
        if self.polled and self.reading:  # all suggestions of a study are many
            link = reverse("admin:interviews_session_findings", args=[self.bot.pk])
            return Stage("decide", state, link=link, label="Count suggestions")
        rows = _suggestions(self.bot, self.user).exclude(status__in=UNDER_WAY)
        waiting = [(row.session_id, len(suggestions.open_suggestions(row))) for row in rows]
        open_ = [(session, count) for session, count in waiting if count]
        if not open_:
            return Stage("decide", f"{state} No suggestions wait.")
        total = sum(count for _, count in open_)
        state += f" {_waiting(total)} in {_interviews(len(open_))}."
        link = reverse("admin:interviews_session_coding", args=[open_[0][0]]) + "#suggestions"
        return Stage("decide", state, link=link, label="Decide on the next")

    def _order(self, codes: Codes) -> Stage:
        row = self.themes
        busy = _under_way(row)
        found = theme_suggestions.open_proposals(row, codes)
        state = f"{len(codes)} code{pluralize(len(codes))}."
        if busy:
            state += f" {row.reason if row and row.reason else 'A model reads the codebook.'}"
        elif row and row.status == FAILED:
            state += f" {row.reason}"
        elif row:
            state += f" {_waiting(len(found))}."
            if left_out := theme_suggestions.proposals_in(row).unfounded:
                state += f" Left out, for they can’t be carried out: {left_out}."
        enough = len(codes) >= theme_suggestions.FEWEST and not busy
        button = self._offered("Suggest themes" if enough else "")
        views = [(one.key, _in_words(one, codes)) for one in found]
        return Stage("order", state, busy, button, proposals=() if busy else views)

    def _write(self, codes: int) -> Stage:
        row = self.report
        if self.refused:
            return Stage("write", self.refused)
        busy = _under_way(row)
        link = reverse("admin:interviews_session_study_report", args=[self.bot.pk])
        link, label = (link, "Read and review") if row and row.content else ("", "")
        if busy:
            state = row.reason if row and row.reason else "A model writes the report."
        elif row and row.status == FAILED:
            state = row.reason
        elif row and row.finished_at:
            review = review_of(row).get_state_display().lower()
            state = f"Report of {row.finished_at:%-d %B %Y}: {review}."
        else:
            state = NO_REPORT
        button = "" if busy or link or not codes else "Write report"
        return Stage("write", state, busy, self._offered(button), link, label)

    def _offered(self, button: str) -> str:
        return button if self.may_code and has_model() else ""


def study_stages(bot: Bot, user: Any, may_code: bool, polled: bool) -> StudyStages:
    jobs = _suggestions(bot, user).order_by().values_list("status").annotate(Count("pk"))
    report, refused = None, ""
    try:
        report = written.report_of(bot, user)
    except CodingRefused as why:
        refused = str(why)
    themes = theme_suggestions.suggestions_of(bot)
    return StudyStages(bot, user, may_code, Counter(dict(jobs)), themes, report, refused, polled)


def unread(bot: Bot, user: Any) -> QuerySet[Session]:
    """Return the interviews that no model has read, or could read, for codes."""
    ended = study_selection(bot, user, statuses=tuple(map(str, ENDED))).queryset()
    return ended.filter(Q(code_suggestions=None) | Q(code_suggestions__status=FAILED))


def _suggestions(bot: Bot, user: Any) -> QuerySet[CodeSuggestions]:
    rows = CodeSuggestions.objects.filter(session__in=_told(bot, user))
    return rows.order_by("session__started_at", "pk")


def _told(bot: Bot, user: Any) -> QuerySet[Session, Any]:
    return study_selection(bot, user).with_content().order_by().values("pk")


def _under_way(row: Job | None) -> bool:
    return row is not None and row.status in UNDER_WAY


def _waiting(count: int) -> str:
    return f"{count} suggestion{pluralize(count)} wait{pluralize(count, 's,')}"


def _interviews(count: int) -> str:
    return f"{count} interview{pluralize(count)}"


def _in_words(proposal: theme_suggestions.Proposal, codes: Codes) -> str:
    code = codes[proposal.code].name
    above = codes[proposal.into].name if proposal.into else proposal.name
    if proposal.kind == "merge":
        return f"Merge “{code}” into “{above}”"
    return f"“{code}” below “{above}”{'' if proposal.into else ', a new theme'}"
