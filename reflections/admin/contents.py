"""What is in a product, in figures."""

from reflections.models import Reflection
from reflections.products import Content, known_product


def counts(reflection: Reflection) -> str:
    """A few words such as “12 statements, 30 quotes”; empty where there is nothing to count."""
    if not reflection.content:
        return ""
    product = known_product(reflection.name)
    count = product.counts if product and product.counts else _counted
    told = (f"{n} {one if n == 1 else many}" for n, one, many in count(reflection.content) if n)
    return ", ".join(told)


def _counted(content: Content) -> list[tuple[int, str, str]]:
    """Statements and quotes, else questions and answers."""
    if content.get("sections"):
        told = [one for part in content["sections"] for one in part.get("statements", ())]
        quotes = sum(len(one.get("quotes", ())) for one in told)
        return [(len(told), "statement", "statements"), (quotes, "quote", "quotes")]
    return [(len(content.get("items", ())), "question answered", "questions answered")]
