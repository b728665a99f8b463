from collections.abc import Collection

from plans.models import Script
from plans.protocols.base import BotDraft, ChecklistItem, PlanProtocol
from plans.protocols.life_story.content import CONTENT, LifeStoryOptions
from plans.protocols.needs import question_count_item, reward_items, script_items, script_languages
from plans.protocols.plan_content import stored_options


def needs(draft: BotDraft) -> list[ChecklistItem]:
    excluded = draft.bot.options.get("excluded_sections", ())
    return [
        *script_items(draft.scripts),
        *(question_count_item(s, _question_count(s, excluded)) for s in draft.scripts),
        *reward_items(draft, stored_options(LifeStoryOptions, draft.bot).reward),
    ]


def _question_count(script: Script, excluded: Collection[str]) -> int:
    return sum(s.questions.count() for s in script.sections.all() if s.key not in excluded)


LIFE_STORY = PlanProtocol(
    title="Life story",
    content=CONTENT,
    summary="Asks your script's questions one by one, and follows up on each answer until its "
    "objective is met or its time is up. For biographies and anything with a fixed order.",
    parts=frozenset({"scripts"}),
    languages=script_languages,
    needs=needs,
    read_by_experts=True,
)
