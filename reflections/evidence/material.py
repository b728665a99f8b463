"""What products are made of: an interview's words, from rows."""

from django.db.models import Q, QuerySet

from interviews.choices import EntryKind, SpeakerRole
from interviews.exports.planned import sections_by_question
from interviews.exports.reasons import NO_ANSWER
from interviews.models import Session, TranscriptEntry
from reflections.evidence.topics import in_words
from reflections.evidence.transcript import Transcript, TranscriptLine

ASIDE = {
    EntryKind.DEEP_OFFER,
    EntryKind.CONSENT_REQUEST,
    EntryKind.DATA_REQUEST,
}  # belong to no question
DISTRESS = Q(role=SpeakerRole.PARTICIPANT, turn__decision__reason__in=("distress", "care_choice"))


def transcript_of(session: Session) -> Transcript:
    """What was said, without what `material` leaves out, under the questions that were open."""
    planned = sections_by_question(session.plan_id, session.language)
    lines: list[TranscriptLine] = []
    open_now = ""
    for entry in material(session).exclude(text="").order_by("position"):
        open_now = "" if entry.kind in ASIDE else entry.question or open_now
        section = in_words(planned.get(open_now, open_now))
        lines.append(TranscriptLine(entry.position, entry.role, entry.text, open_now, section))
    return Transcript(session.language, session.title, tuple(lines))


def material(session: Session) -> QuerySet[TranscriptEntry]:
    """What was said, without distress (which is for the people who lead the interview alone) and
    without what answers nothing: questions back, words about skipping and stopping."""
    nothing = Q(role=SpeakerRole.PARTICIPANT, turn__decision__reason__in=sorted(NO_ANSWER))
    back = Q(kind=EntryKind.CANDIDATE_QUESTION)
    return TranscriptEntry.objects.filter(session=session).exclude(nothing | back).exclude(DISTRESS)
