"""A script's rows as a document, and a document's content as rows."""

from collections.abc import Iterable
from typing import Any

from django.db import transaction

from plans.models import Question, Script, Section
from plans.portability.differences import Difference, differences
from plans.portability.documents import (
    QuestionDocument,
    ScriptDocument,
    SectionDocument,
)
from plans.portability.rows import saved
from plans.text import tidy

HEAD = ("name", "language", "intro", "outro")
QUESTION = ("text", "objective", "guidance", "block_seconds")


def script_document(script: Script) -> ScriptDocument:
    """The document of a stored script. What is stored is taken as it is, only tidied."""
    sections = script.sections.prefetch_related("questions")
    return document_of(script, ((section, section.questions.all()) for section in sections))


def document_of(
    script: Script, sections: Iterable[tuple[Section, Iterable[Question]]]
) -> ScriptDocument:
    """A document of rows, whether they are the current ones or older versions."""
    head: dict[str, Any] = {name: tidy(getattr(script, name)) for name in HEAD}
    return ScriptDocument.model_construct(
        **head,
        sections=[
            SectionDocument.model_construct(
                key=section.key,
                title=tidy(section.title),
                questions=[_question(question) for question in questions],
            )
            for section, questions in sections
        ],
    )


def _question(question: Question) -> QuestionDocument:
    fields: dict[str, Any] = {name: getattr(question, name) for name in ("key", *QUESTION)}
    texts = {name: tidy(fields[name]) for name in ("text", "objective", "guidance")}
    return QuestionDocument.model_construct(**fields | texts)


def script_changes(script: Script | None, document: ScriptDocument) -> list[Difference]:
    """What applying the document would change, by the keys of sections and questions."""
    before = _content(script_document(script)) if script else {}
    return differences(before, _content(document))


def _content(document: ScriptDocument) -> dict[str, Any]:
    """The document as it is read by people: one list of sections, each with its questions."""
    return document.model_dump(mode="json", exclude={"format", "version"})


def known_script(document: ScriptDocument) -> Script | None:
    """The stored script of that name and language."""
    return Script.objects.filter(name=document.name, language=document.language).first()


@transaction.atomic
def apply_script(document: ScriptDocument, script: Script | None = None) -> Script:
    """Stores the document as a new script, or makes the given one equal to it.

    Rows are matched by key, so that what stays keeps its history; what is not in the document
    is removed.
    """
    head = {name: getattr(document, name) for name in HEAD}
    script = saved(script, head) if script else Script.objects.create(**head)
    _apply_sections(script, document.sections)
    return script


def _apply_sections(script: Script, sections: Iterable[SectionDocument]) -> None:
    known = {section.key: section for section in script.sections.all()}
    for position, part in enumerate(sections):
        fields = {"title": part.title, "position": position}
        section = known.pop(part.key, None)
        section = (
            saved(section, fields)
            if section
            else Section.objects.create(script=script, key=part.key, **fields)
        )
        _apply_questions(section, part.questions)
    for section in known.values():
        section.delete()


def _apply_questions(section: Section, questions: Iterable[QuestionDocument]) -> None:
    known = {question.key: question for question in section.questions.all()}
    for position, part in enumerate(questions):
        fields = {name: getattr(part, name) for name in QUESTION} | {"position": position}
        question = known.pop(part.key, None)
        if question:
            saved(question, fields)
        else:
            Question.objects.create(section=section, key=part.key, **fields)
    for question in known.values():
        question.delete()
