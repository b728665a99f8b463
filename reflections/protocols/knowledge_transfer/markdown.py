"""Summary and package as Markdown."""

from collections.abc import Iterable, Iterator

from plans.text.markdown import as_words
from reflections.protocols.knowledge_transfer.types import (
    OpenPoint,
    Package,
    PackageFact,
    Place,
    QuestionAnswers,
    Say,
    StartHere,
    Step,
    SummarySection,
    TransferSummary,
    phrasebook,
)

ORIGINS = {"FOLLOW_UP": "followed_up", "DISCOVERED": "discovered"}


def summary_markdown(summary: TransferSummary, project: str) -> str:
    say = phrasebook(summary.language)
    lines = [f"# {say('summary_title', project=as_words(project))}", ""]
    if summary.sections:
        lines += _sections(summary.sections, say, linked=False)
    else:
        lines += [say("no_summary"), "", f"## {say('asked_and_answered')}", ""]
        for item in summary.items:
            lines += [f"### {as_words(item['asked'])}", "", *_quoted(item["answers"]), ""]
    return _to_text(lines)


def package_markdown(package: Package) -> str:
    say = phrasebook(package.language)
    return _to_text(
        [
            *_head(package, say),
            *_start(package.start, say),
            *(_sections(package.sections, say) or [say("no_summary"), ""]),
            *_questions(package.questions, say),
            *_open(package.open_points, say),
            *_people(package, say),
            *_documents(package, say),
        ]
    )


def package_title(package: Package) -> str:
    return phrasebook(package.language)("package_title", project=package.project)


def _head(package: Package, say: Say) -> list[str]:
    about = [say("by", who=as_words(package.handed_over_by))] if package.handed_over_by else []
    about.append(say("made_on", date=package.made_at[:10]))
    title = say("package_title", project=as_words(package.project))
    return [f"# {title}", "", " · ".join(about), "", say("made_of"), ""]


def _start(start: StartHere, say: Say) -> list[str]:
    opening = f"{as_words(start.orientation.text)}{_fact_links(start.orientation.facts)}"
    steps = [
        f"{place}. {as_words(step.text)}{_fact_links(step.facts)}{_point_numbers(step, say)}"
        for place, step in enumerate(start.steps, start=1)
    ]
    return [f"## {say('start')}", "", opening, "", *steps, ""]


def _sections(sections: Iterable[SummarySection], say: Say, linked: bool = True) -> list[str]:
    lines = []
    for section in sections:
        parts = [
            f"- {as_words(one.text)}{_fact_links(one.facts, linked)}" for one in section.statements
        ] or [say("nothing")]
        lines += [f"## {as_words(section.title)}", "", *parts, ""]
    return lines


def _fact_links(facts: Iterable[int], linked: bool = True) -> str:
    parts = [f"[{n}](#fact-{n})" if linked else str(n) for n in facts]
    return f" ({', '.join(parts)})" if parts else ""


def _point_numbers(step: Step, say: Say) -> str:
    return f" ({say('point', numbers=', '.join(map(str, step.points)))})" if step.points else ""


def _questions(questions: Iterable[QuestionAnswers], say: Say) -> list[str]:
    lines = [f"## {say('questions')}", "", say("confidences"), ""]
    under = ""  # the question whose heading stands above
    for one in questions:
        if one.origin != "FOLLOW_UP" or under != one.parent:
            under = one.parent if one.origin == "FOLLOW_UP" else one.question
            lines += [f"### {as_words(under)}", "", *_about(one, say)]
        if one.question != under:
            lines += [f"*{as_words(one.question)}*", ""]
        lines += [*_evidence(one, say), ""]
    return lines


def _about(one: QuestionAnswers, say: Say) -> list[str]:
    parts = [say("confidence", value=one.confidence)] if one.confidence is not None else []
    if one.parent and one.origin != "FOLLOW_UP":
        parts.append(_origin(one, say))
    if one.documents:
        parts.append(say("from", documents=_source_list(one.documents)))
    return [" · ".join(parts), ""] if parts else []


def _origin(one: QuestionAnswers | OpenPoint, say: Say) -> str:
    return say(ORIGINS.get(one.origin, "discovered"), question=as_words(one.parent))


def _evidence(one: QuestionAnswers, say: Say) -> list[str]:
    if one.facts:
        return [_fact(fact, say) for fact in one.facts]
    if not any(answer.text for answer in one.answers):
        return [say("personal")]
    return [say("in_their_words"), "", *_quoted(answer.model_dump() for answer in one.answers)]


def _fact(fact: PackageFact, say: Say) -> str:
    """Return a list item that begins with a link to itself, which makes it the link's target."""
    about = [say("answer", position=fact.position), *([say("edited")] if fact.edited else [])]
    about += [say("contradicts", number=number) for number in fact.contradicts]
    return f"- [{fact.number}](#fact-{fact.number}) {as_words(fact.text)} ({', '.join(about)})"


def _quoted(answers: Iterable[dict[str, object]]) -> Iterator[str]:
    for answer in answers:
        paragraphs = [as_words(line) for line in str(answer["text"]).splitlines() if line.strip()]
        yield from "\n>\n".join(f"> {line}" for line in paragraphs).split("\n")
        yield ""


def _open(points: Iterable[OpenPoint], say: Say) -> list[str]:
    items = [_point(place, point, say) for place, point in enumerate(points, start=1)]
    return [f"## {say('open_points')}", "", *(items or [say("no_open_points")]), ""]


def _point(place: int, point: OpenPoint, say: Say) -> str:
    parts = [f"**{as_words(point.question)}** ({point.priority}, {say(point.open_because)})"]
    if point.parent:
        parts.append(_origin(point, say))
    if point.why:
        parts.append(say("why", why=as_words(point.why)))
    if point.documents:
        parts.append(say("from", documents=_source_list(point.documents)))
    return f"{place}. " + "\\\n   ".join(parts)


def _people(package: Package, say: Say) -> list[str]:
    if not package.people:
        return []
    items = [
        f"- {as_words(one.text)} ({as_words(one.document) or say('answer', position=one.position)})"
        for one in package.people
    ]
    return [f"## {say('people')}", "", *items, ""]


def _documents(package: Package, say: Say) -> list[str]:
    head = [f"## {say('documents')}", ""]
    if not package.documents:
        return [*head, say("no_documents")]
    columns = [say(name) for name in ("document", "kind", "purpose")]
    rows = [[as_words(d.name), as_words(d.kind), as_words(d.purpose)] for d in package.documents]
    return [*head, *(f"| {' | '.join(row)} |" for row in (columns, ["---"] * 3, *rows))]


def _source_list(places: Iterable[Place]) -> str:
    return "; ".join(
        as_words(f"{one.name}, {one.place}" if one.place else one.name) for one in places
    )


def _to_text(lines: Iterable[str]) -> str:
    return "\n".join(lines).rstrip() + "\n"
