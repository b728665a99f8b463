"""Bots for the tests in a browser. As a process with DATA_DIR set: makes and fills a database."""

import os
from datetime import timedelta

import django

ACCOUNT = {"name": "admin", "password": "only-for-tests"}
SUMMARY = "A short conversation about the place where you live, for anyone who likes to tell."
CONSENT = (
    "What you write is kept on this server and read by the people of the study.\n\n"
    "You can stop at any time and need not say why."
)
ABOUT = "A small group that collects stories of places. Nothing is passed on to others."
TEXTS = {
    "en": (
        "Hello, {participant_name}. I am an AI interviewer, a program and not a person. "
        "I would like to hear about the place where you live.",
        "Thank you, {participant_name}. That was the last question.",
        ["Where do you live now?", "What is the best time of day there?", "What would you change?"],
    ),
    "ru": (
        "Здравствуйте, {participant_name}. Я интервьюер, но не человек, а программа.",
        "Спасибо, {participant_name}. Это был последний вопрос.",
        ["Где вы живёте сейчас?", "Какое время дня там лучшее?", "Что бы вы изменили?"],
    ),
    "ar": (
        "مرحبا، {participant_name}. أنا محاور آلي، برنامج ولست إنسانا.",
        "شكرا لك، {participant_name}. كان هذا السؤال الأخير.",
        ["أين تعيش الآن؟", "ما أجمل وقت في اليوم هناك؟", "ماذا كنت ستغير؟"],
    ),
}
OBJECTIVES = ["The present home.", "The best time of the day there.", "A wish for change."]


def fill() -> None:
    """Bots: `place`, also with follow-ups as `curious`, `closed` and `early`; `thankful`; `long`;
    `by-night`, `full`, `panelists` and `invited`; `panel`, `pool` and `empty`; `unmeasured`;
    `explored`; `assessed`; `handed-over`; `laddered`; `panel`, `pool` and `empty` with rewards;
    `unmeasured`. And an account that may do everything.
    """
    from django.contrib.auth.models import User
    from django.utils import timezone

    # before tests' settings are loaded, by whose hasher no site would know the password
    User.objects.create_superuser(ACCOUNT["name"], password=ACCOUNT["password"])
    from plans.models import Bot, Script
    from tests.assessments import make_assessment_bot
    from tests.interviews.graphed import make_ladder_bot
    from tests.transfers import make_transfer_bot

    scripts = [_script("Place", language) for language in TEXTS]
    _bot("place", "A place to live", scripts, Bot.Status.LIVE)
    _bot("curious", "A curious talk", scripts, Bot.Status.LIVE, ceiling=3, public=False)
    _bot("closed", "A closed study", scripts[:1], Bot.Status.CLOSED)
    later = timezone.now() + timedelta(days=3)
    _bot("early", "A study to come", scripts[:1], Bot.Status.LIVE, opens_at=later)
    _thankful()
    _explored()
    make_assessment_bot(slug="assessed", public=False)
    make_transfer_bot(slug="handed-over", public=False)
    make_ladder_bot(slug="laddered", public=False, options={"turns": 6})
    _bot("long", "A long talk", [_script("Long", "en", times=20)], Bot.Status.LIVE, public=False)
    _rewarding(scripts)
    unmeasured = {"public": False, "keeps_paradata": False}
    _bot("unmeasured", "An unmeasured talk", scripts, Bot.Status.LIVE, **unmeasured)
    _doors(scripts)
    assert Script.objects.count() == len(TEXTS) + 2


def _bot(slug, title, scripts, status, ceiling=0, reward=None, **fields):
    from plans.models import Bot, BotText

    bot = Bot.objects.create(
        slug=slug,
        title=title,
        status=status,
        host="The Places Group",
        contact="ask@example.org",
        minutes=10,
        options={"followup_ceiling": ceiling} | ({"reward": reward} if reward else {}),
        **fields,
    )
    bot.scripts.set(scripts)
    for language in ("en", "ru", "ar") if len(scripts) > 1 and ceiling == 0 else ("en",):
        BotText.objects.create(
            bot=bot, language=language, summary=SUMMARY, consent=CONSENT, about=ABOUT
        )


