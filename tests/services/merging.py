"""As a process: eight people edit, merge, take apart and delete the same facts at once.

Prints as JSON how many of their steps were done, how many were refused, and what else was raised.
"""

import json
import os
import random
import threading
from collections import Counter

import django

PEOPLE = 8
STEPS = 25
FACTS = 12


def work(who: int, keys: list[int], came: list[str]) -> None:
    """One of them, always as far as they can see."""
    from django.db import connections

    from interviews.protocols.knowledge_transfer import fact_changes as facts

    chance = random.Random(who)
    for _ in range(STEPS):
        try:
            step(chance, keys, f"person {who}")
            came.append("done")
        except facts.FactError:
            came.append("refused")
        except Exception as error:
            came.append(f"{type(error).__name__}: {error}")
    connections.close_all()


def step(chance: random.Random, keys: list[int], who: str) -> None:
    """One of the things that can be done."""
    from interviews.models import Fact
    from interviews.protocols.knowledge_transfer import fact_changes as facts

    chosen = list(Fact.objects.filter(pk__in=chance.sample(keys, 3)).order_by("pk"))
    if not chosen:
        raise facts.Invalid("all of these are gone")
    seen, first = facts.version(chosen), chosen[0]
    kind = chance.choice(("write", "merge", "merge", "merge", "apart", "remove"))
    if kind == "write":
        facts.write(first.pk, f"By {who}, {chance.random()}", facts.version([first]), who)
    elif kind == "merge":
        facts.merge([fact.pk for fact in chosen], "All of them.", seen, who)
    elif kind == "apart":
        facts.unmerge(first.pk)
    elif chance.random() < 0.1:
        facts.remove(Fact.objects.filter(pk=first.pk))


def main() -> None:
    """The facts, the people, and what came of it."""
    from interviews.models import Fact
    from tests.interviews.transferred import transferred

    session = transferred(facts=FACTS)
    keys = list(session.facts.values_list("pk", flat=True))
    came: list[str] = []
    threads = [threading.Thread(target=work, args=(who, keys, came)) for who in range(PEOPLE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    chains = Fact.objects.filter(merged_into__merged_into__isnull=False).count()
    print(json.dumps({**Counter(came), "chains": chains, "left": Fact.objects.count()}))


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "interviewsite.settings")
    django.setup()
    main()
