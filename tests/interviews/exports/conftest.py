"""What tests of exports share."""

import pytest

from interviews.exports import planned


@pytest.fixture(autouse=True)
def forget_plans():
    """Ids of plans come again from test to test."""
    planned.planned_questions.cache_clear()
    planned.sections_by_question.cache_clear()
