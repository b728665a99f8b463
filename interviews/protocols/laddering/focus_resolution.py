"""The focus of a question that was begun before the answer was read, once it is read.

An old node and an element keep their names. What was just said has become one or several nodes of
the stored graph; the question is about the one whose words it takes up. Where nothing was found in
the answer, it is about what it was about before, so that nothing is invented.
"""

from interviews.protocols.laddering.context import concept_of, find_element
from interviews.protocols.laddering.signals.moment import JUST_SAID
from interviews.protocols.laddering.stages import SelectionStage
from plans.similarity import is_filler, normalise

STEM = 5  # letters by which words are told apart, whatever their endings


def resolve_focus(stage: SelectionStage, focus: str, words: str) -> str:
    """Return the id in the stored graph of what a question in these words is about.

    Of nodes whose words are taken up alike, the one on the highest rung, then the one that was said
    first, as in the choice among nodes of one answer.
    """
    if focus != JUST_SAID:
        return focus
    change, before = stage.change, stage.talk.focus
    # what the answer spoke of besides what it was asked about; else that, or what it tied
    mentioned = [name for name in (*change.merged, *change.added) if name != before]
    names = mentioned or change.merged or sorted(change.touched)
    nodes = [node for node in stage.graph.nodes if node.id in names]
    asked, types = _stems(words), stage.ctx.material.methodology.types
    ranked = [
        (_share(_stems(node.text), asked), types.index(node.type), -place, node.id)
        for place, node in enumerate(nodes)
    ]
    return max(ranked)[-1] if ranked else before


def text_of(stage: SelectionStage, focus: str) -> str:
    node = stage.graph.by_id.get(focus)
    element = find_element(concept_of(stage.ctx), focus)
    return node.text if node else element.label if element else ""


def _stems(text: str) -> frozenset[str]:
    return frozenset(one[:STEM] for one in normalise(text).split() if not is_filler(one))


def _share(own: frozenset[str], asked: frozenset[str]) -> float:
    return len(own & asked) / len(own) if own else 0.0
