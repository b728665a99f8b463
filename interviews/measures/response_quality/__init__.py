"""How much care an answer looks to have been given: a rating for researchers, by rules alone.

Made when somebody looks or exports; nothing acts on it, and participants never see it. It points
at answers that are worth reading again, no more: a short answer can be the whole truth.

words        lists of words by language (words.yaml)
signs        what speaks for haste, each from 0 to 1
rating       the signs of each answer of an interview, put together
transcripts  the answers of a transcript, with their measures
"""

from interviews.measures.response_quality.answers import efforts
from interviews.measures.response_quality.score import HURRIED, Answer, Effort, rated, together
from interviews.measures.response_quality.signs import REASONS, WEIGHTS, Sign

__all__ = [
    "HURRIED",
    "REASONS",
    "WEIGHTS",
    "Answer",
    "Effort",
    "Sign",
    "efforts",
    "rated",
    "together",
]
