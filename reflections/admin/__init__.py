"""The admin of what is made of interviews: to find it, to read it, to review it.

reflections        the list and the page
product_page       what the page of a product shows; statements: a document with its quotes
review_forms       a reviewer's forms; statements_form: that in which statements are amended
quote_spans        where quotes stand in a text
panel, contents    an interview's products on its page
batches            many interviews at one request (batch_*: form and page)
experts            who reads interviews (expert_form)
calibrations       how well replicas answer (calibration_*: forms, request, page, plot)
"""

from reflections.admin.batches import BatchAdmin
from reflections.admin.calibrations import CalibrationAdmin
from reflections.admin.experts import ExpertAdmin
from reflections.admin.reflections import ReflectionAdmin

__all__ = ["BatchAdmin", "CalibrationAdmin", "ExpertAdmin", "ReflectionAdmin"]
