"""The registry: what is made of the interviews of each protocol, and what is known of a product."""

from interviews import protocols
from interviews.models import Session
from plans.models import Plan
from reflections.models import Reflection
from reflections.products import (
    PRODUCTS,
    PROTOCOLS,
    followers,
    known_product,
    product_of,
    products_of,
)
from tests.each import each

COMMON = ("summary", "facts", "coverage")


@each(
    ("protocol", "own"),
    [
        ("life_story", ()),
        ("topic_exploration", ()),
        ("technical_assessment", ("report",)),
        ("knowledge_transfer", ("transfer_summary",)),
        ("laddering", ("ladders",)),
    ],
)
def test_what_is_made_of_an_interview(protocol, own):
    assert products_of(Session(plan=Plan(protocol=protocol))) == (*COMMON, *own)


def test_only_known_protocols_have_results_of_their_own():
    assert set(PROTOCOLS) <= set(protocols.PROTOCOLS)


def test_what_follows_or_needs_no_model_is_registered():
    assert {name for one in PRODUCTS for name in followers(one)} <= set(PRODUCTS)
    assert {name for one in PROTOCOLS.values() for name in one.by_rules} <= set(COMMON)


def test_an_experts_product_knows_the_expert():
    product = product_of("expert:gardener")
    assert product.name == "expert:gardener"
    assert product.make.keywords == {"key": "gardener"}
    assert product.has_statements


def test_what_is_not_made_any_more_can_still_be_shown():
    assert known_product("gone") is None
    assert followers("gone") == ()
    assert Reflection(name="gone_long_ago").title == "Gone long ago"
    assert Reflection(name="qa_context").title == "Q&A context"
