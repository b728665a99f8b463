from reflections.models.evaluations import Evaluation, SimulatedInterview
from reflections.models.excerpts import CodebookCode, CodeSuggestions, Excerpt
from reflections.models.experts import Expert
from reflections.models.products import EXPERT, TITLES, Batch, Calibration, Reflection
from reflections.models.reviews import Judgement, Review, Reviewed, ReviewStep
from reflections.models.themes import ReportSource, StudyReport, ThemeSuggestions
