"""A bot's topics and data fields as documents, and documents as rows."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import transaction

from plans.models import Bot, DataField, SubGoal, Topic
from plans.portability.differences import Difference, differences
from plans.portability.documents import DataFieldDocument, TopicDocument, TopicsDocument
from plans.portability.rows import saved
from plans.protocols import protocol_of
from plans.text import tidy


def topics_document(bot: Bot) -> TopicsDocument:
    """The topics of a stored bot."""
    topics = bot.topics.prefetch_related("sub_goals")
    return TopicsDocument.model_construct(topics=[_topic(topic) for topic in topics])


def _topic(topic: Topic) -> TopicDocument:
    goals = [tidy(goal.text) for goal in topic.sub_goals.all()]
    return TopicDocument.model_construct(key=topic.key, label=tidy(topic.label), sub_goals=goals)


def field_documents(bot: Bot) -> list[DataFieldDocument]:
    """What a stored bot asks for."""
    return [_field(field) for field in bot.data_fields.all()]


def _field(field: DataField) -> DataFieldDocument:
    fields: dict[str, Any] = {"key": field.key, "kind": field.kind, "label": tidy(field.label)}
    return DataFieldDocument.model_construct(**fields)


def topics_changes(bot: Bot, document: TopicsDocument) -> list[Difference]:
    """What applying the document would change, by the keys of topics."""
    return differences(
        topics_document(bot).model_dump(mode="json"), document.model_dump(mode="json")
    )


@transaction.atomic
def apply_topics(document: TopicsDocument, bot: Bot) -> Bot:
    """Make the bot's topics equal to the document, and prepare what rests on them."""
    store_topics(bot, document.topics)
    protocol_of(bot).prepare(bot)
    return bot


def store_topics(bot: Bot, parts: Iterable[TopicDocument]) -> None:
    """Topics matched by key, so that what stays keeps its history."""
    known = {topic.key: topic for topic in bot.topics.all()}
    for position, part in enumerate(parts):
        fields: dict[str, Any] = {"label": part.label, "position": position}
        topic = known.pop(part.key, None)
        topic = (
            saved(topic, fields) if topic else Topic.objects.create(bot=bot, key=part.key, **fields)
        )
        _store_goals(topic, part.sub_goals)
    for topic in known.values():
        topic.delete()


def _store_goals(topic: Topic, texts: Sequence[str]) -> None:
    """Sub-goals matched by their text."""
    known = {goal.text: goal for goal in topic.sub_goals.all()}
    for position, text in enumerate(texts):
        goal = known.pop(text, None)
        if goal:
            saved(goal, {"position": position})
        else:
            SubGoal.objects.create(topic=topic, text=text, position=position)
    for goal in known.values():
        goal.delete()


def store_fields(bot: Bot, parts: Iterable[DataFieldDocument]) -> None:
    """Data fields matched by key."""
    known = {field.key: field for field in bot.data_fields.all()}
    for position, part in enumerate(parts):
        fields: dict[str, Any] = {"kind": part.kind, "label": part.label, "position": position}
        field = known.pop(part.key, None)
        if field:
            saved(field, fields)
        else:
            DataField.objects.create(bot=bot, key=part.key, **fields)
    for field in known.values():
        field.delete()
