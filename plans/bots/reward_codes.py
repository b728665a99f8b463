from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db.models import Count, Q

from plans.models import Bot, RewardCode
from plans.portability.problems import Problem
from plans.text import INVISIBLE, UNFIT

LONGEST = RewardCode._meta.get_field("code").max_length or 0
MOST_LINES = 20_000


@dataclass
class PastedCodes:
    """Codes that can be added, and the problems of the other lines."""

    codes: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def pool(bot: Bot) -> dict[str, int]:
    """Return how many codes there are: `drawn`, `left`, and in `total`."""
    drawn = Count("id", filter=Q(drawn_for__isnull=False))
    counts: dict[str, int] = bot.reward_codes.aggregate(drawn=drawn, total=Count("id"))
    return counts | {"left": counts["total"] - counts["drawn"]}


def read_codes(bot: Bot, text: str) -> PastedCodes:
    """Parse one code per line. Empty lines are ignored."""
    lines = [(n, code) for n, line in enumerate(text.splitlines(), 1) if (code := line.strip())]
    if len(lines) > MOST_LINES:
        return PastedCodes(problems=[Problem(f"there are more than {MOST_LINES:,} lines")])
    known = set(RewardCode.objects.filter(bot=bot).values_list("code", flat=True))
    pasted, first = PastedCodes(), dict[str, int]()  # first: code -> line
    for number, code in lines:
        if problem := _problem(code, known, first):
            pasted.problems.append(Problem(problem, number))
        else:
            pasted.codes.append(code)
            first[code] = number
    return pasted


def _problem(code: str, known: set[str], first: dict[str, int]) -> str:
    if len(code) > LONGEST:
        return f"is longer than {LONGEST} characters"
    if UNFIT.search(code) or INVISIBLE.search(code):
        return "contains an invisible character"
    if code in first:
        return f"“{code}” is already on line {first[code]}"
    return f"“{code}” is already in the pool" if code in known else ""


def add_codes(bot: Bot, codes: Iterable[str]) -> None:
    rows = [RewardCode(bot=bot, code=code) for code in codes]
    RewardCode.objects.bulk_create(rows, batch_size=500, ignore_conflicts=True)


def remove_left(bot: Bot) -> int:
    return RewardCode.objects.filter(bot=bot, drawn_for=None).delete()[0]
