"""The results of a handover: summary by topic, onboarding package, Q&A context."""

from interviews.models import Session
from interviews.protocols.knowledge_transfer.backlog import backlog_of, in_families
from interviews.protocols.knowledge_transfer.context import ANSWERED
from interviews.protocols.knowledge_transfer.state import BacklogItem
from reflections.evidence.topics import Topic
from reflections.products import KeptFact, Product, ProtocolResults
from reflections.protocols.knowledge_transfer import makers, pages
from reflections.protocols.knowledge_transfer.exports import TRANSFER_SUMMARIES
from reflections.protocols.knowledge_transfer.package import ONBOARDING
from reflections.protocols.knowledge_transfer.summary import SUMMARY


def backlog_topics(session: Session) -> tuple[Topic, ...]:
    """Return one topic per question, with the follow-ups that it led to."""
    families = list[list[BacklogItem]]()
    for depth, item in in_families(backlog_of(session.plan_id, session.state)):
        if depth == 0 or not families:
            families.append([])
        families[-1].append(item)
    return tuple(map(_topic, families))


def _topic(items: list[BacklogItem]) -> Topic:
    keys = tuple(item.id for item in items)
    return Topic(
        key=keys[0],
        label=items[0].text,
        questions=frozenset(keys),
        planned=keys,
        answered=frozenset(item.id for item in items if item.status == ANSWERED),
    )


def _facts(session: Session) -> tuple[KeptFact, ...]:
    return tuple((fact.text, (fact.position,)) for fact in makers.known_facts(session))


RESULTS = ProtocolResults(
    products=(
        Product(
            makers.SUMMARY,
            makers.transfer_summary,
            followed_by=(makers.PACKAGE, makers.CONTEXT),
            tasks=(SUMMARY,),
            about_a_person=False,
            view=pages.summary_view,
            amendment=pages.SUMMARY_AMENDMENT,
            files=pages.SUMMARY_FILES,
        ),
        Product(
            makers.PACKAGE,
            makers.onboarding_package,
            tasks=(ONBOARDING,),
            wanted=lambda session: False,  # only after the summary
            about_a_person=False,
            view=pages.package_view,
            files=pages.PACKAGE_FILES,
        ),
        Product(
            makers.CONTEXT,
            makers.qa_context,
            title="Q&A context",
            wanted=lambda session: False,  # only after the summary
            about_a_person=False,
            view=pages.context_view,
            files=pages.CONTEXT_FILES,
            counts=lambda content: [(len(content.get("rows", ())), "row", "rows")],
        ),
    ),
    tables=(TRANSFER_SUMMARIES,),
    by_rules=frozenset({"summary", "facts"}),
    facts=_facts,
    topics=backlog_topics,
)
