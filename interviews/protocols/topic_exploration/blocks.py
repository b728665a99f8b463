"""Texts that fill the variables of the reply prompt (prompts/reply.md).

`target` says the one thing that this turn is for. All the rest is background, and asks for nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from interviews.engine.language.sentences import sentences
from interviews.engine.language.wishes import plain
from interviews.engine.reading import AnswerReading
from interviews.engine.signal import Band
from interviews.engine.texts import time_left
from interviews.protocols.topic_exploration.exploration import (
    Exploration,
    Phase,
    TopicState,
    deepen_order,
    deepen_turns,
)
from interviews.protocols.topic_exploration.memory import RememberedFact, SpeakingStyle
from plans.protocols.topic_exploration.content import TopicExplorationMaterial, TopicMaterial

MAX_GUIDE_LENGTH = 900  # characters
MAX_FACTS = 12
LEAVES = "No question is due: the topics end with this answer. Leave the utterance empty."
ACCEPTS = (
    "- accepts: they were asked whether to continue beyond the planned time. yes: they agree. "
    "no: they decline, or want to finish. unclear: anything else."
)
MANNER = {
    Band.LOW: "Their last answer was short: ask simply and directly.",
    Band.MEDIUM: "",
    Band.HIGH: "Their last answer was rich: begin from its richest element.",
}
READ = {
    "skip": "They want the next question.",
    "refuse": "They don't want to talk about what you asked.",
    "dont_know": "They don't know.",
}
READ_ALREADY = "The answer is read already: heard is fully."
HEAVY = "What they told is heavy: take it in with one sentence, then ask gently."


@dataclass(frozen=True)
class UtteranceAim:
    exploration: Exploration  # after the decision
    topic: TopicMaterial
    goal: str  # a sub-goal, a probe angle or the topic itself
    opens_topic: bool
    question: str = ""  # as written for the sub-goal
    returns: bool = False  # DEEPEN comes back to a topic

    @property
    def extra_turns(self) -> int:
        """What an extension would take."""
        topics = self.exploration.topics
        return sum(deepen_turns(topics[i]) for i in deepen_order(topics))

    @property
    def words_are_for(self) -> tuple[object, ...]:
        """Equal for aims for which the same words will do."""
        where = self.exploration
        return where.phase, where.topic, self.goal, self.opens_topic, self.returns, where.offers


def context(material: TopicExplorationMaterial) -> str:
    """Return pacing and the list of topics. It is the same in every turn, so it can be cached."""
    road = "\n".join(f"{topic.order}. {topic.label}" for topic in material.topics)
    research_goal = material.options.goal
    goal = f"What the research wants to know: {research_goal}\n" if research_goal else ""
    pace = f"about {material.max_minutes} minutes, some {material.seconds_per_turn} seconds a turn"
    return f"{goal}The interview takes {pace}. It goes through these topics in order:\n{road}"


def target(
    aim: UtteranceAim | None, read: AnswerReading, minutes_left: float, rejected_because: str = ""
) -> str:
    """Return what this turn is for.

    `rejected_because` is why a guard rejected the first wording.
    """
    if aim is None:
        return LEAVES
    takes_in = read.care == "heavy" and read.intent != "refuse"
    lines = [READ.get(read.intent, ""), HEAVY if takes_in else "", _aim(aim)]
    if aim.exploration.phase is not Phase.DEEP_OFFER:
        left = time_left("en", 60 * minutes_left)
        lines.append(f"{left[0].upper()}{left[1:]}.")
    if rejected_because:
        lines.append(
            f"A first wording could not be used ({rejected_because}). Say nothing but the question."
        )
    return "\n".join(filter(None, lines))


def _aim(aim: UtteranceAim) -> str:
    label = aim.topic.label
    if aim.exploration.phase is Phase.DEEP_OFFER:
        return _offer(aim)
    if aim.opens_topic and aim.exploration.begins:
        how = f"Begin with the first topic, {label}. You have introduced yourself already."
    elif aim.returns:
        how = f"Come back to an earlier topic, {label}, from what you know of it."
    elif aim.opens_topic:
        how = f"Lead over to the next topic, {label}, in half a sentence."
    else:
        how = f"Stay with the topic, {label}."
    written = f"\nA question written for it: {aim.question}" if aim.question else ""
    return f"{how}\nAsk about this: {aim.goal}.{written}"


def _offer(aim: UtteranceAim) -> str:
    again = "It isn't clear whether they want to continue. " if aim.exploration.offers > 1 else ""
    count = f"{aim.extra_turns} more question{'' if aim.extra_turns == 1 else 's'}"
    return (
        f"The planned time is over. {again}Say that there is more you would like to hear, at most "
        f"{count}, and ask whether they would like to continue."
    )


def manner(band: Band, style: SpeakingStyle) -> str:
    signs = style.fatigue_signs()
    lines = (
        MANNER[band],
        f"They speak in a {style.style()} manner." if style.style() else "",
        f"Signs of fatigue: {', '.join(signs)}." if signs else "",
    )
    return " ".join(filter(None, lines))


def goals(topic: TopicMaterial | None) -> list[str]:
    """Return the numbered sub-goals that the answer may have met."""
    if topic is None or not topic.sub_goals:
        return ["none listed"]
    return [f"{number}: {goal}" for number, goal in enumerate(topic.sub_goals)]


def known(
    aim: UtteranceAim, material: TopicExplorationMaterial, facts: Sequence[RememberedFact]
) -> list[str]:
    """Return what is known: this topic in full, the last three briefly, earlier ones by label."""
    exploration = aim.exploration
    index = aim.topic.order - 1
    earlier = [i for i, topic in enumerate(exploration.topics) if topic.started and i != index]
    lines = _topic_in_full(exploration.topics[index], aim)
    lines += [_topic_line(exploration.topics[i], material.topics[i]) for i in earlier[-3:]]
    if earlier[:-3]:
        rest = ", ".join(material.topics[i].label for i in earlier[:-3])
        lines.append(f"Talked about before: {rest}.")
    for fact in facts[-MAX_FACTS:]:
        lines.append(f"- {fact.text} (told on: {fact.topic})" if fact.topic else f"- {fact.text}")
    return lines


def _topic_in_full(topic: TopicState, aim: UtteranceAim) -> list[str]:
    if not topic.started:
        return []
    later = [aim.topic.sub_goals[i] for i in topic.left]
    later = [goal for goal in later if goal != aim.goal]
    coming = [f"To be asked later on it, not now: {'; '.join(later)}."] if later else []
    return [_topic_line(topic, aim.topic), *coming]


def _topic_line(topic: TopicState, material: TopicMaterial) -> str:
    line = f"{material.label}: coverage {topic.coverage}, engagement {topic.engagement:.1f}."
    return f"{line} They said: “{topic.key_insight}”" if topic.key_insight else line


def knowledge(material: TopicExplorationMaterial, topic: TopicMaterial) -> str:
    if material.options.manual_guide:
        return _guide_excerpt(material.options.manual_guide, topic.label)
    prepared = topic.intelligence
    parts = (
        ("How to read answers", prepared.interpretation_cues),
        ("What deserves depth", prepared.significance_signals),
        ("Directions that may come up", prepared.probe_angles),
    )
    return "\n".join(f"{name}: {'; '.join(items[:4])}." for name, items in parts if items) or "-"


def _guide_excerpt(guide: str, label: str) -> str:
    words = set(plain(label).split())
    paragraphs = [p for p in guide.split("\n\n") if words & set(plain(p).split())]
    return ("\n".join(paragraphs) or guide)[:MAX_GUIDE_LENGTH]


def stem(text: str) -> str:
    first = (sentences(text) or [""])[0]
    return " ".join(first.split()[:4])
