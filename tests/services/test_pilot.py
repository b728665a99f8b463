"""Several respondents at once, against a model that fails in a tenth of its calls."""

import pytest

from tests.fake_provider import FakeProvider
from tests.load.pilot import TENTH, table
from tests.load.playing import play
from tests.services.worlds import Embedded


@pytest.mark.long  # test_models.py mixes such errors too, in interviews at once
async def test_interviews_at_once_under_a_tenth_of_errors_are_all_complete(
    modelled: Embedded, provider: FakeProvider
):
    provider.set_rates(TENTH.replace("rate_limit:1", "rate_limit:0.2"))
    played = await play(modelled.site.url, 8, "life-story-short")
    assert [one.problems() for one in played] == [[]] * 8
    assert "complete transcripts" in table(played, modelled.database, 1.0)
