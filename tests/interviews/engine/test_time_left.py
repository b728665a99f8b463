"""How much time is left, in words."""

from interviews.engine.texts import time_left, wordings
from tests.each import each

LANGUAGES = ("ar", "de", "en", "es", "fr", "it", "ru")


@each(
    ("language", "seconds", "said"),
    [
        ("en", 0, "the planned time is over"),
        ("en", 15, "less than a minute is left"),
        ("en", 50, "about a minute is left"),
        ("en", 125, "about two minutes are left"),
        ("en", 900, "about 15 minutes are left"),
        ("de", 60, "es bleibt noch etwa eine Minute"),
        ("it", 60, "resta circa un minuto"),
        ("ru", 60, "осталось около одной минуты"),
        ("ru", 11 * 60, "осталось около 11 минут"),
        ("ru", 21 * 60, "осталось около 21 минуты"),
        ("ar", 5 * 60, "بقيت نحو 5 دقائق"),
        ("ar", 15 * 60, "بقيت نحو 15 دقيقة"),
    ],
)
def test_in_the_number_that_the_language_has_for_it(language, seconds, said):
    assert time_left(language, seconds) == said


@each("language", LANGUAGES)
def test_every_language_has_a_wording_for_each(language):
    assert len(wordings(language, "time_left")) == 6
    assert not any("{" in time_left(language, 60 * minutes) for minutes in range(130))
