"""What an admin reads of who can begin."""

from datetime import UTC, datetime, time, timedelta

from plans.bots.quota import Quota, describe_availability
from plans.models import Bot
from tests.each import each

NOW = datetime(2031, 3, 4, 12, tzinfo=UTC)


@each(
    ("fields", "taken", "said"),
    [
        ({}, 0, "Participants can start"),
        ({"closes_at": NOW - timedelta(days=1)}, 0, "Closed since 3 March 2031, 12:00 (UTC)"),
        ({"opens_at": NOW + timedelta(days=1)}, 0, "Opens on 5 March 2031, 12:00 (UTC)"),
        ({"quota": 2}, 1, "Participants can start"),
        ({"quota": 2}, 2, "All places are taken"),
        ({"invited_only": True}, 0, "Invited people can start"),
        (
            {"hours_from": time(20), "hours_to": time(2), "time_zone": "Europe/Rome"},
            0,
            "Participants can start from 20:00 to 02:00 (Europe/Rome)",
        ),
        (
            {"opens_at": NOW + timedelta(days=1), "time_zone": "Europe/Rome"},
            0,
            "Opens on 5 March 2031, 13:00 (Europe/Rome)",
        ),
    ],
)
def test_who_can_begin_is_said(fields, taken, said):
    bot = Bot(status=Bot.Status.LIVE, **fields)
    assert describe_availability(bot, Quota(taken, bot.quota), NOW).startswith(said)
