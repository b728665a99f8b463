"""The form for a summary: one statement per line, its facts in brackets at the end."""

import re
from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminTextareaWidget

from reflections.protocols.knowledge_transfer.phrases import phrasebook
from reflections.protocols.knowledge_transfer.types import (
    HEADINGS,
    SummarySection,
    SummaryStatement,
    TransferSummary,
)

LINE = re.compile(r"(?P<text>.*?)\s*(?:\[(?P<facts>[\d,\s]+)\])?\s*", re.S)


class SummaryForm(forms.Form):
    def __init__(self, original: TransferSummary, known: set[int], data: Any = None) -> None:
        super().__init__(data, initial=_initial(original), prefix="summary")
        self.known = known
        self.say = phrasebook(original.language)
        for heading in HEADINGS:
            self.fields[heading] = forms.CharField(
                required=False,
                label=self.say(heading),
                widget=UnfoldAdminTextareaWidget(attrs={"rows": 6}),
                help_text="One statement a line. The facts it rests on stand at its end: [1, 3].",
            )

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        sections = self.sections(data)
        for section in sections:
            missing = {n for one in section.statements for n in one.facts} - self.known
            if missing:
                named = ", ".join(map(str, sorted(missing)))
                self.add_error(section.heading, f"There is no fact {named}.")
        if not any(section.statements for section in sections):
            self.add_error(HEADINGS[0], "Write at least one statement.")
        return data

    def sections(self, data: dict[str, Any] | None = None) -> list[SummarySection]:
        written = self.cleaned_data if data is None else data
        return [
            SummarySection(
                heading=one, title=self.say(one), statements=_statements(written.get(one, ""))
            )
            for one in HEADINGS
        ]


def _initial(summary: TransferSummary) -> dict[str, Any]:
    return {one.heading: "\n".join(map(_line, one.statements)) for one in summary.sections}


def _line(statement: SummaryStatement) -> str:
    facts = ", ".join(map(str, statement.facts))
    return f"{statement.text} [{facts}]" if facts else statement.text


def _statements(text: str) -> list[SummaryStatement]:
    return [_statement(line) for line in text.splitlines() if line.strip()]


def _statement(line: str) -> SummaryStatement:
    found = LINE.fullmatch(line)
    if found is None or not found["text"].strip():
        return SummaryStatement(text=line.strip())
    numbers = re.findall(r"\d{1,9}", found["facts"] or "")
    return SummaryStatement(
        text=found["text"].strip(), facts=list(dict.fromkeys(map(int, numbers)))
    )
