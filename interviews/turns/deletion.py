from collections.abc import Iterator
from uuid import UUID

from django.db import transaction
from django.db.models import Model, QuerySet

from interviews.models import (
    CollectedValue,
    Erasure,
    ExportFile,
    Fact,
    Invitation,
    Note,
    OverviewDay,
    Participant,
    Session,
    TranscriptEntry,
    Turn,
)
from interviews.recruitment.invitations.letters import REMINDERS
from interviews.search.index import erase_deleted
from interviews.turns.store.records import remove_records
from llm.models import LLMCall


def deletion_lines(sessions: QuerySet[Session]) -> list[str]:
    """Return what would be deleted with the interviews, a line for each kind of it."""
    keys = list(sessions.values_list("pk", flat=True))
    counts = [
        (len(keys), "interview", "interviews"),
        (_count(TranscriptEntry, keys), "utterance", "utterances"),
        (_count(Turn, keys), "turn with its trace", "turns with their traces"),
        (_count(Note, keys), "note", "notes"),
        (_count(Fact, keys), "fact", "facts"),
        (_count(CollectedValue, keys), "confidential value", "confidential values"),
        *_counts_of_other_apps(keys),
        (_calls(keys).count(), "logged model call", "logged model calls"),
        (
            _participants_only_in(keys).count(),
            "participant with no other interview, with name and links",
            "participants with no other interview, with names and links",
        ),
    ]
    return [f"{count:,} {one if count == 1 else many}" for count, one, many in counts if count]


def _count(model: type[Model], keys: list[UUID]) -> int:
    return model._default_manager.filter(session__in=keys).count()


def _calls(keys: list[UUID]) -> QuerySet[LLMCall]:
    return LLMCall.objects.filter(session__in=[str(key) for key in keys])


def _counts_of_other_apps(keys: list[UUID]) -> Iterator[tuple[int, str, str]]:
    for relation in Session._meta.related_objects:
        meta = relation.related_model._meta
        if meta.app_label != Session._meta.app_label:
            one, many = str(meta.verbose_name), str(meta.verbose_name_plural)
            yield _count(relation.related_model, keys), one, many


def delete_sessions(sessions: QuerySet[Session], recount: bool = True) -> None:
    """Delete the interviews with everything that came of them, except plans.

    Without `recount` they stay in the overview's counts.
    """
    keys = list(sessions.values_list("pk", flat=True))
    with transaction.atomic():
        participants = list(_participants_only_in(keys).values_list("pk", flat=True))
        ExportFile.forget(set(sessions.order_by().values_list("bot", flat=True)))
        # Who was invited has answered, which nothing else tells after this.
        invited = Invitation.objects.filter(sessions__in=keys, reminders__lt=REMINDERS)
        invited.update(reminders=REMINDERS)
        remove_records(keys)
        if recount:
            OverviewDay.forget(sessions.only("bot", "started_at"))
        Session.objects.filter(pk__in=keys).delete()
        erase_deleted()
        Participant.objects.filter(pk__in=participants).delete()
        # Last: logging a call after this waits for the session's row, and finds it gone.
        _calls(keys).delete()
        Erasure.record()


def _participants_only_in(keys: list[UUID]) -> QuerySet[Participant]:
    others = Session.objects.exclude(pk__in=keys).filter(participant__isnull=False)
    participants = Participant.objects.filter(sessions__in=keys).distinct()
    return participants.exclude(pk__in=others.values("participant"))
