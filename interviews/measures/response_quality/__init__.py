"""How much care an answer seems to have been given: a rating for researchers, by rules alone.

Nothing acts on it, and participants never see it. It only points at answers worth reading again: a
short answer can be the whole truth.
"""

from interviews.measures.response_quality.score import HURRIED, Effort
from interviews.measures.response_quality.signs import Sign
