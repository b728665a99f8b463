"""docs/evaluation.md says how good the interviewer is without a model, and it is so."""

import pytest

from plans.demo.loader import load_demo
from reflections.evaluation import personas, runs
from tests.reflections.evaluation.published import SHORT, evaluate, published, table


@pytest.mark.django_db(transaction=True)
def test_the_floors_figures_are_those_of_the_page(monkeypatch):
    """If it fails, look at the difference, and write the page anew with `make evaluation`."""
    monkeypatch.setattr(runs, "load", personas.load)
    load_demo()
    assert table(evaluate(SHORT), bounds=False) == published("short")
