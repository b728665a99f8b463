from plans.models import Question, Script
from plans.similarity import first_alike


def alike_questions(script: Script) -> list[tuple[Question, Question]]:
    questions = [
        question
        for section in script.sections.prefetch_related("questions")
        for question in section.questions.all()
    ]
    texts = [question.text for question in questions]
    matches = ((q, first_alike(q.text, texts[:i])) for i, q in enumerate(questions))
    return [(question, questions[i]) for question, i in matches if i is not None]
