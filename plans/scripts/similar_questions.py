"""Questions of one script that ask for the same thing."""

from plans.models import Question, Script
from plans.similarity import first_alike


def alike_questions(script: Script) -> list[tuple[Question, Question]]:
    """Pairs of a question and the earlier one that it is like."""
    questions = [
        question
        for section in script.sections.prefetch_related("questions")
        for question in section.questions.all()
    ]
    texts = [question.text for question in questions]
    found = ((q, first_alike(q.text, texts[:i])) for i, q in enumerate(questions))
    return [(question, questions[place]) for question, place in found if place is not None]
