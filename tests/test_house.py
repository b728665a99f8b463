"""The rules of the house that no linter knows."""

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterable
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import grimp
import networkx as nx
from packaging.utils import canonicalize_name

import interviewsite.apps  # noqa: F401
from interviews import protocols
from interviews.engine.guards import MARKUP
from llm.calls.schema import shape
from llm.tasks.task import all_tasks
from llm.tasks.templates import check
from plans.protocols import PROTOCOLS
from tests.each import each
from tests.fake_provider.replies import REPLIES

ROOT = Path(__file__).resolve().parents[1]
APPS = ("interviewsite", "llm", "plans", "interviews", "reflections")
FIELD_TERMS = {"leading", "masking", "reading", "rendering", "routing", "sealing"}  # modules
OWN_NAMES = {"Command", "Media", "Meta"}  # classes that Django finds by their name


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def sources() -> list[Path]:
    return [path for app in APPS for path in (ROOT / app).rglob("*.py")]


@each("task", all_tasks())
def test_a_prompts_variables_are_its_inputs_fields(task):
    check(task)


@each("task", [one for one in all_tasks() if one.template.is_relative_to(ROOT / "interviews")])
def test_what_people_said_stands_inside_delimiters(task):
    message = task.template.read_text(encoding="utf-8").partition("# Message")[2]
    outside = re.findall(r"\$([a-z_]+)", re.sub(r"(?s)<(\w+)>.*?</\1>", "", message))
    spoken = {
        name
        for name, field in task.input.model_fields.items()
        if "_escape_in_prompts" in f"{field.annotation} {field.metadata}"
    }
    assert not spoken.intersection(outside)


@each("task", [one for one in all_tasks() if one.template.is_relative_to(ROOT / "interviews")])
def test_no_delimiter_of_a_prompt_is_shown(task):
    message = task.template.read_text(encoding="utf-8").partition("# Message")[2]
    tags = re.findall(r"</?\w+>", message)
    assert [tag for tag in tags if not MARKUP.search(tag)] == []


def test_every_protocol_has_its_content():
    assert set(protocols.PROTOCOLS) == set(PROTOCOLS)
    assert all(name == protocol.name for name, protocol in protocols.PROTOCOLS.items())


def test_only_events_touches_the_channel_layer():
    users = {
        path.relative_to(ROOT).as_posix()
        for path in sources()
        if "channels.layers" in path.read_text(encoding="utf-8")
    }
    assert users <= {"interviews/turns/events.py", "interviewsite/settings.py"}


def imported(path: Path) -> set[str]:
    """The dotted names of all modules and objects that a file imports."""
    found = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found


def reaching_in(path: Path) -> set[tuple[str, str]]:
    """This file with each protocol of whose own modules it imports something from outside."""
    place = path.relative_to(ROOT).with_suffix("")
    if place.parts[1:] == ("protocols", "__init__"):  # the literal tables
        return set()
    modules = [name.split(".") for name in imported(path) if name.startswith(APPS)]
    named = {protocol for protocol in protocols.PROTOCOLS for name in modules if protocol in name}
    return {(f"{place.as_posix()}.py", one) for one in named if one not in place.parts}


def test_nothing_outside_a_protocol_imports_it():
    assert not set().union(*map(reaching_in, sources()))


def test_an_import_from_outside_is_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr("tests.test_house.ROOT", tmp_path)
    outside = tmp_path / "interviews" / "turns.py"
    inside = tmp_path / "interviews" / "protocols" / "laddering" / "rows.py"
    table = tmp_path / "interviews" / "protocols" / "__init__.py"
    for path in (inside, table, outside):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("def late():\n    from interviews.protocols.laddering import graph\n")
    assert reaching_in(inside) == reaching_in(table) == set()
    assert reaching_in(outside) == {("interviews/turns.py", "laddering")}


def test_every_package_that_is_imported_is_required():
    text = (ROOT / "requirements.in").read_text() + (ROOT / "pyproject.toml").read_text()
    named = re.findall(r'^([\w.-]+)|"([\w-]+)>', text, re.M)
    required = {canonicalize_name(one or optional) for one, optional in named}
    top = {name.partition(".")[0] for path in sources() for name in imported(path)}
    provided = packages_distributions()
    foreign = top - {*APPS, *sys.stdlib_module_names}
    known = {
        name: {canonicalize_name(one) for one in provided.get(name, [name])} for name in foreign
    }
    assert not {name: found for name, found in known.items() if not found & required}


def test_the_engine_knows_no_database():
    for path in (ROOT / "interviews" / "engine").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert "import django" not in text
        assert "from django" not in text


def test_templates_have_no_long_lines():
    long = [
        f"{path.relative_to(ROOT).as_posix()}:{number}"
        for path in sorted([*(ROOT / "templates").rglob("*"), *ROOT.glob("*/exports/*.html")])
        if path.is_file()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > 120
    ]
    assert not long


def test_style_sheets_ask_for_sizes_as_older_phones_do():
    """Before iOS 16.4, iPhones skip what stands under `(width < 30rem)`."""
    sheets = sorted((ROOT / "static").rglob("*.css"))
    newer = re.compile(r"@media[^{]*[<>]")
    assert not [path.name for path in sheets if newer.search(path.read_text(encoding="utf-8"))]


def test_files_stay_small():
    long = {
        p.relative_to(ROOT).as_posix(): n
        for p in sources()
        if "migrations" not in p.parts and (n := len(p.read_text().splitlines())) > 700
    }
    assert not long


def repeated_names(files: Iterable[Path]) -> set[str]:
    """The names that more than one class at the top of these modules has."""
    found = Counter(
        node.name for path in files for node in parsed(path).body if isinstance(node, ast.ClassDef)
    )
    return {name for name, times in found.items() if times > 1} - OWN_NAMES


@each("app", APPS)
def test_no_two_classes_of_an_app_share_a_name(app):
    files = [path for path in (ROOT / app).rglob("*.py") if "migrations" not in path.parts]
    assert not repeated_names(files)


def test_a_repeated_name_is_noticed(tmp_path):
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text(
            "class Part:\n    class Meta: ...\nclass Command: ...\n"
        )
    assert repeated_names(tmp_path.glob("*.py")) == {"Part"}


def test_modules_are_named_by_terms_of_the_field():
    passed_over = {"migrations", "commands"}  # commands are named by what they do
    names = {path.stem for path in sources() if not passed_over & {*path.parts}}
    assert {name for name in names if name.endswith("ing")} == FIELD_TERMS


@each("app", APPS)
def test_few_modules_lie_loose_in_an_app(app):
    loose = {path.stem for path in (ROOT / app).glob("*.py")} - {"__init__", "apps"}
    assert len(loose) <= 5, loose


def test_no_modules_import_each_other_in_circles():
    graph = grimp.build_graph(*APPS, cache_dir=None)
    imports = nx.DiGraph(
        (module, other)
        for module in graph.modules
        for other in graph.find_modules_directly_imported_by(module)
    )
    circles = [one for one in nx.strongly_connected_components(imports) if len(one) > 1]
    assert not circles


def test_the_fake_model_replies_to_tasks_that_there_are():
    assert set(REPLIES) <= {
        shape(task.output).name for task in all_tasks() if task.output is not str
    }
