from interviews.engine.protocol import TopicCoverage
from interviews.engine.result import CallResults
from interviews.engine.signal import score
from interviews.engine.strikes import Strike
from interviews.protocols.topic_exploration.context import TopicContext, answer_delay, topic_of
from interviews.protocols.topic_exploration.exploration import Exploration, Phase, TopicState
from interviews.protocols.topic_exploration.memory import add_facts, add_insight
from interviews.protocols.topic_exploration.reading import REPLY_KEY
from interviews.protocols.topic_exploration.state import TopicExplorationState
from plans.protocols.topic_exploration.content import TopicMaterial


def updated_state(
    ctx: TopicContext, results: CallResults, exploration: Exploration
) -> TopicExplorationState:
    """Return the state after the turn, with facts, insight and manner from the answer.

    What was told is kept whatever the answer is; only an answer meets sub-goals.
    """
    state = ctx.state.but(exploration=exploration)
    reply = results.get(REPLY_KEY)
    if ctx.received.trigger != "user_answer" or ctx.state.exploration.phase is Phase.DEEP_OFFER:
        return state
    state = with_facts(ctx, state, results)
    if ctx.reading.intent != "answer":
        return state
    met = frozenset(reply.value.met) if reply else frozenset()
    return state.but(
        exploration=_with_answer(ctx, exploration, met),
        manner=state.manner.after_answer(ctx.answer, ctx.language, answer_delay(ctx)),
        last_score=score(ctx.answer, ctx.language),
    )


def with_facts(
    ctx: TopicContext, state: TopicExplorationState, results: CallResults
) -> TopicExplorationState:
    reply = results.get(REPLY_KEY)
    facts = [(fact.text, fact.confidence) for fact in reply.value.facts] if reply else []
    label = topic_of(ctx, ctx.state.exploration).label
    known = add_facts(state.facts, facts, ctx.received.position, label)
    return state.but(facts=known)


def _with_answer(ctx: TopicContext, exploration: Exploration, met: frozenset[int]) -> Exploration:
    """Add the insight and the sub-goals met to the topic that was answered.

    The sub-goal that the coming question aims at stays open until that question is answered.
    Something heavy is no insight to come back to.
    """
    index = ctx.state.exploration.topic
    topic = exploration.topics[index]
    if ctx.reading.care == "none":
        topic = add_insight(topic, ctx.answer, ctx.language)
    aimed_at = set(topic.left[:1]) if exploration.topic == index else set()
    covered = topic.covered | ({i for i in met if 0 <= i < topic.sub_goals} - aimed_at)
    return exploration.with_topic(index, topic.but(covered=covered))


def without_struck(state: TopicExplorationState, strike: Strike) -> TopicExplorationState:
    exploration = state.exploration
    topics = (
        topic.but(key_insight="", insight_score=0.0) if strike.tells(topic.key_insight) else topic
        for topic in exploration.topics
    )
    return state.but(
        facts=tuple(one for one in state.facts if not strike.tells(one.text, one.position)),
        exploration=exploration.but(topics=tuple(topics)),
        open_question="" if strike.tells(state.open_question) else state.open_question,
        stems=tuple(one for one in state.stems if not strike.tells(one)),
    )


def topic_coverage(material: TopicMaterial, topic: TopicState) -> TopicCoverage:
    return TopicCoverage(
        topic=material.key,
        label=material.label,
        turns=topic.used,
        bonus_turns=topic.bonus,
        deepening_turns=topic.deepened,
        sub_goals=topic.sub_goals,
        covered=len(topic.covered),
        coverage=topic.coverage,
        engagement=round(topic.engagement, 3),
        key_insight=topic.key_insight,
    )
