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
HELD_OUT = (
    "Some questions with all their turns were held out. Notes and reflections were made anew from "
    "what remained, and the replica answered these questions without having seen them.",
    "A model compared each answer with what was really said, without knowing whose answer it read: "
    "1 says the same in substance, 0.5 says part of it, 0 says something else. The words in common "
    "are counted beside it by rules. Models judge with errors of their own.",
    "The interval (95 %) shows how much the mean depends on which questions were drawn. With few "
    "questions it is wide, and where all scores are equal it looks narrower than it is.",
    "This is agreement with what was said in one interview, and not with the person. It does not "
    "foretell what they would say on another day, or do. What they told elsewhere about the same "
    "thing was not taken out.",
)
QUESTIONNAIRE = (
    "The replica filled in the participant’s questionnaire, from their interview and without their "
    "answers. Accuracy is the share of items on which it chose what they chose; a choice that is "
    "none of the options counts as different.",
    "Closeness is for items with a range of numbers: 1 is the same number, 0 the other end.",
    "Where the participant answered twice, consistency is the share of these items that they "
    "answered alike, and normalised accuracy is accuracy on them divided by consistency. Near 1 "
    "the replica agrees with the participant about as well as they agree with themselves.",
    "The interval (95 %) shows how much a figure depends on which items were asked. All of it is "
    "agreement with one questionnaire, and not a forecast of what the person would do.",
)
OVER_ONE = (
    "A normalised accuracy over 1 means that the replica agrees with the first answers more often "
    "than the participant’s second ones do. With few items that happens by chance."
)
NO_CONSISTENCY = (
    "No item was answered alike twice, so there is nothing to divide by and no normalised accuracy."
)
FEW = "Fewer than ten {unit}: read this as a first look, and no more."
FEW_FROM = 10
