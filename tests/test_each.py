"""Cases in one test: each is tried, and each that fails is told."""

import pytest

from tests.each import each


@each("left", [1, 2])
@each(("right", "total"), [(1, 2), (2, 4), (3, 4)])
def of_sums(left, right, total):
    assert left + right == total


def test_every_case_is_tried_and_those_that_fail_are_told():
    with pytest.raises(ExceptionGroup, match="2 of 2 cases failed") as raised:
        of_sums()
    first, second = raised.value.exceptions
    assert (len(first.exceptions), len(second.exceptions)) == (1, 2)
    assert second.exceptions[1].__notes__ == ["Case: {'right': 3, 'total': 4}"]


def test_none_is_a_mistake():
    with pytest.raises(AssertionError):
        each("left", [])
