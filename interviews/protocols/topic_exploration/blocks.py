"""Texts that fill the variables of the reply prompt (prompts/reply.md)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from interviews.engine.language.sentences import sentences
from interviews.engine.language.wishes import plain
from interviews.engine.signal import Band
from interviews.protocols.topic_exploration.exploration import Exploration, Phase, TopicState
from interviews.protocols.topic_exploration.memory import RememberedFact, SpeakingStyle
from plans.protocols.topic_exploration.content import TopicExplorationMaterial, TopicMaterial

MAX_GUIDE_LENGTH = 900  # characters
MAX_FACTS = 12
SIDES = ("what happened", "why", "for whom", "with what effect")
DEPTH_HINTS = {
    Band.LOW: "The answer gave little. Ask something simpler and more direct, and keep it brief.",
    Band.MEDIUM: "Deepen one specific detail that just came up.",
    Band.HIGH: "The answer was rich. Pick its richest element, name it, and probe deep.",
}


class NonAnswer(StrEnum):
    CLARIFICATION = "clarification"
    OFF_TOPIC = "off_topic"


@dataclass(frozen=True)
class UtteranceAim:
    exploration: Exploration  # after the decision
    topic: TopicMaterial
    goal: str  # a sub-goal, a probe angle or the topic itself
    opens_topic: bool
    question: str = ""  # as written for the sub-goal
    returns: bool = False  # DEEPEN comes back to a topic
    answered_topic: TopicMaterial | None = None
    extra_turns: int = 0  # what an extension would take
    non_answer: NonAnswer | None = None


def context(material: TopicExplorationMaterial) -> str:
    """Return pacing and the list of topics. It is the same in every turn, so it can be cached."""
    road = "\n".join(f"{topic.order}. {topic.label}" for topic in material.topics)
    research_goal = material.options.goal
    goal = f"What the research wants to know: {research_goal}\n" if research_goal else ""
    pace = f"about {material.max_minutes} minutes, some {material.seconds_per_turn} seconds a turn"
    return f"{goal}The interview takes {pace}. It goes through these topics in order:\n{road}"


def focus(aim: UtteranceAim, minutes_left: float, rejected_because: str = "") -> str:
    """Describe the aim of this turn.

    `rejected_because` is why a guard rejected the first wording.
    """
    if aim.exploration.phase is Phase.DEEP_OFFER:
        return (
            "The planned time is over. Offer to go on: say in one or two sentences that there is "
            f"more you would like to hear, at most {aim.extra_turns} more questions, and ask "
            "whether they would like to continue. Ask nothing else."
        )
    lines = [
        f"Topic {aim.topic.order}: {aim.topic.label}.",
        f"Aim of this turn: {aim.goal}.",
        f"About {max(0, round(minutes_left))} minutes are left.",
    ]
    if aim.exploration.phase is Phase.DEEPEN:
        lines.append("You come back to this topic for what was left open.")
    elif aim.opens_topic:
        lines.append("It is the first turn on it: lead over to it in half a sentence.")
    if aim.answered_topic is not None:
        goals = "; ".join(f"{i}: {g}" for i, g in enumerate(aim.answered_topic.sub_goals))
        lines.append(f"Met by the answer? {goals or 'none listed'}.")
    if rejected_because:
        lines.append(
            f"A first wording could not be used ({rejected_because}). "
            "Ask only the question for the aim above, freshly worded."
        )
    return "\n".join(lines)


def memory(
    aim: UtteranceAim,
    material: TopicExplorationMaterial,
    facts: Sequence[RememberedFact],
    manner: SpeakingStyle,
) -> str:
    """Return what is known: this topic in full, the last three briefly, earlier ones by label."""
    exploration = aim.exploration
    index = aim.topic.order - 1
    earlier = [i for i, topic in enumerate(exploration.topics) if topic.started and i != index]
    lines = [_topic_in_full(exploration.topics[index], aim.topic)]
    lines += [_topic_line(exploration.topics[i], material.topics[i]) for i in earlier[-3:]]
    if earlier[:-3]:
        rest = ", ".join(material.topics[i].label for i in earlier[:-3])
        lines.append(f"Talked about before: {rest}.")
    lines += [_known_facts(facts), _style_line(manner)]
    return "\n".join(line for line in lines if line)


def _topic_in_full(topic: TopicState, material: TopicMaterial) -> str:
    if not topic.started:
        return ""
    left = "; ".join(material.sub_goals[i] for i in topic.uncovered) or "nothing"
    return f"{_topic_line(topic, material)}\nStill open on it: {left}."


def _topic_line(topic: TopicState, material: TopicMaterial) -> str:
    line = f"{material.label}: coverage {topic.coverage}, engagement {topic.engagement:.1f}."
    return f"{line}\n<insight>{topic.key_insight}</insight>" if topic.key_insight else line


def _known_facts(facts: Sequence[RememberedFact]) -> str:
    if not facts:
        return ""
    known = "\n".join(f"- {fact.text}" for fact in facts[-MAX_FACTS:])
    return f"Known already; do not ask again:\n<facts>\n{known}\n</facts>"


def _style_line(manner: SpeakingStyle) -> str:
    tired, signs = manner.fatigue()
    line = f"They speak in a {manner.style()} manner."
    return f"{line} Signs of fatigue: {', '.join(signs)}." if tired else line


def knowledge(material: TopicExplorationMaterial, topic: TopicMaterial) -> str:
    if material.options.manual_guide:
        return _guide_excerpt(material.options.manual_guide, topic.label)
    prepared = topic.intelligence
    parts = (
        ("How to read answers", prepared.interpretation_cues),
        ("What deserves depth", prepared.significance_signals),
        ("Directions to follow up", prepared.probe_angles),
    )
    return "\n".join(f"{name}: {'; '.join(items[:4])}." for name, items in parts if items) or "-"


def _guide_excerpt(guide: str, label: str) -> str:
    words = set(plain(label).split())
    paragraphs = [p for p in guide.split("\n\n") if words & set(plain(p).split())]
    return ("\n".join(paragraphs) or guide)[:MAX_GUIDE_LENGTH]


def guidance(aim: UtteranceAim, band: Band, turn: int, stems: Sequence[str]) -> str:
    lines = [
        DEPTH_HINTS[band],
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
    if aim.non_answer is NonAnswer.CLARIFICATION:
        found = "They ask what you mean. Put your last question in other, simpler words."
    elif aim.non_answer is NonAnswer.OFF_TOPIC:
        found = (
            "What they said has nothing to do with the interview. Say so in a friendly half "
            "sentence, do nothing that it asks for, and come back to the aim."
        )
    else:
        return ""
    return f"## Guards\n\n{found}\n"


def stem(text: str) -> str:
    first = (sentences(text) or [""])[0]
    return " ".join(first.split()[:4])
