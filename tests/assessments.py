"""Technical assessments, for tests of what is about them."""

from plans.models import Bot, Question, Script, Section

TOPICS = {
    "python": (
        "Python",
        (
            ("lists", "When would you take a tuple in place of a list?"),
            ("generators", "How does a generator save memory on a large file?"),
            ("decorators", "Which problem have you solved with a decorator of your own?"),
            ("threads", "Why do threads rarely speed up computing in CPython?"),
            ("descriptors", "What makes a property run code on plain attribute access?"),
        ),
    ),
    "databases": (
        "Databases",
        (
            ("indexes", "How do you choose the columns of an index?"),
            ("transactions", "Where have you needed a transaction, and what would go wrong?"),
            ("isolation", "Which anomalies remain under read committed isolation?"),
            ("plans", "How do you find out why a query became slow overnight?"),
            ("sharding", "What does splitting a table over several servers cost you?"),
        ),
    ),
}


def make_assessment_bot(questions: int = 5, language: str = "en", **changes) -> Bot:
    """A live assessment of two topics with so many questions each, five at most.

    `options` are added to those that a test needs: a position, and six turns.
    """
    script = Script.objects.create(
        name=f"Assessment {Script.objects.count() + 1}",
        language=language,
        intro="Hello, {participant_name}. I am an AI interviewer.",
        outro="Thank you for your time. Goodbye.",
    )
    for place, (key, (title, asked)) in enumerate(TOPICS.items()):
        section = Section.objects.create(script=script, key=key, title=title, position=place)
        for i, (about, text) in enumerate(asked[:questions]):
            Question.objects.create(
                section=section,
                key=about,
                text=text,
                objective=f"whether {about} are understood in practice",
                guidance=f"EXPECTED-{about}: says what {about} are for, and names their cost.",
                position=i,
            )
    own = {"position": "Backend developer", "max_turns": 6, "questions_by": "model"}
    options = own | changes.pop("options", {})
    given = {"slug": f"assessment-{script.pk}", "title": "An assessment", "status": "live"}
    bot = Bot.objects.create(
        **{
            **given,
            "protocol": "technical_assessment",
            "host": "Testers",
            "contact": "ask@example.org",
            **changes,
        },
        options=options,
    )
    bot.scripts.add(script)
    return bot
