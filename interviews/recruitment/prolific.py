"""Prolific's list of submissions beside our interviews. Nothing of the file is stored."""

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

from interviews.choices import SessionStatus
from interviews.models import Session
from plans.models import Bot
from plans.models.eligibility import known_params
from plans.models.experiment import study_of

COLUMNS = {  # what we need, and Prolific's headings for it over the years
    "participant": ("participant id", "participant_id", "prolific id", "prolific_pid"),
    "status": ("status",),
    "code": ("completion code", "completion_code", "entered code", "entered_code"),
}
NO_CODE = ("nocode", "no code", "no code provided")  # in place of one
ASKS_FOR_PAY = ("AWAITING REVIEW", "APPROVED")
GAVE_UP = ("RETURNED", "TIMED-OUT", "TIMED OUT", "REJECTED", "SCREENED OUT")
FINDINGS = {  # by urgency
    "no_interview": "Asks for pay, but has no interview here",
    "unfinished": "Asks for pay, but the interview isn’t finished",
    "wrong_code": "Gave another code than the interview’s",
    "no_code": "Gave no code, though the interview has one",
    "given_up": "Finished here, but not counted there",
    "absent": "Finished here, but not in the file",
}
BEST = (  # of several interviews of one person, the one that counts
    *(SessionStatus.COMPLETED, SessionStatus.STOPPED, SessionStatus.WAITING_ANSWER),
    *(SessionStatus.ASKING, SessionStatus.PAUSED, SessionStatus.INTRO),
)


class NotProlific(ValueError):
    """The file isn't a list of submissions; the message says why."""


@dataclass(frozen=True)
class Submission:
    participant: str
    status: str
    code: str


@dataclass(frozen=True)
class Difference:
    finding: str  # a key of FINDINGS
    participant: str
    status: str  # Prolific's; empty if absent there
    code: str
    session: UUID | None
    state: str  # of our interview, in words


@dataclass(frozen=True)
class Comparison:
    submissions: int
    agreeing: int
    differences: list[Difference]


def read_submissions(text: str) -> list[Submission]:
    """Return the submissions of Prolific's CSV. Raises NotProlific."""
    rows = csv.reader(io.StringIO(text, newline=""))
    try:
        heading = [name.strip().casefold() for name in next(rows, [])]
        places = {part: _place(heading, names) for part, names in COLUMNS.items()}
        found = [
            Submission(**{part: row[at].strip() for part, at in places.items()})
            for row in rows
            if len(row) > max(places.values())
        ]
    except csv.Error as error:
        raise NotProlific(f"The file can’t be read as CSV: {error}.") from error
    if not found:
        raise NotProlific("The file has a heading, but no submission.")
    return [
        replace(one, code="") if one.code.casefold() in NO_CODE else one
        for one in found
        if one.participant
    ]


def _place(heading: list[str], names: Iterable[str]) -> int:
    for name in names:
        if name in heading:
            return heading.index(name)
    wanted = next(iter(names)).capitalize()
    raise NotProlific(
        f"The column “{wanted}” is missing. On Prolific, open the study’s submissions and choose "
        "Download as CSV."
    )


def compare(bot: Bot, submissions: Iterable[Submission]) -> Comparison:
    """Return where Prolific and we disagree, the most urgent first."""
    interviews = _interviews(bot)
    latest = {one.participant.casefold(): one for one in submissions}  # later rows count
    found = []
    for pid, one in latest.items():
        if finding := _finding(one, interviews.get(pid)):
            found.append(_difference(finding, one, interviews.get(pid)))
    absent = [
        _difference("absent", Submission(session["pid"], "", ""), session)
        for pid, session in interviews.items()
        if pid not in latest
        and session["bot"] == bot.pk
        and session["status"] == SessionStatus.COMPLETED
    ]
    order = list(FINDINGS)
    urgent = sorted(found + absent, key=lambda one: (order.index(one.finding), one.participant))
    return Comparison(len(latest), len(latest) - len(found), urgent)


def _interviews(bot: Bot) -> dict[str, dict[str, Any]]:
    param = next(one for one in known_params(bot) if "prolific_pid" in one.spellings)
    # a study has one list for all arms
    rows = Session.objects.filter(bot__in=study_of(bot), preview=False, synthetic=False)
    rows = rows.filter(status__in=BEST)
    best: dict[str, dict[str, Any]] = {}
    for row in rows.order_by("started_at").values("pk", "bot", "status", "params", "reward"):
        pid = (param.stored_in(row["params"]) or "").strip()
        known = best.get(pid.casefold())
        rank = BEST.index(row["status"])
        if pid and (known is None or rank <= BEST.index(known["status"])):
            best[pid.casefold()] = row | {"pid": pid}
    return best


def _difference(
    finding: str, submission: Submission, session: Mapping[str, Any] | None
) -> Difference:
    return Difference(
        finding,
        submission.participant,
        submission.status,
        submission.code,
        session["pk"] if session else None,
        SessionStatus(session["status"]).label if session else "",
    )


def _finding(submission: Submission, session: Mapping[str, Any] | None) -> str:
    status = submission.status.upper()
    rewarded = session is not None and _code(session["reward"])
    finished = session is not None and session["status"] == SessionStatus.COMPLETED
    if status in ASKS_FOR_PAY:
        if session is None:
            return "no_interview"
        if not finished and not rewarded:
            return "unfinished"
        if rewarded and not submission.code:
            return "no_code"
        if rewarded and submission.code.casefold() != rewarded.casefold():
            return "wrong_code"
    return "given_up" if finished and status in GAVE_UP else ""


def _code(reward: Mapping[str, str]) -> str:
    """Return the code that an interview gave, also from Prolific's address."""
    if code := reward.get("code", ""):
        return code
    query = parse_qs(urlsplit(reward.get("url", "")).query)
    return next(iter(query.get("cc", [])), "")
