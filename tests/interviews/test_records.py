"""Records of a protocol that has not said how they become rows are never dropped in silence."""

import pytest

from interviews.turns.store.records import save_records
from tests.factories import SessionFactory


@pytest.mark.django_db
def test_records_that_nobody_saves_are_an_error():
    session = SessionFactory()
    save_records("life_story", session, ())
    with pytest.raises(KeyError, match="life_story"):
        save_records("life_story", session, ["something"])
