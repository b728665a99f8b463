"""Which code each node has: found by what it says, once, when its interview has ended."""

from collections import Counter
from collections.abc import Collection, Iterable
from functools import partial
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from interviews.choices import ACTIVE
from interviews.models import Code, CodeSuggestion, CodingStep, Node
from interviews.models.updates import mark_changed
from interviews.protocols.laddering.codes.pooled_codes import Coder, StoredCode, StoredCodes
from plans.models import Bot


def code_interviews(bot: int | None) -> None:
    """Give a code to each node of the bot's ended interviews that has none.

    It is the code that says the same, on the rung of the code or of a node behind it, the one with
    most nodes first; else a new one.
    """
    if bot is None or not _waiting(bot).exists():
        return
    with transaction.atomic():
        lock_codes(bot)
        coder, made = _coder_of(bot), list[Code]()
        nodes = list(_waiting(bot).order_by("session__started_at", "session", "id"))
        # First, since a withdrawal locks the interview before its nodes.
        mark_changed(pk__in={node.session_id for node in nodes})
        for node in nodes:
            code = coder.find(node.type, node.text)
            if code is None:
                code = Code(bot_id=bot, type=node.type)
                made.append(code)
            coder.learn(node.type, node.text, code)
            node.code = code
        Code.objects.bulk_create(made)
        for node in nodes:
            node.code = node.code  # takes over the key that the code has now
        Node.objects.bulk_update(nodes, ["code"], batch_size=500)


def _waiting(bot: int) -> QuerySet[Node]:
    waiting = Node.objects.filter(session__bot=bot, code=None)
    return waiting.exclude(session__status__in=ACTIVE).only("text", "type", "session")


def _coder_of(bot: int) -> "Coder[Code]":
    codes = {code.pk: code for code in Code.objects.filter(bot=bot)}
    coded = Node.objects.filter(code__bot=bot).order_by("id")
    said = list(coded.values_list("code_id", "text", "type"))
    size = Counter(key for key, _, _ in said)
    kinds = {key: {code.type} for key, code in codes.items()}
    for key, _, kind in said:
        kinds[key or 0].add(kind)
    coder = Coder[Code]()
    texts = dict.fromkeys((key or 0, text) for key, text, _ in said)
    for key, text in sorted(texts, key=lambda one: (-size[one[0]], one[0])):
        for kind in sorted(kinds[key]):
            coder.learn(kind, text, codes[key])
    return coder


def lock_codes(bot: int) -> None:
    """Wait for others who change the bot's codes, until the transaction ends."""
    Bot.objects.select_for_update(no_key=True).filter(pk=bot).values_list("pk").first()


def codes_of(sessions: Collection[UUID]) -> StoredCodes:
    coded = Node.objects.filter(session__in=sessions).exclude(code=None)
    fields = ("session", "key", "code_id", "code__name", "code__type")
    rows = list(coded.values_list(*fields))
    words = first_words(key for _, _, key, name, _ in rows if key and not name)
    found: StoredCodes = {str(session): {} for session in sessions}
    for session, node, key, name, kind in rows:
        found[str(session)][node] = StoredCode(key or 0, name or words[key or 0], kind)
    return found


def first_words(codes: Iterable[int]) -> dict[int, str]:
    """Return what the first node of each code says, that of a participant if there is one."""
    nodes = Node.objects.filter(code__in=set(codes))
    latest_first = nodes.order_by("-session__preview", "-session__synthetic", "-id")
    return {key: text for key, text in latest_first.values_list("code_id", "text") if key}


def forget_codes(sessions: Collection[UUID]) -> None:
    """Delete codes that nobody else's words stand behind, with the steps that name them."""
    bots = list(Bot.objects.filter(sessions__in=sessions).distinct().values_list("pk", flat=True))
    kept = Node.objects.exclude(session__in=sessions)
    named = Code.objects.filter(name="", nodes__session__in=sessions)  # by what was said first
    renamed = set(kept.filter(code__in=named).values_list("session", flat=True))
    if renamed:  # after the commit: two withdrawals could wait for each other's interviews
        transaction.on_commit(partial(mark_changed, pk__in=renamed))
    others = kept.exclude(code=None).values("code")
    codes = Code.objects.filter(bot__in=bots).exclude(pk__in=others)
    gone = {str(key) for key in codes.values_list("pk", flat=True)}
    steps = CodingStep.objects.filter(bot__in=bots).values_list("pk", "before__codes")
    CodingStep.objects.filter(pk__in=[pk for pk, named in steps if gone & {*named}]).delete()
    CodeSuggestion.objects.filter(bot__in=bots, refused=False).delete()
    codes.delete()
