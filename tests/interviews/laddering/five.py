"""Five people about the same lamp: what each answer comes to, as a model reads it.

They say nearly the same in words of their own, so that most of it is several codes at first.
"""

PEOPLE = (
    (
        "warm light:a > eyes don't hurt:f > reading for longer:f",
        "reading for longer:f > forgetting the office:p > feeling calm:p",
        "feeling calm:p > patient with the children:i > my family:t",
        "dims by itself:a > not getting up again:f > falling asleep easily:f",
        "falling asleep easily:f > rested in the morning:p > being healthy:t",
        "light only on the page:a > my husband can sleep:f > no guilty conscience:p",
        "no guilty conscience:p > being considerate:i > my family:t",
        "low price:a > saving money:f > fewer worries:p > feeling secure:t",
    ),
    (
        "soft yellowish light:a > my eyes stay rested:f > I can read longer:f",
        "I can read longer:f > switching off from work:p > inner calm:p",
        "inner calm:p > being patient:i > family life:t",
        "switches itself off:a > staying in bed:f > getting to sleep quickly:f",
        "getting to sleep quickly:f > well rested next day:p > staying healthy:t",
        "narrow beam of light:a > partner isn't woken:f > a clear conscience:p",
        "a clear conscience:p > consideration for others:i",
        "no cable:a > reading anywhere:f > feeling free:p > independence:i > freedom:t",
    ),
    (
        "light that is warm:a > no tired eyes:f > longer reading:f",
        "longer reading:f > work is far away:p > becoming calm:p",
        "becoming calm:p > patience with my family:i > the family:t",
        "battery instead of a cable:a > reading in every room:f > a feeling of freedom:p",
        "a feeling of freedom:p > not depending on others:i > freedom in life:t",
        "cheap lamp:a > money saved:f > less worry:p > security:t",
        "bluish light:a > sleeping badly:f > tired in the morning:p",
    ),
    (
        "warm colour of the light:a > eyes don't get tired:f > more time for reading:f",
        "more time for reading:f > head free of work:p > calm inside:p",
        "calm inside:p > more patience with the kids:i > time with my family:t",
        "automatic dimming:a > I needn't get up:f > easy to fall asleep:f",
        "easy to fall asleep:f > waking up rested:p > good health:t",
        "lights just the book:a > she can go on sleeping:f > no bad conscience:p",
        "no bad conscience:p > showing consideration:i > living together well:t",
    ),
    (
        "gentle warm light:a > eyes that don't hurt:f > reading more:f",
        "reading more:f > thinking of something else:p > relaxed in the evening:p",
        "relaxed in the evening:p > friendlier to the children:i > the children:t",
        "inexpensive:a > more money for books:f > no money worries:p > safety:t",
        "cordless:a > taking it everywhere:f > being free:p > being independent:i > freedom:t",
        "focused light:a > nobody is disturbed:f > at ease with the others:p",
        "at ease with the others:p > thinking of the others:i > the children:t",
    ),
)
TYPES = {
    "a": "attribute",
    "f": "functional_consequence",
    "p": "psychosocial_consequence",
    "i": "instrumental_value",
    "t": "terminal_value",
}


def steps(chain: str) -> list[tuple[str, str]]:
    """The texts of an answer with their types, each leading to the next."""
    parts = (part.rsplit(":", 1) for part in chain.split(" > "))
    return [(text, TYPES[kind]) for text, kind in parts]
