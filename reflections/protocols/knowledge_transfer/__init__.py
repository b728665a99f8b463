"""The results of a handover: summary by topic, onboarding package, Q&A context.

types          what was said and known, and the products
makers         make the products
questions      questions with their facts, open points, documents
portions       split long material, whole questions together
llm_tasks      the model tasks of the summary
summary        the summary under five headings, by a model from the facts
package        the package for the successor; a model says how to begin
qa_context     one row per fact, then the open questions
checks         what code changes in a model's statements
phrases        fixed texts by language; markdown, package_files: products as documents
downloads, exports, forms, pages: files, tables, the form and the pages of the admin
topics         the backlog's questions as topics
"""

from interviews.models import Session
from reflections.products import KeptFact, Product, ProtocolResults
from reflections.protocols.knowledge_transfer import downloads, makers, pages
from reflections.protocols.knowledge_transfer.exports import TRANSFER_SUMMARIES
from reflections.protocols.knowledge_transfer.llm_tasks import SUMMARY
from reflections.protocols.knowledge_transfer.package import ONBOARDING
from reflections.protocols.knowledge_transfer.topics import backlog_topics


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
            files=downloads.SUMMARY_FILES,
        ),
        Product(
            makers.PACKAGE,
            makers.onboarding_package,
            tasks=(ONBOARDING,),
            wanted=lambda session: False,  # only after the summary
            about_a_person=False,
            view=pages.package_view,
            files=downloads.PACKAGE_FILES,
        ),
        Product(
            makers.CONTEXT,
            makers.qa_context,
            title="Q&A context",
            wanted=lambda session: False,  # only after the summary
            about_a_person=False,
            view=pages.context_view,
            files=downloads.CONTEXT_FILES,
            counts=lambda content: [(len(content.get("rows", ())), "row", "rows")],
        ),
    ),
    tables=(TRANSFER_SUMMARIES,),
    by_rules=frozenset({"summary", "facts"}),
    facts=_facts,
    topics=backlog_topics,
)
