"""Interviews coded by people and by the bot's questions, and how their page is used."""

from collections.abc import Sequence
from typing import Any

from django.urls import reverse
from django.utils import timezone

from interviews.models import Session
from plans.models import Bot
from reflections.models import CodebookCode, CodeSuggestions, Excerpt, StudyReport, ThemeSuggestions
from tests.reflections.telling import told_session

EMOJI = "We were 👩‍👩‍👧 three, Zoe\u0301 and I, and the 🇮🇹 flag hung there."
HEBREW = "גדלתי ליד הים, והדייגים היו שרים בלילה."


def address(session: Session) -> str:
    return reverse("admin:interviews_session_coding", args=[session.pk])


def do(client: Any, session: Session, verb: str, **data: Any) -> str:
    """The page after an action."""
    response = client.post(address(session), {"do": verb, **data}, follow=True)
    assert response.status_code == 200
    return str(response.content.decode())


def select(client: Any, session: Session, position: int, words: str, code: str, **data: Any) -> str:
    """Codes these words of an utterance, as the page's script does."""
    text = session.entries.get(position=position).text
    start = text.index(words)
    places = {"position": position, "start": start, "end": start + len(words), "quote": words}
    return do(client, session, "add", code=code, **places | data)


def coded_study(count: int, answers: Sequence[str]) -> list[Session]:
    """So many interviews of one bot, each answer coded by clause, with overlaps and levels."""
    sessions = [told_session(tuple(answers))]
    bot = sessions[0].bot
    sessions += [told_session(tuple(answers), bot=bot) for _ in range(count - 1)]
    place = CodebookCode.objects.create(bot=bot, name="Place", created_by="anna")
    codes = [
        CodebookCode.objects.create(bot=bot, name=name, parent=place, created_by="anna")
        for name in ("Home", "Leaving")
    ]
    for session in sessions:
        for entry in session.entries.filter(role="participant"):
            middle = len(entry.text) // 2
            for code, start, end in (
                (place, 0, len(entry.text)),
                (codes[0], 0, middle + 1),
                (codes[1], max(0, middle - 4), len(entry.text)),
            ):
                Excerpt.objects.create(
                    session=session,
                    entry=entry,
                    code=code,
                    start=start,
                    end=end,
                    memo="Why?\r\nAsk." if code is codes[1] else "",
                    created_by="anna",
                )
    return sessions


def code_some(session: Session) -> None:
    """Two overlapping excerpts with a memo, codes in levels, and suggestions of a model."""
    bot = session.bot
    family = CodebookCode.objects.create(bot=bot, name="Family", created_by="anna")
    care, leaving = (
        CodebookCode.objects.create(
            bot=bot, name=name, parent=parent, description=meaning, created_by="anna"
        )
        for name, parent, meaning in (
            ("Care learned", family, "Who taught whom to look after something."),
            ("Leaving", None, "Moves that somebody else decided."),
        )
    )
    for position, words, code, memo in (
        (3, "My grandmother kept bees behind the mill", family, ""),
        (3, "bees behind the mill, and I carried the smoker for her", care, "Compare with Ada."),
        (5, "We left when the mill closed", leaving, ""),
    ):
        entry = session.entries.get(position=position)
        start = entry.text.index(words)
        place = {"start": start, "end": start + len(words), "memo": memo}
        Excerpt.objects.create(session=session, entry=entry, code=code, created_by="anna", **place)
    suggested = []
    for key, position, words, code in (
        (1, 5, "Nobody asked us children whether we wanted to go", "Leaving"),
        (2, 7, "The smell of wax still makes me hopeful", "Objects of memory"),
    ):
        start = session.entries.get(position=position).text.index(words)
        place = {"position": position, "start": start, "end": start + len(words)}
        suggested.append({"key": key, "code": code, **place})
    content = {"suggestions": suggested, "unfounded": 1}
    CodeSuggestions.objects.create(
        session=session, status="ready", content=content, created_by="anna"
    )


def report_on(bot: Bot) -> None:
    """A report with a statement on each side of a theme, and suggestions of how to order codes."""
    rows = list(Excerpt.objects.filter(code__bot=bot).select_related("entry", "code"))
    family, leaving = (
        CodebookCode.objects.get(bot=bot, name=name) for name in ("Family", "Leaving")
    )
    excerpts, quotes = [], []
    for number, row in enumerate(rows, 1):
        place = {"position": row.entry.position, "start": row.start, "end": row.end}
        theme = {"code": row.code.parent_id or row.code_id, "against": row.against}
        excerpts.append({"number": number, "session": str(row.session_id), **place, **theme})
        quotes.append({"position": number, "text": row.quote})
    said = {"text": "Care was learned beside somebody older.", "quotes": quotes[:2]}
    left = {"text": "Nobody chose to leave.", "quotes": quotes[2:], "against": [3]}
    checked = {"check": "unheard", "weight": "notable", "text": "No statement takes up “Hope”."}
    report = StudyReport.objects.create(
        bot=bot,
        status="ready",
        finished_at=timezone.now(),
        created_by="anna",
        content={
            "sections": [
                {"title": family.name, "statements": [{**said, "support": "supported"}]},
                {"title": leaving.name, "statements": [{**left, "support": "not_checked"}]},
            ],
            "excerpts": excerpts,
            "language": "en",
            "made_by": "model",
            "findings": [checked],
        },
    )
    for session in {row.session for row in rows}:
        report.sources.create(session=session)
    proposals = [
        {"key": 1, "kind": "place", "code": leaving.pk, "name": "What others decide"},
        {"key": 2, "kind": "place", "code": family.pk, "name": "What others decide"},
    ]
    content = {"proposals": proposals, "unfounded": 1}
    ThemeSuggestions.objects.create(bot=bot, status="ready", content=content, created_by="anna")
