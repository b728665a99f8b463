"""An interview's words, from rows to what products are made of."""

from interviews.exports.planned import sections
from interviews.models import Session
from interviews.words import Kind
from reflections.evidence.transcript import Line, Transcript
from reflections.summaries import material
from reflections.topics import in_words

ASIDE = {Kind.DEEP_OFFER, Kind.CONSENT_REQUEST, Kind.DATA_REQUEST}  # belong to no question


def transcript_of(session: Session) -> Transcript:
    """What was said, without what answers nothing. A cry for help is for those who lead the
    interview, and no material."""
    planned = sections(session.plan_id, session.language)
    lines: list[Line] = []
    open_now = ""
    for entry in material(session).exclude(text="").order_by("position"):
        open_now = "" if entry.kind in ASIDE else entry.question or open_now
        section = in_words(planned.get(open_now, open_now))
        lines.append(Line(entry.position, entry.role, entry.text, open_now, section))
    return Transcript(session.language, session.title, tuple(lines))
