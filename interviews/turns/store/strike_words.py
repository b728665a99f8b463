from django.db.models import F, Min, Value
from django.db.models.functions import Concat

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
DRAWN = (  # rows made of answers: their words, and where those were said
    (Note, Concat("key", Value(" "), "text"), "entry__position"),
    (Fact, Concat("text", Value(" "), "original"), "entry__position"),
    (Node, F("text"), "positions"),
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
    for model, words, place in DRAWN:
        rows = model.objects.filter(session=session).annotate(words=words)
        gone = [
            pk
            for pk, text, at in rows.values_list("pk", "words", place)
            if strike.tells(text, *(at if isinstance(at, list) else (at,)))
        ]
        model.objects.filter(pk__in=gone).delete()
    ExportFile.forget([session.bot_id])
    erase_deleted()
    Erasure.record()
