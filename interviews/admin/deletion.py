from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from interviews.models import (
    CollectedValue,
    Fact,
    Note,
    Participant,
    Session,
    TranscriptEntry,
    Turn,
)
from interviews.turns.store.records import remove_records
from llm.models import LLMCall


@dataclass(frozen=True)
class DeletionCounts:
    sessions: int
    utterances: int
    turns: int
    notes: int
    facts: int
    values: int
    calls: int
    participants: int
    others: tuple[tuple[int, str, str], ...] = ()  # of other apps: count, singular, plural

    def lines(self) -> list[str]:
        counts = (
            (self.sessions, "interview", "interviews"),
            (self.utterances, "utterance", "utterances"),
            (self.turns, "turn with its trace", "turns with their traces"),
            (self.notes, "note", "notes"),
            (self.facts, "fact", "facts"),
            (self.values, "value given in confidence", "values given in confidence"),
            *self.others,
            (self.calls, "logged call to a model", "logged calls to models"),
            (
                self.participants,
                "participant who gave no other interview, with name and links",
                "participants who gave no other interview, with names and links",
            ),
        )
        return [f"{count:,} {one if count == 1 else many}" for count, one, many in counts if count]


def deletion_counts(sessions: QuerySet[Session]) -> DeletionCounts:
    keys = list(sessions.values_list("pk", flat=True))
    return DeletionCounts(
        sessions=len(keys),
        utterances=TranscriptEntry.objects.filter(session__in=keys).count(),
        turns=Turn.objects.filter(session__in=keys).count(),
        notes=Note.objects.filter(session__in=keys).count(),
        facts=Fact.objects.filter(session__in=keys).count(),
        values=CollectedValue.objects.filter(session__in=keys).count(),
        calls=LLMCall.objects.filter(session__in=[str(key) for key in keys]).count(),
        participants=_participants_only_in(keys).count(),
        others=_counts_of_other_apps(keys),
    )


def _counts_of_other_apps(keys: list[UUID]) -> tuple[tuple[int, str, str], ...]:
    models = (relation.related_model for relation in Session._meta.related_objects)
    return tuple(
        (
            model._default_manager.filter(session__in=keys).count(),
            str(model._meta.verbose_name),
            str(model._meta.verbose_name_plural),
        )
        for model in models
        if model._meta.app_label != Session._meta.app_label
    )


def delete_sessions(sessions: QuerySet[Session]) -> None:
    """Delete the interviews with everything that came of them, except plans."""
    keys = list(sessions.values_list("pk", flat=True))
    with transaction.atomic():
        participants = list(_participants_only_in(keys).values_list("pk", flat=True))
        remove_records(keys)
        Session.objects.filter(pk__in=keys).delete()
        Participant.objects.filter(pk__in=participants).delete()
        # Last: logging a call after this waits for the session's row, and finds it gone.
        LLMCall.objects.filter(session__in=[str(key) for key in keys]).delete()


def _participants_only_in(keys: list[UUID]) -> QuerySet[Participant]:
    others = Session.objects.exclude(pk__in=keys).filter(participant__isnull=False)
    participants = Participant.objects.filter(sessions__in=keys).distinct()
    return participants.exclude(pk__in=others.values("participant"))
