"""The admin of what is made of interviews: to find it, to read it, to review it.

batches, calibrations, evaluations, experts and reflections hold the model admins; panel shows an
interview's products on its own page, coding_page its codes, findings_page what a bot's interviews
have in common, study_stages how far a study is, study_report_page what a model writes on it; the
other modules are the forms and pages of these.
"""

from reflections.admin.batches import BatchAdmin
from reflections.admin.calibrations import CalibrationAdmin
from reflections.admin.coding_page import CodingExtension
from reflections.admin.evaluations import EvaluationAdmin
from reflections.admin.experts import ExpertAdmin
from reflections.admin.findings_page import FindingsExtension
from reflections.admin.reflections import ReflectionAdmin
