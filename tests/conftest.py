"""What every test can use."""

import gc

import hypothesis
import pytest
from _pytest import runner
from django.conf import settings
from django.core.cache import cache
from django.template.base import Template
from django.test.utils import instrumented_test_render
from hypothesis import HealthCheck

from interviewsite.http.in_loop import with_room
from plans.models import Bot, DataField, Question, Script, Section, SubGoal, Topic
from tests import database
from tests.examples import examples
from tests.scripted import scripted
from tests.services import warm

database.quicken()
warm.switch_on()
runner.runtestprotocol = with_room(runner.runtestprotocol)
gc.disable()  # until all tests are collected

# Made to be slow, which is good for people's passwords and not for those of hundreds of tests.
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# Otherwise each test client looks through all static files anew.
settings.WHITENOISE_AUTOREFRESH = True

# For a site with other settings, which is a process of its own: see test_sign_in.py.
collect_ignore = [] if settings.MFA or settings.OIDC_ISSUER else ["sign_in"]

# What is true is true on a busy machine too; how fast it is, the bench says.
hypothesis.settings.register_profile(
    "patient",
    deadline=None,
    max_examples=examples(100),
    suppress_health_check=[HealthCheck.too_slow],
)
hypothesis.settings.load_profile("patient")


@pytest.hookimpl(trylast=True)
def pytest_collection_finish():
    """Thousands of tests stay to the end: looking for what may go among them is in vain."""
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def plain_templates(django_test_environment):
    """Undo Django's copying of the whole context for each part of a page.

    A test that reads `response.context` asks for `template_contexts`.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Template, "_render", lambda self, context: self.nodelist.render(context))
        yield


@pytest.fixture
def template_contexts(monkeypatch):
    monkeypatch.setattr(Template, "_render", instrumented_test_render)


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker):
    """Tables made from the models, as migrations take seconds; `test_migrations.py` runs them."""
    with django_db_blocker.unblock():
        database.fill()


@pytest.fixture(autouse=True)
def clean_memory():
    """Undo what outlives a test: caches, what is known of models, when the next session begins."""
    from interviews.api import queries
    from interviews.exports import planned
    from interviews.exports.tables import collected
    from interviews.protocols.technical_assessment import exports
    from interviews.turns import store
    from llm.costs import prices
    from tests import forgetting
    from tests.factories import SessionFactory

    SessionFactory.reset_sequence()
    scripted.clear()
    forgetting.forget_failures()
    forgetting.forget_refusals()
    cache.clear()
    forgetting.forget_limits()
    forgetting.forget_spending()
    prices.clear_cache()
    store.plan_content.cache_clear()
    queries._material.cache_clear()
    planned.planned_questions.cache_clear()
    planned.sections_by_question.cache_clear()
    collected.planned_fields.cache_clear()
    exports._expected.cache_clear()


@database.unrecorded
def make_bot(questions: int = 4, **changes) -> Bot:
    """A live life-story bot with a script of so many questions."""
    about = (
        "your first home",
        "school",
        "work",
        "a friend",
        "a journey",
        "money",
        "music",
        "a teacher",
        "the sea",
        "a winter",
        "letters",
        "a garden",
    )
    script = Script.objects.create(
        name=f"Script {Script.objects.count() + 1}",
        language="en",
        intro="Hello, {participant_name}. I am an AI interviewer.",
        outro="Thank you. Goodbye.",
    )
    section = Section.objects.create(script=script, key="life", title="Life")
    for i in range(questions):
        Question.objects.create(
            section=section,
            key=f"q{i + 1}",
            text=f"What comes to mind when you think of {about[i % len(about)]}, part {i}?",
            objective=f"what {about[i % len(about)]} meant ({i})",
            probes=f"What else belongs to {about[i % len(about)]}, part {i}?",
            position=i,
        )
    fields = {
        "slug": f"bot-{script.pk}",
        "title": "A test",
        "status": "live",
        "host": "Testers",
        "contact": "ask@example.org",
    }
    bot = Bot.objects.create(**{**fields, **changes})
    bot.scripts.add(script)
    return bot


def make_twofold_bot() -> Bot:
    """A bot with the questions q1 to q3 in one section, and another q2 in a second one."""
    bot = make_bot(questions=3)
    script = Script.objects.get(bots=bot)
    section = Section.objects.create(script=script, key="later", title="Later", position=1)
    Question.objects.create(section=section, key="q2", text="And today?", objective="today")
    return bot


@pytest.fixture
def bot(db) -> Bot:
    """A live life-story bot of four questions."""
    return make_bot(is_default=True)


@database.unrecorded
def make_topic_bot(minutes: int = 10, fields: bool = True, **changes) -> Bot:
    """A live topic exploration of three topics with three sub-goals each."""
    topics = {
        "choosing": (
            "choosing a kettle",
            ("what set it off", "who had a say", "what was compared"),
        ),
        "using": ("using it every day", ("an ordinary morning", "what annoys", "who else uses it")),
        "caring": ("looking after it", ("how it is cleaned", "what has broken", "repairs so far")),
    }
    given = {"slug": f"topics-{Bot.objects.count()}", "title": "Kettles", "status": "live"}
    options = {"goal": "life with a kettle", "data_purpose": "To send the results."}
    options |= changes.pop("options", {})
    bot = Bot.objects.create(
        **{**given, "minutes": minutes, "protocol": "topic_exploration", **changes}, options=options
    )
    for place, (key, (label, goals)) in enumerate(topics.items()):
        topic = Topic.objects.create(bot=bot, key=key, label=label, position=place)
        for i, goal in enumerate(goals):
            SubGoal.objects.create(topic=topic, text=goal, position=i)
    if fields:
        DataField.objects.create(bot=bot, key="email", kind="email", label="e-mail address")
    return bot
