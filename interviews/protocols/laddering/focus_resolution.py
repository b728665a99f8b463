"""The focus of a question that was begun before the answer was read, once it is read.

An old node and an element keep their names. What was just said has become a node of the graph that
is kept, or several; the question is about the one whose words it takes up. Where nothing was found
in the answer, it is about what it was about before, so that nothing is invented.
"""

from interviews.protocols.laddering.context import concept_of, element_of, ways_of
from interviews.protocols.laddering.graph.types import GraphNode
from interviews.protocols.laddering.signals.moment import JUST_SAID
from interviews.protocols.laddering.stages import ContinuationStage
from plans.similarity import is_filler, normalise

STEM = 5  # letters by which words are told apart, whatever their endings


def carried(context: ContinuationStage, focus: str, words: str) -> str:
    """The id in the kept graph of what a question in these words is about.

    Of nodes whose words are taken up alike, the one on the highest rung, then the one that was said
    first, as in the choice among nodes of one answer.
    """
    if focus != JUST_SAID:
        return focus
    asked, types = _stems(words), ways_of(context.ctx).types
    ranked = [
        (_share(_stems(node.text), asked), types.index(node.type), -place, node.id)
        for place, node in enumerate(_said(context))
    ]
    return max(ranked)[-1] if ranked else context.talk.focus


def text_of(context: ContinuationStage, focus: str) -> str:
    """The words of a node of the kept graph, or of an element; empty for neither."""
    node = context.graph.by_id.get(focus)
    element = element_of(concept_of(context.ctx), focus)
    return node.text if node else element.label if element else ""


def _said(context: ContinuationStage) -> list[GraphNode]:
    """The nodes that the answer spoke of, besides what it was asked about; else that one, or those
    that it tied to each other."""
    change, before = context.change, context.talk.focus
    spoken = [name for name in (*change.merged, *change.added) if name != before]
    names = spoken or change.merged or sorted(change.touched)
    return [node for node in context.graph.nodes if node.id in names]


def _stems(text: str) -> frozenset[str]:
    words = normalise(text).split()
    return frozenset(one[:STEM] for one in words if not is_filler(one))


def _share(own: frozenset[str], asked: frozenset[str]) -> float:
    """How much of a node's words a question takes up."""
    return len(own & asked) / len(own) if own else 0.0
