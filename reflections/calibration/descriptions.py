"""What the figures say, and what they don't, in words for people."""

from reflections.calibration.types import Baseline, Maker

NAMES: dict[Maker, str] = {
    "replica": "Replica",
    "notes": "Notes only",
    "average": "Without knowing them",
}
MEANINGS: dict[Maker, str] = {
    "replica": "knows what was said besides, notes and experts’ reflections",
    "notes": "knows the notes alone",
    "average": "knows nothing of this person",
}
BASELINES: dict[Baseline, str] = {
    "others": "the most usual answer of {others} other interviews with this script",
    "typical": "a model that knew only the question, as “a typical person”",
}
ITEM_BASELINES: dict[Baseline, str] = {
    "others": "the most frequent answer of {others} other participants",
    "typical": "a model that knew only the item, as “a typical person”",
}
OVER_ONE = (
    "A normalised accuracy over 1 means that the replica agrees with the first answers more often "
    "than the participant’s second ones do. With few items that happens by chance."
)
NO_CONSISTENCY = (
    "No item was answered alike twice, so there is nothing to divide by and no normalised accuracy."
)
FEW = "Fewer than ten {unit}: read this as a first look, and no more."
FEW_FROM = 10
