"""What a person does with codes. Each step is stored with what was before, and can be undone."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from interviews.models import Code, CodingStep, Node
from interviews.models.updates import mark_changed
from interviews.protocols.laddering.codes.assignment import lock_codes


class StepRefused(Exception):
    """The step makes no sense, with what to do about it."""


@dataclass(frozen=True)
class CodingBy:
    """The codes of a bot in somebody's hands, for use within a transaction."""

    bot: int
    by: str

    def merge(self, codes: Collection[int], name: str = "") -> int:
        """Put the nodes of all these codes under the one with most of them; return its key."""
        found = self._locked(codes)
        if len(found) < 2:
            raise StepRefused("Choose two codes or more to merge.")
        target = max(found, key=lambda code: (code.nodes.count(), -code.pk))
        nodes = Node.objects.filter(code__in=found).exclude(code=target)
        self._take("merge", nodes, [target], name)
        return target.pk

    def move(
        self,
        nodes: Collection[int],
        codes: Collection[int],
        target: int | None,
        name: str = "",
        kind: str = "",
    ) -> int:
        """Put nodes, and those of codes, under another code or a new one; return its key."""
        there = self._locked([target] if target else [])
        of_bot = Node.objects.filter(session__bot=self.bot).exclude(code=target).order_by("id")
        found = of_bot.filter(Q(pk__in=nodes) | Q(code__in=codes))
        first = found.first()
        if first is None or (target and not there):
            raise StepRefused("Choose statements, and a code that doesn't hold them yet.")
        if not there:
            kind = kind or (first.code.type if first.code else first.type)
            there = [Code.objects.create(bot_id=self.bot, name=name, type=kind)]
        self._take("move", found, there)
        return there[0].pk

    def change(self, codes: Collection[int], name: str = "", kind: str = "") -> int:
        """Rename a code, or set the rung of some; return the key of the first."""
        found = self._locked(codes)
        if not found or (name and len(found) > 1):
            raise StepRefused("Choose one code to rename." if name else "Choose a code first.")
        self._take("rename" if name else "retype", Node.objects.none(), found, name, kind)
        return found[0].pk

    def retype(self, codes: Collection[int], nodes: Collection[int], kind: str) -> int:
        """Set the rung of codes, or put nodes under a new code of that rung."""
        return self.change(codes, "", kind) if codes else self.move(nodes, [], None, "", kind)

    def undo(self, *, again: bool = False) -> None:
        """Take the last step back, or with `again` do what was undone last."""
        lock_codes(self.bot)
        step = next_undone(self.bot) if again else last_step(self.bot)
        if step is None:
            raise StepRefused(f"There is nothing to {'redo' if again else 'undo'}.")
        self._apply(step.after if again else step.before)
        step.undone = not again
        step.save(update_fields=["undone"])
        # For exports of changes, which see new steps only.
        mark_changed(bot=self.bot)

    def _locked(self, codes: Collection[int]) -> list[Code]:
        lock_codes(self.bot)
        return list(Code.objects.filter(bot=self.bot, pk__in=codes).order_by("id"))

    def _take(
        self, verb: str, nodes: QuerySet[Node], codes: list[Code], name: str = "", kind: str = ""
    ) -> None:
        """Put nodes under the first code, and give the codes another name or rung."""
        were = {str(key): code for key, code in nodes.values_list("pk", "code")}
        after = {
            "nodes": dict.fromkeys(were, codes[0].pk),
            "codes": {str(code.pk): [name or code.name, kind or code.type] for code in codes},
        }
        before = {"nodes": were, "codes": {str(one.pk): [one.name, one.type] for one in codes}}
        CodingStep.objects.create(
            bot_id=self.bot, by=self.by, kind=verb, before=before, after=after
        )
        self._apply(after)

    def _apply(self, content: Mapping[str, Any]) -> None:
        """Set codes as told; what was deleted since is left out."""
        there = set(Code.objects.filter(bot=self.bot).values_list("pk", flat=True))
        for code in {*content["nodes"].values()} & there:
            keys = [key for key, its in content["nodes"].items() if its == code]
            Node.objects.filter(pk__in=keys, session__bot=self.bot).update(code=code)
        for key, (name, kind) in content["codes"].items():
            Code.objects.filter(pk=key, bot=self.bot).update(name=name, type=kind)


def last_step(bot: int) -> CodingStep | None:
    return CodingStep.objects.filter(bot=bot, undone=False).last()


def next_undone(bot: int) -> CodingStep | None:
    """Return the step that was undone last, unless something else was done since."""
    last = last_step(bot)
    return CodingStep.objects.filter(bot=bot, undone=True, pk__gt=last.pk if last else 0).first()