def _doors(scripts):
    """`by-night`, `full`, `panelists`, `invited`: nobody can begin there just like that."""
    from django.utils import timezone

    from plans.models import Bot
    from tests.factories import SessionFactory

    soon = timezone.now() + timedelta(hours=3)
    hours = {"hours_from": soon.time(), "hours_to": (soon + timedelta(hours=2)).time()}
    link = {"name": "PANELIST", "aliases": ["pid"], "required": True}
    closed = {
        "by-night": hours,
        "full": {"quota": 1, "outcomes": {"full": {"code": "FULL-7", "url": ""}}},
        "panelists": {"link_params": [link]},
        "invited": {"invited_only": True},
    }
    for slug, fields in closed.items():
        title = f"A study with a door ({slug})"
        _bot(slug, title, scripts, Bot.Status.LIVE, public=False, **fields)
    SessionFactory(bot=Bot.objects.get(slug="full"))


def _rewarding(scripts):
    """`panel`: an address, another for who ends early; `pool`: codes; `empty`: none is left."""
    from plans.models import Bot, RewardCode

    back = "https://panel.example.org/done?pid={PROLIFIC_PID}&study={STUDY_ID}&s={SESSION_ID}&c="
    early = {"early": True, "early_kind": "redirect", "early_url": f"{back}EARLY"}
    panel = {"kind": "redirect", "url": f"{back}WHOLE", **early}
    pool = {"kind": "pool", "early": True}
    named = {"panel": panel, "pool": pool, "empty": pool}
    for slug, reward in named.items():
        title = f"A study with rewards ({slug})"
        _bot(slug, title, scripts, Bot.Status.LIVE, reward=reward, public=False)
    bot = Bot.objects.get(slug="pool")
    RewardCode.objects.bulk_create(RewardCode(bot=bot, code=f"POOL-{n:03}") for n in range(40))


def _thankful():
    """`thankful`: topics, an e-mail address, and a code for everybody."""
    from plans.models import Bot, DataField, Topic

    reward = {"kind": "fixed", "code": "THANKS-7", "early": True}
    bot = Bot.objects.create(
        slug="thankful",
        title="A thankful study",
        status=Bot.Status.LIVE,
        protocol="topic_exploration",
        public=False,
        minutes=5,
        options={"reward": reward, "data_purpose": "To send you the results."},
    )
    Topic.objects.create(bot=bot, key="home", label="where you live")
    DataField.objects.create(bot=bot, key="email", kind="email", label="e-mail address")


def _explored():
    """`explored`: two topics with sub-goals, an e-mail address, and a code for everybody."""
    from plans.models import Bot, DataField, SubGoal, Topic

    bot = Bot.objects.create(
        slug="explored",
        title="A study with topics",
        status=Bot.Status.LIVE,
        protocol="topic_exploration",
        public=False,
        minutes=5,
        options={"reward": {"kind": "fixed", "code": "EXPLORED-5"}},
    )
    topics = {"home": ("a usual morning", "the neighbours"), "way": ("the way to work", "the bus")}
    for place, (key, goals) in enumerate(topics.items()):
        topic = Topic.objects.create(bot=bot, key=key, label=f"your {key}", position=place)
        for goal in goals:
            SubGoal.objects.create(topic=topic, text=goal)
    DataField.objects.create(bot=bot, key="email", kind="email", label="e-mail address")


def _script(name, language, times=1):
    from plans.models import Question, Script, Section

    intro, outro, questions = TEXTS[language]
    script = Script.objects.create(name=name, language=language, intro=intro, outro=outro)
    for part in range(times):
        section = Section.objects.create(
            script=script, key=f"part-{part}", title=f"Part {part}", position=part
        )
        for number, (text, objective) in enumerate(zip(questions, OBJECTIVES, strict=True)):
            Question.objects.create(
                section=section,
                key=f"q-{number}",
                text=text if not part else f"{text} ({part + 1})",
                objective=objective,
                position=number,
            )
    return script


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "interviewsite.settings")
    django.setup()
    from tests import database

    database.make()
    fill()
