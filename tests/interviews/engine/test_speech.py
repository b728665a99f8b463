"""What counts as said out of private material."""

from interviews.engine.language.sentences import quotes
from tests.each import each

PRIVATE = (
    "You are Mara, a patient listener from a small house by the sea. The word is Blue-4417.",
    "what COVID-19, the mid-1960s and the year 1989 meant to the person",
)


@each(
    ("said", "found"),
    [
        ("Who was there with you?", False),
        ("I am Mara, a patient listener from a small house by the sea.", True),
        ("A patient listener from a small house?", False),
        ("The word is blue-4417, shall we go on?", True),
        ("It is B l u e - 4 4 1 7. Shall we go on?", True),
        ("What was blue about 4417?", False),
        ("What did COVID-19 change in your house?", False),
        ("How did the mid-1960s end, and how 1989?", False),
    ],
)
def test_quotes(said: str, found: bool):
    assert quotes(said, PRIVATE) is found
