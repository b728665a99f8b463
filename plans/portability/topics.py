from collections.abc import Iterable

from django.db import transaction

from plans.models import Bot, Topic
from plans.portability.differences import Difference, differences
from plans.portability.documents import MOST_TOPICS, SubGoalDocument, TopicDocument, TopicsDocument
from plans.portability.problems import broken
from plans.portability.rows import document_of_row, sync_rows
from plans.protocols import protocol_of


def topics_document(bot: Bot) -> TopicsDocument:
    topics = bot.topics.prefetch_related("sub_goals")
    return TopicsDocument.model_construct(topics=[_topic_document(topic) for topic in topics])


def _topic_document(topic: Topic) -> TopicDocument:
    goals = [document_of_row(SubGoalDocument, goal) for goal in topic.sub_goals.all()]
    return document_of_row(TopicDocument, topic, sub_goals=goals)


def topics_changes(bot: Bot, document: TopicsDocument) -> list[Difference]:
    return differences(
        topics_document(bot).model_dump(mode="json"), document.model_dump(mode="json")
    )


def add_missing_topics(bot: Bot, document: TopicsDocument) -> TopicsDocument:
    """Return the document with the bot's topics and sub-goals that it doesn't hold, at the end.

    Raises BrokenDocument if these are too many.
    """
    parts = {part.key: part for part in document.topics}
    for topic in topics_document(bot).topics:
        part = parts.setdefault(topic.key, topic)
        held = {goal.text for goal in part.sub_goals}
        left = [goal for goal in topic.sub_goals if goal.text not in held]
        parts[topic.key] = part.model_copy(update={"sub_goals": [*part.sub_goals, *left]})
    if len(parts) > MOST_TOPICS:
        raise broken(f"The bot would have {len(parts)} topics. The maximum is {MOST_TOPICS}.")
    return document.model_copy(update={"topics": list(parts.values())})


@transaction.atomic
def apply_topics(document: TopicsDocument, bot: Bot) -> Bot:
    """Make the bot's topics equal to the document and request what depends on them."""
    store_topics(bot, document.topics)
    protocol_of(bot).prepare(bot)
    return bot


def store_topics(bot: Bot, parts: Iterable[TopicDocument]) -> None:
    """Store topics matched by key, so that they keep their history."""
    sync_rows(bot.topics, parts, ["label"], _store_sub_goals)


def _store_sub_goals(topic: Topic, part: TopicDocument) -> None:
    sync_rows(topic.sub_goals, part.sub_goals, ["question"], by="text")
