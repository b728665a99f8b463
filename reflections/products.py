"""The registry of products: what can be made of an interview, and how it is stored and shown.

Filled at start (apps.py) with the products of every interview and of each protocol.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from interviews.models import Session
from llm.tasks.task import Task
from reflections.models import EXPERT, TITLES, Reflection, Review

Content = dict[str, Any]  # as stored
Maker = Callable[..., Content]  # of a session; raises what plans.jobs knows
ADVICE = "Written by a program. Check it before others rely on it."
MADE_BY = {
    "model": "Written by a model",
    "fallback_model": "Written by the stand-in model",
    "rules": "Put together without a model",
}


@dataclass(frozen=True)
class FileFormat:
    label: str
    suffix: str
    media_type: str
    write: Callable[[Reflection, Review], bytes]


@dataclass(frozen=True)
class ProductView:
    """What the template of a product's page gets as `view`; protocols add fields."""

    template: str
    made_by: str = ""
    reason: str = ""
    advice: str = ADVICE
    out_of_date: str = ""
    not_amended: str = ""  # why there is no form to amend it


@dataclass(frozen=True)
class Amendment:
    """How a reviewer amends a product.

    `form(reflection, content, data)` returns the form, bound if there are data;
    `amended(reflection, form)` returns the whole content from a valid form.
    """

    form: Callable[[Any, Content, Any], Any]
    amended: Callable[[Any, Any], Content]


@dataclass(frozen=True)
class Product:
    """What can be made of an interview.

    `title` is needed only if the name isn't one. `tasks` are the model tasks, each called once.
    `wanted` tells whether it is made of an interview without anybody asking. `counts` returns
    (number, singular, plural) of what is in a content.
    """

    name: str
    make: Maker
    title: str = ""
    followed_by: tuple[str, ...] = ()  # made after it, and again with each new one
    tasks: tuple[Task[Any, Any], ...] = ()
    wanted: Callable[[Session], bool] = lambda session: True
    has_statements: bool = False  # with quotes, from a transcript that is condensed if it is long
    for_participants: bool = False
    about_a_person: bool = True  # and not about their work
    view: Callable[[Reflection, Content], ProductView] | None = None  # else as an outline
    amendment: Amendment | None = None
    comment_needed: Callable[[Content], bool] = lambda content: False  # to accept it
    files: Mapping[str, FileFormat] = field(default_factory=dict)  # besides JSON
    counts: Callable[[Content], list[tuple[int, str, str]]] | None = None


KeptFact = tuple[str, tuple[int, ...]]  # text, and positions of the answers it comes from


@dataclass(frozen=True)
class ProtocolResults:
    """What is special about the results of one protocol.

    `by_rules` names products of every interview that need no model here. These functions of a
    session return what the interview itself kept: `facts`, which are used as they are; `notes`,
    which replace facts if there is no model; `judgements` of answers, by position. `topics` returns
    what it was about if the script doesn't say so, `topic_positions` where each of the protocol's
    own topics was talked about.
    """

    products: tuple[Product, ...] = ()
    tables: tuple[Any, ...] = ()  # exports
    urls: str = ""  # module with pages for participants
    by_rules: frozenset[str] = frozenset()
    facts: Callable[[Session], tuple[KeptFact, ...]] | None = None
    notes: Callable[[Session], tuple[KeptFact, ...]] | None = None
    judgements: Callable[[Session], Mapping[int, Any]] | None = None
    judgements_right: str = ""  # permission that shows them
    topics: Callable[[Session], tuple[Any, ...]] | None = None
    topic_positions: Callable[[Session], Mapping[str, set[int]]] | None = None


PRODUCTS: dict[str, Product] = {}
PROTOCOLS: dict[str, ProtocolResults] = {}
_common: list[str] = []  # made of every interview
_NOTHING = ProtocolResults()


def register(products: Iterable[Product], common: bool = False) -> None:
    """Add products; `common` ones are made of every interview."""
    for product in products:
        PRODUCTS[product.name] = product
        if product.title:
            TITLES[product.name] = product.title
        if common and product.name not in _common:
            _common.append(product.name)


def product_of(name: str) -> Product:
    if not name.startswith(EXPERT):
        return PRODUCTS[name]
    expert = PRODUCTS[EXPERT]
    return replace(expert, name=name, make=partial(expert.make, key=name.removeprefix(EXPERT)))


def known_product(name: str) -> Product | None:
    return product_of(name) if name.startswith(EXPERT) or name in PRODUCTS else None


def followers(name: str) -> tuple[str, ...]:
    product = known_product(name)
    return product.followed_by if product else ()


def results_of(session: Session) -> ProtocolResults:
    return PROTOCOLS.get(session.plan.protocol, _NOTHING)


def products_of(session: Session) -> tuple[str, ...]:
    own = (product.name for product in results_of(session).products if product.wanted(session))
    return (*_common, *own)
