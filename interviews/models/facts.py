"""What answers brought to light: facts of a handover, nodes and edges of a laddering graph."""

from typing import Any

from django.db import models
from django.db.models import F, Q

from interviews.models.session import Session
from interviews.models.transcript import TranscriptEntry
from plans.models import Bot


class Code(models.Model):
    """What nodes of a bot's interviews have in common, under one name and on one rung.

    Without a name of its own it is called by the words of its first node. Codes without nodes stay,
    so that a step can be undone.
    """

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="codes")
    name = models.CharField(max_length=200, blank=True)
    type = models.CharField(max_length=60)  # id of a rung in the methodology's ladder

    class Meta:
        default_permissions = ["change"]

    def __str__(self) -> str:
        return self.name or f"Code {self.pk}"


class CodingStep(models.Model):
    """What a person changed about codes: nodes' codes, and names and types, before and after.

    No words of participants: a withdrawal must not have to look for them here.
    """

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="coding_steps")
    kind = models.CharField(max_length=20)
    by = models.CharField(max_length=150)
    at = models.DateTimeField(auto_now_add=True)
    before: Any = models.JSONField()
    after: Any = models.JSONField()
    undone = models.BooleanField(default=False)

    class Meta:
        ordering = ["id"]
        default_permissions = []

    def __str__(self) -> str:
        return f"{self.kind} by {self.by}"


class CodeSuggestion(models.Model):
    """Codes that may mean the same, the largest first, until a person accepts or refuses."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="code_suggestions")
    codes: Any = models.JSONField()  # ids
    name = models.CharField(max_length=200, blank=True)  # what a model would call them
    by_model = models.BooleanField(default=False)
    refused = models.BooleanField(default=False)

    class Meta:
        ordering = ["id"]
        default_permissions = []

    def __str__(self) -> str:
        return f"Suggestion {self.pk}"


class Fact(models.Model):
    """Something an answer revealed. People may reword it, or merge it into another fact."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="facts")
    entry = models.ForeignKey(TranscriptEntry, on_delete=models.CASCADE, related_name="facts")
    number = models.PositiveIntegerField()  # from 1 within the session
    text = models.TextField()
    original = models.TextField()  # as it was extracted
    question = models.CharField(max_length=80)  # backlog id of the question it answers
    confidence = models.FloatField()  # of the answer: 0.3, 0.6, 0.9
    source = models.CharField(max_length=20)  # model, fallback model, fallback, rules
    edited_by = models.CharField(max_length=150, blank=True)  # user name: accounts get deleted
    edited_at = models.DateTimeField(null=True)
    merged_into = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="merged"
    )

    class Meta:
        ordering = ["session", "number"]
        constraints = [
            models.UniqueConstraint(fields=["session", "number"], name="fact_number_once"),
            models.CheckConstraint(
                condition=Q(merged_into=None) | ~Q(merged_into=F("id")),
                name="fact_is_not_merged_into_itself",
            ),
            models.CheckConstraint(
                condition=Q(edited_by="", edited_at=None)
                | ~Q(edited_by="") & Q(edited_at__isnull=False),
                name="fact_has_an_editor_iff_edited",
            ),
            models.CheckConstraint(
                condition=Q(confidence__gte=0, confidence__lte=1), name="fact_confidence_0_to_1"
            ),
        ]

    def __str__(self) -> str:
        """Return no words of it: the admin's log keeps this when the interview has gone."""
        return f"Fact {self.number} of interview {str(self.session_id)[:8]}"


class Node(models.Model):
    """A statement in the interview's graph, once however often it was made."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="nodes")
    key = models.CharField(max_length=20)  # n1, n2 … within the session
    text = models.TextField()
    type = models.CharField(max_length=60)  # id of a rung in the methodology's ladder
    code = models.ForeignKey(Code, on_delete=models.SET_NULL, null=True, related_name="nodes")
    elements: Any = models.JSONField(default=list)  # ids of the concept's elements
    created_turn = models.PositiveIntegerField()
    entry = models.ForeignKey(TranscriptEntry, on_delete=models.CASCADE, related_name="nodes")
    positions: Any = models.JSONField(default=list)  # of all answers it comes from

    class Meta:
        ordering = ["session", "id"]
        constraints = [
            models.UniqueConstraint(fields=["session", "key"], name="node_key_once_a_session")
        ]

    def __str__(self) -> str:
        return self.text[:80]


class Edge(models.Model):
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="edges")
    source = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="edges_out")
    target = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="edges_in")
    relation = models.CharField(max_length=60)
    entry = models.ForeignKey(TranscriptEntry, on_delete=models.CASCADE, related_name="edges")
    positions: Any = models.JSONField(default=list)  # of all answers it comes from

    class Meta:
        ordering = ["session", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["source", "target", "relation"], name="edge_once_between_nodes"
            ),
            models.CheckConstraint(
                condition=~models.Q(source=models.F("target")), name="edge_ties_two_nodes"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.source_id} {self.relation} {self.target_id}"
