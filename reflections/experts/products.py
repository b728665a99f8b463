"""The product of every expert; the expert's key is added to its name."""

from reflections.experts.llm_tasks import REFLECT
from reflections.experts.makers import expert_reflection
from reflections.models import EXPERT
from reflections.products import Product

EXPERT_REFLECTION = Product(
    EXPERT, expert_reflection, tasks=(REFLECT,), condenses=True, has_statements=True
)
