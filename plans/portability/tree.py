"""JSON and YAML as plain data with the line number of each part."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NoReturn

import yaml

from llm.tasks.yaml_files import SAFE_LOADER
from plans.portability.problems import BrokenDocument, Problem, broken

Loc = tuple[str | int, ...]
Lines = dict[Loc, int]
DEPTH = 20  # a script is 5 deep
PLAIN_TAGS = {
    f"tag:yaml.org,2002:{name}"
    for name in ("str", "int", "float", "bool", "null", "timestamp", "map", "seq", "merge", "value")
}


@dataclass
class Tree:
    """Plain data, the lines of its parts, and a function that names a location."""

    data: Any
    lines: Lines = field(default_factory=dict)
    name: Callable[[Loc], str] = lambda loc: dotted(loc)

    def line(self, loc: Loc) -> int | None:
        """Return the line of a part, or of the nearest enclosing part that has one."""
        for end in range(len(loc), -1, -1):
            if loc[:end] in self.lines:
                return self.lines[loc[:end]]
        return None

    def part(self, name: str) -> "Tree":
        """Return what a field holds, whose parts still have their lines and names in the file."""
        lines = {loc[1:]: line for loc, line in self.lines.items() if loc[:1] == (name,)}
        return Tree(self.data.get(name, {}), lines, lambda loc: self.name((name, *loc)))


def is_json(text: str) -> bool:
    return text.lstrip().startswith("{")


def read_block(text: str, as_json: bool, begins: str = "format and version") -> Tree:
    """Return a file's named fields, which begin with these. Raises BrokenDocument."""
    tree = read_json(text) if as_json else read_yaml(text)
    if not isinstance(tree.data, dict):
        raise broken(f"must be a block of named fields, beginning with {begins}", 1)
    return tree


def read_yaml(text: str) -> Tree:
    """Return YAML as mappings, lists and texts. Raises BrokenDocument.

    Scalars stay the text as written, so that `title: No` is the title “No”; pydantic converts
    numbers and booleans.
    """
    node = _compose(text)
    if node is None:
        raise broken("The file is empty.", 1)
    return _read_node(node)


def _read_node(node: yaml.Node | None) -> Tree:
    lines, problems = Lines(), list[Problem]()
    data = _to_plain(node, (), lines, problems)
    if problems:
        raise BrokenDocument(problems)
    return Tree(data, lines)


def read_json(text: str) -> Tree:
    """Return JSON as a tree. Raises BrokenDocument."""
    try:
        data = json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise broken(f"This is not valid JSON: {error.msg}.", error.lineno) from error
    except (ValueError, RecursionError) as error:
        raise broken("This is not valid JSON: a number or nesting is too large.") from error
    return Tree(data, _json_lines(text))


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _json_lines(text: str) -> Lines:
    """Return line numbers by reading the JSON as YAML; empty if that fails."""
    try:
        node = _compose(text.replace("\t", " "))
    except BrokenDocument:
        return {}
    return _read_node(node).lines


def _compose(text: str) -> yaml.Node | None:
    try:
        _check_events(text)
        return yaml.compose(text, Loader=SAFE_LOADER)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        what = error.problem or error.context or "it can't be read"
        raise broken(f"This is not valid YAML: {what}.", mark.line + 1 if mark else None) from error
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise broken("This is not valid YAML.") from error


def _check_events(text: str) -> None:
    """Refuse aliases, which can make a small file huge, and deep nesting."""
    depth = 0
    for event in yaml.parse(text, Loader=SAFE_LOADER):
        line = event.start_mark.line + 1 if event.start_mark else None
        if isinstance(event, yaml.AliasEvent):
            raise broken("references (*name) are not used here; write the text out", line)
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > DEPTH:
            raise broken("the nesting is too deep", line)


def _to_plain(node: yaml.Node | None, loc: Loc, lines: Lines, problems: list[Problem]) -> Any:
    if node is None:
        return None
    lines.setdefault(loc, node.start_mark.line + 1)
    if node.tag not in PLAIN_TAGS:
        problems.append(Problem(f"tags such as {node.tag} are not used here", lines[loc]))
        return None
    if isinstance(node, yaml.MappingNode):
        return dict(_mapping_items(node, loc, lines, problems))
    if isinstance(node, yaml.SequenceNode):
        return [_to_plain(item, (*loc, i), lines, problems) for i, item in enumerate(node.value)]
    return None if node.tag.endswith(":null") else str(node.value)


def _mapping_items(
    node: yaml.MappingNode, loc: Loc, lines: Lines, problems: list[Problem]
) -> Iterator[tuple[str, Any]]:
    seen: set[str] = set()
    for key, value in node.value:
        line = key.start_mark.line + 1
        name = str(key.value) if isinstance(key, yaml.ScalarNode) else ""
        if not name or name in seen:
            what = f"“{name}” is there twice" if name else "a field has no name"
            problems.append(Problem(what, line, dotted(loc)))
            continue
        seen.add(name)
        lines[(*loc, name)] = line
        yield name, _to_plain(value, (*loc, name), lines, problems)


def dotted(loc: Loc) -> str:
    """Return a location as people write it: sections[2].questions[0].text."""
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in loc)
    return "".join(parts).lstrip(".")
