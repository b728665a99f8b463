from collections.abc import Collection, Mapping
from typing import Any

from pydantic import BaseModel

from plans.portability.csv_rows import BACKLOG_COLUMNS, QUESTIONS, TOPICS, read_backlog_rows
from plans.portability.decoder import text_of
from plans.portability.documents import BacklogDocument, BotDocument, ScriptDocument, TopicsDocument
from plans.portability.formats import Format, detect
from plans.portability.keys import fill_backlog_keys, fill_bot_keys, fill_keys, items_in
from plans.portability.problems import BrokenDocument, Problem, broken
from plans.portability.tree import Tree, read_block
from plans.portability.validation import check
from plans.protocols import PROTOCOLS

# Parts that only some kinds of interview have.
PARTS = ("scripts", "topics", "data_fields", "summary", "backlog", "concept", "methodology")


def read_script(
    content: str | bytes,
    form: Format | None = None,
    head: Mapping[str, str] | None = None,
    name: str = "",
    known: Mapping[str, str] | None = None,
    stored: Collection[str] = (),
) -> ScriptDocument:
    """Return the script in a file's content. Raises BrokenDocument.

    `head` gives name, language, intro and outro, which a CSV file doesn't hold. `known` maps titles
    and texts of the stored script to their keys, for rows without a key; other rows get none of its
    `stored` keys.
    """
    text = text_of(content)
    form = form or detect(text, name)
    if form == "csv":
        tree = QUESTIONS.read(text)
        tree.data |= head or {}
    else:
        tree = read_block(text, form == "json")
        _refuse_kind(tree, "interviewsite/script", "bot")
    fill_keys(tree.data, known, stored)
    return check(ScriptDocument, tree)


def read_bot(content: str | bytes, form: Format | None = None, name: str = "") -> BotDocument:
    """Return the bot in a file's content. Raises BrokenDocument."""
    text = text_of(content)
    form = form or detect(text, name)
    if form == "csv":
        raise broken("A bot comes as JSON or YAML; CSV holds only questions or topics.")
    tree = read_block(text, form == "json")
    _refuse_kind(tree, "interviewsite/bot", "script")
    fill_bot_keys(tree.data)
    document = check(BotDocument, tree)
    _check_parts(document, tree)
    protocol = PROTOCOLS[document.protocol]
    options = non_default_options(check(protocol.content.options, tree.part("options")))
    document = document.model_copy(update={"options": options})
    return document.model_copy(update=protocol.own_parts.read(document, tree))


def read_topics(content: str | bytes, known: Mapping[str, str] | None = None) -> TopicsDocument:
    """Return the topics in a CSV file. Raises BrokenDocument.

    `known` maps labels of the bot's topics to their keys, for rows without a key.
    """
    tree = TOPICS.read(text_of(content))
    fill_bot_keys(tree.data, known)
    return check(TopicsDocument, tree)


def read_backlog(
    content: str | bytes,
    form: Format | None = None,
    name: str = "",
    known: Mapping[str, str] | None = None,
) -> BacklogDocument:
    """Return the backlog in a file's content. Raises BrokenDocument.

    `known` maps the texts of existing questions to their keys, for rows without a key.
    """
    text = text_of(content)
    form = form or detect(text, name, BACKLOG_COLUMNS)
    if form == "csv":
        tree = read_backlog_rows(text)
    else:
        tree = read_block(text, form == "json", "questions")
        _refuse_kind(tree, "interviewsite/backlog", "bot")
        _refuse_kind(tree, "interviewsite/backlog", "script")
    fill_backlog_keys(items_in(tree.data, "questions"), known)
    return check(BacklogDocument, tree)


def _refuse_kind(tree: Tree, wanted: str, other: str) -> None:
    """Report a file of another kind as one problem instead of many unknown fields."""
    if str(tree.data.get("format", wanted)).endswith(f"/{other}"):
        raise broken(f"this file holds a {other}, not a {wanted.split('/')[1]}", 1, "format")


def _check_parts(document: BotDocument, tree: Tree) -> None:
    if document.protocol not in PROTOCOLS:
        what = f"is not a kind of interview; known: {', '.join(PROTOCOLS)}"
        raise broken(what, tree.line(("protocol",)), "protocol")
    known_parts = PROTOCOLS[document.protocol].parts
    foreign = [part for part in PARTS if getattr(document, part) and part not in known_parts]
    if foreign:
        what = f"is nothing that a bot of the kind {document.protocol} has"
        raise BrokenDocument(Problem(what, tree.line((part,)), part) for part in foreign)


def non_default_options(options: BaseModel) -> dict[str, Any]:
    """Return only what differs from the defaults, so that better defaults reach old bots."""
    return options.model_dump(mode="json", exclude_defaults=True)
