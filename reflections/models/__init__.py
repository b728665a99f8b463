from reflections.models.experts import Expert
from reflections.models.products import EXPERT, TITLES, Batch, Calibration, Reflection
from reflections.models.reviews import Judgement, Review, ReviewStep

__all__ = [
    "EXPERT",
    "TITLES",
    "Batch",
    "Calibration",
    "Expert",
    "Judgement",
    "Reflection",
    "Review",
    "ReviewStep",
]
