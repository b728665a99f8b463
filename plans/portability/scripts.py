from collections import Counter
from collections.abc import Iterable
from typing import Any

from django.db import transaction

from plans.models import Question, Script, Section
from plans.portability.csv_rows import QUESTION_FIELDS
from plans.portability.differences import Difference, differences
from plans.portability.documents import QuestionDocument, ScriptDocument, SectionDocument
from plans.portability.rows import document_of_row, sync_rows, update_if_changed
from plans.text import tidy_lines

HEAD = ("name", "language", "intro", "outro")


def script_document(script: Script) -> ScriptDocument:
    """Return the document of a stored script, tidied but not validated."""
    sections = script.sections.prefetch_related("questions")
    return document_of(script, ((section, section.questions.all()) for section in sections))


def document_of(
    script: Script, sections: Iterable[tuple[Section, Iterable[Question]]]
) -> ScriptDocument:
    parts = [
        document_of_row(SectionDocument, section, questions=[*map(_question_document, questions)])
        for section, questions in sections
    ]
    return document_of_row(ScriptDocument, script, sections=parts)


def _question_document(question: Question) -> QuestionDocument:
    return document_of_row(QuestionDocument, question, probes=tidy_lines(question.probes))


def script_changes(script: Script | None, document: ScriptDocument) -> list[Difference]:
    """Return what applying the document would change, matched by key."""
    before = _content(script_document(script)) if script else {}
    return differences(before, _content(document))


def _content(document: ScriptDocument) -> dict[str, Any]:
    return document.model_dump(mode="json", exclude={"format", "version"})


def known_script(document: ScriptDocument) -> Script | None:
    return Script.objects.filter(name=document.name, language=document.language).first()


def known_keys(script: Script) -> dict[str, str]:
    """Return the keys of sections and questions by their words, where these are unique."""
    questions = Question.objects.filter(section__script=script)
    rows = [*script.sections.values_list("title", "key"), *questions.values_list("text", "key")]
    words = Counter(" ".join(text.split()) for text, _ in rows)
    keys = {" ".join(text.split()): key for text, key in rows}
    return {text: key for text, key in keys.items() if words[text] == 1}


def taken_keys(script: Script) -> set[str]:
    """Return the keys of all sections and questions."""
    questions = Question.objects.filter(section__script=script)
    return {
        *script.sections.values_list("key", flat=True),
        *questions.values_list("key", flat=True),
    }


def add_missing_parts(script: Script, document: ScriptDocument) -> ScriptDocument:
    """Return the document with the stored sections and questions that it doesn't hold, at the end.

    A question that the document has in another section has moved there, unless its key stands for
    several questions: keys are unique within a section only.
    """
    stored, parts = script_document(script).sections, {part.key: part for part in document.sections}
    homes = Counter(question.key for section in stored for question in section.questions)
    held = {(part.key, question.key) for part in document.sections for question in part.questions}
    moved = {key for _, key in held if homes[key] == 1}
    missing = []
    for section in stored:
        left = [
            question
            for question in section.questions
            if question.key not in moved and (section.key, question.key) not in held
        ]
        if part := parts.get(section.key):
            parts[section.key] = part.model_copy(update={"questions": [*part.questions, *left]})
        elif left or not section.questions:
            missing.append(section.model_copy(update={"questions": left}))
    return document.model_copy(update={"sections": [*parts.values(), *missing]})


@transaction.atomic
def apply_script(document: ScriptDocument, script: Script | None = None) -> Script:
    """Store the document as a new script, or make the given one equal to it.

    Rows are matched by key, so that they keep their history; others are deleted.
    """
    head = {name: getattr(document, name) for name in HEAD}
    script = update_if_changed(script, head) if script else Script.objects.create(**head)
    sync_rows(script.sections, document.sections, ["title"], _apply_questions)
    return script


def _apply_questions(section: Section, part: SectionDocument) -> None:
    sync_rows(section.questions, part.questions, QUESTION_FIELDS)
