"""The product of every expert; its name is completed by the expert's key."""

from reflections.experts.llm_tasks import REFLECT
from reflections.experts.makers import expert_reflection
from reflections.models import EXPERT
from reflections.products import Product

EXPERT_REFLECTION = Product(
    EXPERT, expert_reflection, tasks=(REFLECT,), condenses=True, has_statements=True
)
