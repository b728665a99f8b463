from typing import Any

from django.db import models

from interviews.models.session import Session
from interviews.models.transcript import TranscriptEntry


class Node(models.Model):
    """A statement in the interview's graph, once however often it was made."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="nodes")
    key = models.CharField(max_length=20)  # n1, n2 … within the session
    text = models.TextField()
    type = models.CharField(max_length=60)  # id of a rung in the methodology's ladder
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
