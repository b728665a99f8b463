"""Which arm of an experiment somebody is sent to: permuted blocks within strata, by a seed.

The order of arms in a stratum follows from the seed alone. Whoever starts gets the first free place
in that order. A place is taken by an interview that is completed or alive (something was heard
within an hour), so that dropouts are replaced in their own arm and completed interviews differ by
one block at most.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import count
from random import Random

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from interviews.choices import ACTIVE, SessionStatus
from interviews.models import Assignment, Participant
from interviews.models.overview import QUIET_AFTER, last_heard_before
from interviews.recruitment.eligibility.opening_hours import not_open_error
from interviews.validation import RequestRefused
from plans.models import Bot, Experiment, ExperimentArm

LONGEST_VALUE = 100  # of a stratum


def find_experiment(slug: str) -> Experiment | None:
    """Return the experiment with its arms, unless it is a draft."""
    found = Experiment.objects.filter(slug=slug).exclude(status=Experiment.Status.DRAFT)
    return found.prefetch_related("arms__bot").first()


def take_place(
    experiment: Experiment, person: Participant | None, given: Mapping[str, str], at: datetime
) -> Assignment:
    """Return an assignment to be saved with the new interview. Raises RequestRefused.

    Its code is full, or not_open if the person starts again in an arm whose bot was closed. Call
    it in the transaction that creates the interview: it locks the experiment. `given` are link
    parameters and start answers. Who starts again keeps their arm and place.
    """
    Experiment.objects.select_for_update(no_key=True).get(pk=experiment.pk)
    held = Assignment.objects.filter(arm__experiment=experiment)
    own = held.filter(session__participant=person).order_by("-id").first() if person else None
    if own and own.arm.bot.status != Bot.Status.LIVE:
        raise not_open_error()
    if own:
        return Assignment(arm=own.arm, stratum=own.stratum, place=own.place)
    stratum = stratum_of(experiment, given)
    arms = list(experiment.arms.select_related("bot").order_by("id"))
    taken = taken_places(held, at)
    full = _full_arms(arms, taken)
    if len(full) == len(arms):
        raise RequestRefused("full", _("All places in this interview are taken."))
    places = set(taken.filter(stratum=stratum).values_list("place", flat=True))
    for place in count():
        arm = arm_at(experiment, arms, stratum, place)
        if place not in places and arm.pk not in full:
            return Assignment(arm=arm, stratum=stratum, place=place)
    raise AssertionError  # count() never ends


def taken_places(held: QuerySet[Assignment], at: datetime) -> QuerySet[Assignment]:
    quiet = last_heard_before(at - QUIET_AFTER).values("pk")
    alive = Q(session__status__in=ACTIVE) & ~Q(session__in=quiet)
    taken = Q(session__status=SessionStatus.COMPLETED) | alive
    return held.filter(taken & Q(session__preview=False) | Q(session=None))


def is_full(experiment: Experiment, at: datetime) -> bool:
    arms = list(experiment.arms.all())
    held = Assignment.objects.filter(arm__experiment=experiment)
    return len(_full_arms(arms, taken_places(held, at))) == len(arms)


def _full_arms(arms: Sequence[ExperimentArm], taken: QuerySet[Assignment]) -> set[int]:
    """Return the arms that get nobody else: their target is reached, or their bot was closed."""
    shut = {arm.pk for arm in arms if arm.bot.status != Bot.Status.LIVE}
    if all(arm.target is None for arm in arms):
        return shut
    numbers = Counter(taken.values_list("arm", flat=True))
    targets = {arm.pk: arm.target for arm in arms if arm.target is not None}
    return shut | {key for key, target in targets.items() if numbers[key] >= target}


def stratum_of(experiment: Experiment, given: Mapping[str, str]) -> str:
    values = {name.casefold(): value for name, value in given.items()}
    parts = ((name, values.get(name.casefold(), "")) for name in experiment.strata)
    return "; ".join(f"{name}: {text.strip().casefold()[:LONGEST_VALUE]}" for name, text in parts)


def arm_at(
    experiment: Experiment, arms: Sequence[ExperimentArm], stratum: str, place: int
) -> ExperimentArm:
    """Return the arm at a place, from 0, of the stratum's endless order."""
    block = [arm for arm in arms for _ in range(arm.weight * experiment.rounds)]
    number, within = divmod(place, len(block))
    Random(f"{experiment.seed}|{stratum}|{number}").shuffle(block)  # noqa: S311  # to be repeated
    return block[within]
