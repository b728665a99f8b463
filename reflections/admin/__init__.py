"""The admin of what is made of interviews: to find it, to read it, to review it.

reflections   the list and the page
page          what the page shows
reviewing     what a reviewer's form does
forms         the form itself
narrative     the form in which a summary by topic is amended
panel         an interview's products on its page
batches       many interviews at one wish
experts       who reads interviews
calibrations  how well replicas answer: list, page and form (calibration_*: their parts)
transfers     what the pages of a handover's products show
"""

from reflections.admin.batches import BatchAdmin
from reflections.admin.calibrations import CalibrationAdmin
from reflections.admin.experts import ExpertAdmin
from reflections.admin.reflections import ReflectionAdmin

__all__ = ["BatchAdmin", "CalibrationAdmin", "ExpertAdmin", "ReflectionAdmin"]
