from reflections.models import Reflection
from reflections.products import Content, known_product


def counts(reflection: Reflection) -> str:
    """Return such as “12 statements, 30 quotes”; empty if there is nothing to count."""
    if not reflection.content:
        return ""
    product = known_product(reflection.name)
    count = product.counts if product and product.counts else _default_counts
    parts = (f"{n} {one if n == 1 else many}" for n, one, many in count(reflection.content) if n)
    return ", ".join(parts)


def _default_counts(content: Content) -> list[tuple[int, str, str]]:
    if content.get("sections"):
        statements = [one for part in content["sections"] for one in part.get("statements", ())]
        quotes = sum(len(one.get("quotes", ())) for one in statements)
        return [(len(statements), "statement", "statements"), (quotes, "quote", "quotes")]
    return [(len(content.get("items", ())), "question answered", "questions answered")]
