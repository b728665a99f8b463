from typing import Annotated, Literal

from pydantic import Field, model_validator

from plans.models import Bot, Document
from plans.models.knowledge import MOST_QUESTIONS, Priority
from plans.protocols.base import ContentType
from plans.protocols.plan_content import Frozen, languages_option, option, stored_options
from plans.protocols.rewards import OptionsOfAnyBot

MOST_ROUNDS = 50


class KnowledgeTransferOptions(OptionsOfAnyBot):
    languages: tuple[str, ...] = languages_option("The first is the language of the backlog.")
    project: str = option(
        "",
        "What is handed over",
        "A job or a project, as participants call it: “prices and press planning”.",
    )
    handed_over_by: str = option(
        "", "Who hands it over", "Their role in it, in a few words. The interviewer reads this."
    )
    rounds: Annotated[int, Field(ge=1, le=MOST_ROUNDS)] = option(
        10, "Rounds", "Maximum number of questions, including follow-ups."
    )
    follow_ups: Annotated[int, Field(ge=0, le=3)] = option(
        1,
        "Follow-ups",
        "Maximum number of follow-ups per backlog question, if the answer stays vague.",
    )
    discoveries: Annotated[int, Field(ge=0, le=10)] = option(
        3, "Discoveries", "Maximum number of new questions that one answer can raise."
    )


class DeepDive(Frozen):
    """What was found in one document; without a model only its own sentences, as `points`."""

    purpose: str = ""
    decisions: tuple[str, ...] = ()
    formulas: tuple[str, ...] = ()
    thresholds: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()
    points: tuple[str, ...] = ()


class DocumentMaterial(Frozen):
    name: str
    kind: str
    dive: DeepDive = DeepDive()


class SourceMaterial(Frozen):
    document: str  # its name
    place: str = ""
    text: str = ""


class QuestionMaterial(Frozen):
    key: str
    text: str
    priority: Priority = "P1"
    origin: Literal["ANALYSIS", "ADMIN"] = "ADMIN"
    why: str = ""
    sources: tuple[SourceMaterial, ...] = ()


class KnowledgeTransferMaterial(Frozen):
    summary: str = ""  # Markdown
    documents: tuple[DocumentMaterial, ...] = ()
    questions: tuple[QuestionMaterial, ...] = Field(min_length=1, max_length=MOST_QUESTIONS)
    options: KnowledgeTransferOptions = KnowledgeTransferOptions()

    @model_validator(mode="after")
    def _check_priorities(self) -> "KnowledgeTransferMaterial":
        if all(question.priority == "P2" for question in self.questions):
            raise ValueError("no question of the backlog has the priority P0 or P1")
        return self


def options_of(bot: Bot) -> KnowledgeTransferOptions:
    return stored_options(KnowledgeTransferOptions, bot)


def compile_material(bot: Bot) -> KnowledgeTransferMaterial:
    """Return the bot's backlog and documents as they are now.

    Raises pydantic.ValidationError when nothing would be asked.
    """
    context = getattr(bot, "project_context", None)
    return KnowledgeTransferMaterial(
        summary=str(context.content.get("summary", "")) if context else "",
        documents=tuple(
            DocumentMaterial(name=row.name, kind=row.kind, dive=dive_of(row))
            for row in bot.documents.all()
            if row.content
        ),
        questions=tuple(
            QuestionMaterial.model_validate(row, from_attributes=True) for row in bot.backlog.all()
        ),
        options=KnowledgeTransferOptions.model_validate(bot.options),
    )


def dive_of(row: Document) -> DeepDive:
    fields = {name: row.content[name] for name in DeepDive.model_fields if name in row.content}
    points = [point["text"] for point in fields.get("points", ())]
    return DeepDive.model_validate({**fields, "points": points})


CONTENT = ContentType(
    options=KnowledgeTransferOptions, material=KnowledgeTransferMaterial, compile=compile_material
)
