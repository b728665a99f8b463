"""The prompt's seven blocks but the first, which is the template's own: each rule in one place."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from interviews.engine.language.sentences import sentences
from interviews.engine.language.wishes import plain
from interviews.engine.signal import Band
from interviews.protocols.topic_exploration.exploration import Exploration, Phase, TopicState
from interviews.protocols.topic_exploration.memory import RememberedFact, SpeakingStyle
from plans.protocols.topic_exploration.content import TopicExplorationMaterial, TopicMaterial

GUIDE = 900  # characters of the manual guide that are shown
FACTS = 12  # facts that are shown
SIDES = ("what happened", "why", "for whom", "with what effect")
DEPTH = {
    Band.LOW: "The answer gave little. Ask something simpler and more direct, and keep it brief.",
    Band.MEDIUM: "Deepen one specific detail that just came up.",
    Band.HIGH: "The answer was rich. Pick its richest element, name it, and probe deep.",
}


class NonAnswer(StrEnum):
    """What the answer was instead of one."""

    CLARIFICATION = "clarification"
    OFF_TOPIC = "off_topic"


@dataclass(frozen=True)
class UtteranceAim:
    """What the coming utterance is to do."""

    exploration: Exploration  # after the decision
    topic: TopicMaterial
    goal: str  # the sub-goal or angle that is aimed at
    opens: bool  # first turn on the topic
    answered: TopicMaterial | None = None  # the topic that the answer belongs to
    offer: int = 0  # questions that an extension would have
    trouble: NonAnswer | None = None


def context(material: TopicExplorationMaterial) -> str:
    """Time, pacing and the road map; the same in every turn, so that it can be cached."""
    road = "\n".join(f"{topic.order}. {topic.label}" for topic in material.topics)
    goal = (
        f"What the research wants to know: {material.options.goal}\n"
        if (material.options.goal)
        else ""
    )
    pace = f"about {material.max_minutes} minutes, some {material.seconds_per_turn} seconds a turn"
    return f"{goal}The interview takes {pace}. It goes through these topics in order:\n{road}"


def focus(aim: UtteranceAim, minutes_left: float, why_again: str = "") -> str:
    """What this turn is about; `why_again` says why a first wording was sent back."""
    if aim.exploration.phase is Phase.DEEP_OFFER:
        return (
            "The planned time is over. Offer to go on: say in one or two sentences that there is "
            f"more you would like to hear, at most {aim.offer} more questions, and ask whether "
            "they would like to continue. Ask nothing else."
        )
    lines = [
        f"Topic {aim.topic.order}: {aim.topic.label}.",
        f"Aim of this turn: {aim.goal}.",
        f"About {max(0, round(minutes_left))} minutes are left.",
    ]
    if aim.exploration.phase is Phase.DEEPEN:
        lines.append("You come back to this topic for what was left open.")
    elif aim.opens:
        lines.append("It is the first turn on it: lead over to it in half a sentence.")
    if aim.answered is not None:
        goals = "; ".join(f"{i}: {g}" for i, g in enumerate(aim.answered.sub_goals))
        lines.append(f"Met by the answer? {goals or 'none listed'}.")
    if why_again:
        lines.append(
            f"A first wording could not be used ({why_again}). Ask only the question for the "
            "aim above, freshly worded."
        )
    return "\n".join(lines)


def memory(
    aim: UtteranceAim,
    material: TopicExplorationMaterial,
    facts: Sequence[RememberedFact],
    manner: SpeakingStyle,
) -> str:
    """What is known, bounded: this topic in full, three before it by a line, the rest in one."""
    now = aim.exploration
    place = aim.topic.order - 1
    explored = [i for i, topic in enumerate(now.topics) if topic.begun and i != place]
    lines = [_in_full(now.topics[place], aim.topic)]
    lines += [_line(now.topics[i], material.topics[i]) for i in explored[-3:]]
    if explored[:-3]:
        rest = ", ".join(material.topics[i].label for i in explored[:-3])
        lines.append(f"Talked about before: {rest}.")
    lines.append(_facts(facts))
    lines.append(_manner(manner))
    return "\n".join(line for line in lines if line)


def _in_full(topic: TopicState, told: TopicMaterial) -> str:
    if not topic.begun:
        return ""
    left = "; ".join(told.sub_goals[i] for i in topic.uncovered) or "nothing"
    return f"{_line(topic, told)}\nStill open on it: {left}."


def _line(topic: TopicState, told: TopicMaterial) -> str:
    line = f"{told.label}: coverage {topic.coverage}, engagement {topic.engagement:.1f}."
    return f"{line}\n<insight>{topic.key_insight}</insight>" if topic.key_insight else line


def _facts(facts: Sequence[RememberedFact]) -> str:
    if not facts:
        return ""
    known = "\n".join(f"- {fact.text}" for fact in facts[-FACTS:])
    return f"Known already; do not ask again:\n<facts>\n{known}\n</facts>"


def _manner(manner: SpeakingStyle) -> str:
    tired, signs = manner.fatigue()
    said = f"They speak in a {manner.style()} manner."
    return f"{said} Signs of fatigue: {', '.join(signs)}." if tired else said


def knowledge(material: TopicExplorationMaterial, topic: TopicMaterial) -> str:
    """The manual guide where there is one, else what was prepared for the topic."""
    if material.options.manual_guide:
        return _part_about(material.options.manual_guide, topic.label)
    prepared = topic.intelligence
    parts = (
        ("How to read answers", prepared.interpretation_cues),
        ("What deserves depth", prepared.significance_signals),
        ("Directions to follow up", prepared.probe_angles),
    )
    return "\n".join(f"{name}: {'; '.join(items[:4])}." for name, items in parts if items) or "-"


def _part_about(guide: str, label: str) -> str:
    """The paragraphs that name the topic, else the guide's beginning; bounded."""
    words = set(plain(label).split())
    paragraphs = [p for p in guide.split("\n\n") if words & set(plain(p).split())]
    return ("\n".join(paragraphs) or guide)[:GUIDE]


def guidance(aim: UtteranceAim, band: Band, turn: int, stems: Sequence[str]) -> str:
    """How to go on from this answer."""
    lines = [
        DEPTH[band],
        f"Look at the side of it that is about {SIDES[turn % len(SIDES)]}.",
        "Begin by acknowledging one specific thing that they said, in a few words of your own; no "
        "generic opener, no thanks, no summary. Two sentences at most before the question.",
    ]
    if aim.exploration.phase is Phase.DEEPEN:
        lines.append("Begin from the insight on this topic, so that they notice you remembered it.")
    if stems:
        lines.append(f"Do not begin with any of these again: {'; '.join(stems)}.")
    return "\n".join(lines)


def guards(aim: UtteranceAim) -> str:
    """Only where something was found."""
    if aim.trouble is NonAnswer.CLARIFICATION:
        found = "They ask what you mean. Put your last question in other, simpler words."
    elif aim.trouble is NonAnswer.OFF_TOPIC:
        found = (
            "What they said has nothing to do with the interview. Say so in a friendly half "
            "sentence, do nothing that it asks for, and come back to the aim."
        )
    else:
        return ""
    return f"## Guards\n\n{found}\n"


def stem(text: str) -> str:
    """How an utterance begins: its first four words."""
    first = (sentences(text) or [""])[0]
    return " ".join(first.split()[:4])
