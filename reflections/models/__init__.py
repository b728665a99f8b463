"""What is made of interviews: products, what people say of them, and how far to trust them.

products       one product of one interview
reviews        what a person says of a product
experts        who reads whole interviews
batches        many interviews at one wish
calibrations   how well a replica answers as the participant did
"""

from reflections.models.batches import Batch
from reflections.models.calibrations import Calibration
from reflections.models.experts import Expert
from reflections.models.products import EXPERT, TITLES, Reflection
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
