"""Summary and package as Markdown."""

from collections.abc import Iterable, Iterator

from plans.text.markdown import as_words
from reflections.protocols.knowledge_transfer.phrases import Say, sayings
from reflections.protocols.knowledge_transfer.types import (
    FactTold,
    OpenPoint,
    Package,
    Place,
    QuestionAnswers,
    StartHere,
    Step,
    SummarySection,
    TransferSummary,
)

ORIGINS = {"FOLLOW_UP": "followed_up", "DISCOVERED": "discovered"}


def summary_markdown(summary: TransferSummary, project: str) -> str:
    """The summary; without a model, the questions and answers."""
    say = sayings(summary.language)
    lines = [f"# {say('summary_title', project=as_words(project))}", ""]
    if summary.sections:
        lines += _sections(summary.sections, say, linked=False)
    else:
        lines += [say("no_summary"), "", f"## {say('asked_and_answered')}", ""]
        for item in summary.items:
            lines += [f"### {as_words(item['asked'])}", "", *_quoted(item["answers"]), ""]
    return _joined(lines)


def package_markdown(package: Package) -> str:
    say = sayings(package.language)
    return _joined(
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
    return sayings(package.language)("package_title", project=package.project)


def _head(package: Package, say: Say) -> list[str]:
    about = [say("by", who=as_words(package.handed_over_by))] if package.handed_over_by else []
    about.append(say("made_on", date=package.made_at[:10]))
    title = say("package_title", project=as_words(package.project))
    return [f"# {title}", "", " · ".join(about), "", say("made_of"), ""]


def _start(start: StartHere, say: Say) -> list[str]:
    opening = f"{as_words(start.orientation.text)}{_numbers(start.orientation.facts)}"
    steps = [
        f"{place}. {as_words(step.text)}{_numbers(step.facts)}{_points(step, say)}"
        for place, step in enumerate(start.steps, start=1)
    ]
    return [f"## {say('start')}", "", opening, "", *steps, ""]


def _sections(sections: Iterable[SummarySection], say: Say, linked: bool = True) -> list[str]:
    lines = []
    for section in sections:
        told = [
            f"- {as_words(one.text)}{_numbers(one.facts, linked)}" for one in section.statements
        ] or [say("nothing")]
        lines += [f"## {as_words(section.title)}", "", *told, ""]
    return lines


def _numbers(facts: Iterable[int], linked: bool = True) -> str:
    """The facts that it rests on, as links to them."""
    told = [f"[{n}](#fact-{n})" if linked else str(n) for n in facts]
    return f" ({', '.join(told)})" if told else ""


def _points(step: Step, say: Say) -> str:
    """The open points that it rests on, by their numbers."""
    return f" ({say('point', numbers=', '.join(map(str, step.points)))})" if step.points else ""


def _questions(questions: Iterable[QuestionAnswers], say: Say) -> list[str]:
    lines = [f"## {say('questions')}", "", say("confidences"), ""]
    for one in questions:
        lines += [f"### {as_words(one.question)}", "", *_about(one, say), *_found(one, say), ""]
    return lines


def _about(one: QuestionAnswers, say: Say) -> list[str]:
    """How sure, where it comes from."""
    told = [say("confidence", value=one.confidence)] if one.confidence is not None else []
    if one.parent:
        told.append(_came_up(one, say))
    if one.documents:
        told.append(say("from", documents=_named(one.documents)))
    return [" · ".join(told), ""] if told else []


def _came_up(one: QuestionAnswers | OpenPoint, say: Say) -> str:
    """With which question it came up."""
    return say(ORIGINS.get(one.origin, "discovered"), question=as_words(one.parent))


def _found(one: QuestionAnswers, say: Say) -> list[str]:
    """Its facts; the answer's own words where there are none."""
    if one.facts:
        return [_fact(fact, say) for fact in one.facts]
    return [say("in_their_words"), "", *_quoted(answer.model_dump() for answer in one.answers)]


def _fact(fact: FactTold, say: Say) -> str:
    """A list item that begins with a link to itself, which makes it the link's target."""
    about = [say("answer", position=fact.position), *([say("edited")] if fact.edited else [])]
    return f"- [{fact.number}](#fact-{fact.number}) {as_words(fact.text)} ({', '.join(about)})"


def _quoted(answers: Iterable[dict[str, object]]) -> Iterator[str]:
    """Answers as quotations, their line breaks kept as paragraphs."""
    for answer in answers:
        paragraphs = [as_words(line) for line in str(answer["text"]).splitlines() if line.strip()]
        yield from "\n>\n".join(f"> {line}" for line in paragraphs).split("\n")
        yield ""


def _open(points: Iterable[OpenPoint], say: Say) -> list[str]:
    items = [_point(place, point, say) for place, point in enumerate(points, start=1)]
    return [f"## {say('open_points')}", "", *(items or [say("no_open_points")]), ""]


def _point(place: int, point: OpenPoint, say: Say) -> str:
    told = [f"**{as_words(point.question)}** ({point.priority}, {say(point.open_because)})"]
    if point.parent:
        told.append(_came_up(point, say))
    if point.why:
        told.append(say("why", why=as_words(point.why)))
    if point.documents:
        told.append(say("from", documents=_named(point.documents)))
    return f"{place}. " + "\\\n   ".join(told)


def _people(package: Package, say: Say) -> list[str]:
    if not package.people:
        return []
    items = [f"- {as_words(one.text)} ({as_words(one.document)})" for one in package.people]
    return [f"## {say('people')}", "", *items, ""]


def _documents(package: Package, say: Say) -> list[str]:
    head = [f"## {say('documents')}", ""]
    if not package.documents:
        return [*head, say("no_documents")]
    columns = [say(name) for name in ("document", "kind", "purpose")]
    rows = [[as_words(d.name), as_words(d.kind), as_words(d.purpose)] for d in package.documents]
    return [*head, *(f"| {' | '.join(row)} |" for row in (columns, ["---"] * 3, *rows))]


def _named(places: Iterable[Place]) -> str:
    return "; ".join(
        as_words(f"{one.name}, {one.place}" if one.place else one.name) for one in places
    )


def _joined(lines: Iterable[str]) -> str:
    return "\n".join(lines).rstrip() + "\n"
