"""The rungs and codes of answers, for QDA software."""

from collections.abc import Iterator, Sequence

from interviews.exports.refi_qda.codes import CodableInterview, Coding, below
from interviews.models import Node
from interviews.protocols.laddering.codes.assignment import codes_of
from interviews.protocols.laddering.ladders import ladder_of


def rungs(interviews: Sequence[CodableInterview]) -> Iterator[Coding]:
    """Code answers with the rungs of their nodes, and with the nodes' codes below these."""
    known = {one.key: one for one in interviews}
    nodes = Node.objects.filter(session__in=known).order_by("id")
    codes = codes_of(known)
    for node in nodes:
        one = known[node.session_id]
        ladder = ladder_of(one.session.session.plan_id, types=[node.type])
        code = codes[str(one.key)].get(node.key)
        rung = ladder.by_type[code.type if code and code.type in ladder.by_type else node.type]
        above = below(one.root("Rungs"), rung.id, f"{rung.number} {rung.name}", rung.meaning)
        for position in node.positions:
            yield Coding(one.key, position, above)
            if code:
                yield Coding(one.key, position, below(above, code.key, code.text))
