"""Many explorations by many temperaments, and what a model that misbehaves costs."""

from tests.bench.exploring import with_a_model, without_a_model
from tests.examples import examples


def test_every_interview_ends_and_none_repeats_itself():
    ended, no_question, twice, richer = without_a_model(examples(200))
    assert ended.value == 1
    assert no_question.value == 0
    assert twice.value == 0
    assert richer.value > 1


def test_calls_and_tokens_are_bounded():
    calls, most, new, cached, _, guarded = with_a_model(60)
    assert calls.value <= 1.2
    assert most.value <= 3
    assert new.value < 1_000
    assert cached.value >= 0.7
    assert guarded.value > 0.05
