"""The same question on every day."""

from pydantic import Field

from plans.models import Bot
from plans.protocols.base import ContentType
from plans.protocols.plan_content import Frozen, stored_options
from plans.protocols.rewards import OptionsOfAnyBot


class DiaryOptions(OptionsOfAnyBot):
    question: str = Field("What happened today?", title="Question")
    days: int = Field(3, ge=1, le=30, title="Days")


class DiaryMaterial(Frozen):
    options: DiaryOptions


def compile_material(bot: Bot) -> DiaryMaterial:
    return DiaryMaterial(options=stored_options(DiaryOptions, bot))


CONTENT = ContentType(
    options=DiaryOptions,
    material=DiaryMaterial,
    compile=compile_material,
    languages=lambda material: ("en",),
    questions=lambda material: material.options.days,
)
