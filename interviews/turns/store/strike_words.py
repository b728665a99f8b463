from django.db.models import Min

from interviews.choices import RULES
from interviews.engine import strikes
from interviews.engine.strikes import Strike
from interviews.models import Erasure, ExportFile, Fact, Node, Note, Session, TranscriptEntry, Turn
from interviews.search.index import erase_deleted
from llm.models import LLMCall

GONE = {
    strikes.KEY: {"task": "", "value": None, "source": RULES, "reason": "words of it were struck"}
}
KEPT = ("intent", "answers", "wishes", "care")  # of a decision's details
DRAWN = (  # rows made of answers: where those are in the transcript, and the rows' words
    (Note, "entry__position", "key", "text"),
    (Fact, "entry__position", "text", "original"),
    (Node, "positions", "text"),
)


def strike_words(session: Session, turn: Turn, strike: Strike | None) -> None:
    """Take words that aren't to be kept out of all that is stored of the interview up to this turn.

    Turns since they were said lose what was read in them, and calls what was asked and answered.
    """
    if strike is None:
        return
    entries = TranscriptEntry.objects.filter(session=session)
    for position, text in strike.entries.items():
        entries.filter(position=position).update(text=text)
    told = entries.filter(position__in=strike.left)
    said = told.aggregate(number=Min("turn__number"))["number"] or turn.number
    for one in session.turns.filter(number__gte=said, number__lt=turn.number):
        details = one.decision.get("details", {})
        kept = {name: details[name] for name in KEPT if name in details}
        masked = {name: strike.from_json(one.decision.get(name)) for name in ("details", "firings")}
        one.readings, one.decision = GONE, {**one.decision, **masked}
        one.decision["details"] = {**(masked["details"] or {}), **kept}
        one.save(update_fields=["readings", "decision"])
    calls = LLMCall.objects.filter(session=str(session.pk), turn__gte=said)
    calls.update(request={}, response="", error="")
    for model, *fields in DRAWN:
        rows = model._default_manager.filter(session=session)
        gone = [
            pk
            for pk, at, *texts in rows.values_list("pk", *fields)
            if strike.tells(" ".join(texts), *(at if isinstance(at, list) else (at,)))
        ]
        rows.filter(pk__in=gone).delete()
    ExportFile.forget([session.bot_id])
    erase_deleted()
    Erasure.record()
