"""Bots for technical assessments: what they need, their pages, their files."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plans.bots.checklist import checklist, gaps
from plans.bots.compile import compile_bot, plan_for
from plans.bots.duplicate import duplicate_bot
from plans.bots.history import bot_history
from plans.forms.options import collect_options, option_fields
from plans.models import Bot, Question, Script, Section
from plans.portability.bots import apply_bot, bot_changes, bot_document
from plans.portability.differences import differences
from plans.portability.formats import write
from plans.portability.problems import BrokenDocument
from plans.portability.reader import read_bot
from plans.protocols import readable
from plans.protocols.technical_assessment.admin_page import graded_sections
from plans.protocols.technical_assessment.content import TechnicalAssessmentOptions
from tests.assessments import make_assessment_bot
from tests.plans.pages import form_of, text_of

pytestmark = pytest.mark.django_db
LIST = "/admin/plans/bot/"
RULES = {
    "strong_share": 0.8,
    "strong_mean": 0.75,
    "hire_share": 0.5,
    "hire_mean": 0.55,
    "least_answers": 6,
    "most_confidence": 39,
}


@pytest.fixture
def bot(db) -> Bot:
    """A live assessment that lacks nothing needed."""
    bot = make_assessment_bot()
    bot.texts.create(language="en", summary="a", consent="b", about="c", care="d")
    return bot


def url(bot: Bot, page: str = "change") -> str:
    return f"{LIST}{bot.pk}/{page}/"


def save(owner, bot, **changes):
    return owner.post(url(bot), form_of(owner.get(url(bot))) | changes)


def undone(bot: Bot, needed: bool) -> list[str]:
    bot = Bot.objects.get(pk=bot.pk)
    return [item.hint for item in checklist(bot) if not item.done and item.needed == needed]


def set_options(bot: Bot, **options) -> None:
    bot.options |= options
    bot.save()


# What it needs


@pytest.mark.parametrize(
    ("edit", "hint"),
    [
        (lambda bot: bot.scripts.clear(), "Choose a script under Interview."),
        (lambda bot: set_options(bot, position=" "), "Write it under Interview."),
        (lambda bot: set_options(bot, default_topic="go"), "“go” is not a topic with questions in"),
        (lambda bot: Question.objects.all().delete(), "has no questions to ask"),
        (lambda bot: bot.scripts.add(twin(bot, "en")), "Two scripts are in English"),
    ],
)
def test_what_is_missing_is_said(bot, edit, hint):
    assert gaps(checklist(bot)) == []

    edit(bot)

    assert [said for said in undone(bot, needed=True) if hint in said]


def twin(bot: Bot, language: str) -> Script:
    other = make_assessment_bot(language=language)
    return other.scripts.get()


@pytest.mark.parametrize(
    ("edit", "hint"),
    [
        (lambda bot: set_options(bot, max_turns=30), "has 10. Questions no model phrases"),
        (lambda bot: Question.objects.filter(key="lists").delete(), "Use 3 or more"),
        (lambda bot: Question.objects.update(guidance=""), "0 of 10 questions"),
        (
            lambda bot: (
                bot.scripts.add(twin(bot, "ru")),
                Section.objects.filter(script__language="ru", key="python").update(key="py"),
            ),
            "The section keys differ",
        ),
    ],
)
def test_what_would_be_better_is_advised(bot, edit, hint):
    edit(bot)

    assert undone(bot, needed=False)
    assert [said for said in undone(bot, needed=False) if hint in said]
    assert [said for said in undone(bot, needed=True) if "Texts" not in said and hint in said] == []


def test_a_first_topic_must_be_there_in_every_language(bot):
    bot.scripts.add(twin(bot, "ru"))
    Section.objects.filter(script__language="ru", key="python").update(key="py")
    set_options(bot, default_topic="python")

    assert [hint for hint in undone(bot, needed=True) if "(ru)" in hint and "python" in hint]


@pytest.mark.parametrize(("count", "levels"), [(1, [3]), (2, [1, 5]), (3, [1, 3, 5])])
def test_levels_follow_the_place_in_the_topic(db, count, levels):
    script = make_assessment_bot(count).scripts.get()

    for topic in graded_sections(script):
        assert [graded["level"] for graded in topic["questions"]] == levels
        assert all(len(graded["dots"]) == 5 for graded in topic["questions"])


# What a plan says


def test_a_plan_is_told_by_topics_and_by_the_names_of_the_form(bot):
    material = readable(bot.protocol, plan_for(bot).content)["material"]

    script = material["scripts"]["en"]
    assert [topic["label"] for topic in script["topics"]] == ["Python", "Databases"]
    assert script["topics"][0]["questions"][0]["level"] == "1 of 5"
    assert material["options"]["Position"] == "Backend developer"
    assert material["options"]["Hire: mean correctness"] == 0.55


def test_differences_of_plans_are_said_in_words(bot):
    before = readable(bot.protocol, compile_bot(bot).model_dump(mode="json"))
    Question.objects.filter(key="lists").update(guidance="Says that tuples don't change.")
    set_options(bot, rules=RULES)
    after = readable(bot.protocol, compile_bot(bot).model_dump(mode="json"))

    said = {change.place: (change.before, change.after) for change in differences(before, after)}

    assert said["options › Strong Hire: confirmed topics"] == ("0.7", "0.8")
    assert said["options › Answers needed"] == ("4", "6")
    place = "scripts › en › topics › Python › questions › lists › a good answer holds"
    assert said[place][1] == "Says that tuples don't change."
    assert len(said) == 3


# Its pages


@pytest.mark.parametrize("where", ["change", "preview", "versions", "history", "delete"])
def test_pages_open(owner, bot, where):
    plan_for(bot)

    assert owner.get(url(bot, where)).status_code == 200


def test_it_can_be_chosen_and_begins_with_position_and_grade(owner, bot):
    assert "Technical assessment" in text_of(owner.get(f"{LIST}add/"))
    page = owner.get(f"{LIST}add/?protocol=technical_assessment")

    data = form_of(page) | {
        "title": "Frontend",
        "slug": "frontend",
        "minutes": "30",
        "scripts": [bot.scripts.get().pk],
        "option__position": "Frontend developer",
        "option__grade": "Junior",
    }
    owner.post(f"{LIST}add/?protocol=technical_assessment", data)

    made = Bot.objects.get(slug="frontend")
    assert made.options == {"position": "Frontend developer", "grade": "Junior"}
    assert (made.status, made.protocol) == ("draft", "technical_assessment")


def test_saving_without_a_change_changes_nothing(owner, bot):
    before = bot_document(bot)

    assert save(owner, bot).status_code == 302

    assert bot_document(Bot.objects.get()) == before


def test_options_are_typed(owner, bot):
    answer = save(
        owner,
        bot,
        option__grade="Senior",
        option__default_topic="databases",
        option__questions_by="list",
        option__own_summary="on",
        option__observer_seconds="12.5",
        option__rules__strong_share="0.8",
        option__rules__least_answers="6",
    )

    assert answer.status_code == 302
    options = Bot.objects.get().options
    assert TechnicalAssessmentOptions.model_validate(options).rules.model_dump() == RULES
    assert options == {
        "position": "Backend developer",
        "max_turns": 6,
        "grade": "Senior",
        "default_topic": "databases",
        "questions_by": "list",
        "own_summary": True,
        "observer_seconds": 12.5,
        "rules": {"strong_share": 0.8, "least_answers": 6},
    }


MISTAKES = [
    ({"option__max_turns": "61"}, "option__max_turns"),
    ({"option__max_turns": "many"}, "option__max_turns"),
    ({"option__grade": "Chief"}, "option__grade"),
    ({"option__default_topic": "nowhere"}, "option__default_topic"),
    ({"option__questions_by": ""}, "option__questions_by"),
    ({"option__observer_seconds": "0"}, "option__observer_seconds"),
    ({"option__observer_seconds": "121"}, "option__observer_seconds"),
    ({"option__rules__hire_mean": "1.2"}, "option__rules__hire_mean"),
    ({"option__rules__hire_mean": ""}, "option__rules__hire_mean"),
    ({"option__rules__hire_mean": "nan"}, "option__rules__hire_mean"),
    ({"option__position": " "}, "__all__"),
    ({"scripts": []}, "__all__"),
]


def test_what_does_not_fit_is_refused_at_its_field(owner, bot):
    before, form = bot_document(bot), form_of(owner.get(url(bot)))

    for changes, field in MISTAKES:
        page = owner.post(url(bot), form | changes)
        assert page.status_code == 200, changes
        assert list(page.context_data["adminform"].form.errors) == [field], changes

    assert bot_document(Bot.objects.get()) == before


def test_a_first_topic_that_is_gone_can_be_seen_and_changed(owner, bot):
    set_options(bot, default_topic="cobol")

    page = text_of(owner.get(url(bot)))

    assert "cobol (not in a script)" in page
    assert save(owner, bot, option__default_topic="").status_code == 302
    assert "default_topic" not in Bot.objects.get().options


@given(data=st.data())
def test_options_survive_the_form(data):
    build = st.builds(TechnicalAssessmentOptions, position=st.just("X"), default_topic=st.just(""))
    options = data.draw(build)
    stored = options.model_dump()
    fields = option_fields(TechnicalAssessmentOptions, stored, {})

    cleaned = {name: field.clean(field.initial) for name, field in fields.items()}

    collected, errors = collect_options(TechnicalAssessmentOptions, cleaned)
    assert errors == {}
    assert TechnicalAssessmentOptions.model_validate(collected) == options


def test_each_way_of_asking_is_named_in_words():
    fields = option_fields(TechnicalAssessmentOptions, {}, {})

    labels = [label for _value, label in fields["option__questions_by"].choices]
    assert labels == [
        "The list, adapted to the answers",
        "The list only",
        "A model, following the answers",
    ]


def test_the_page_says_how_recommendations_come_about(owner, bot):
    page = text_of(owner.get(url(bot)))

    assert "<b>Strong Hire</b> needs both values below" in page
    assert "a person accepts or amends every report" in page


def test_the_preview_shows_levels_and_good_answers_to_those_who_make_it(owner, stranger, bot):
    page = text_of(owner.get(url(bot, "preview")))

    assert "Level 1 of 5" in page
    assert "EXPECTED-lists" in page
    assert "10 questions on 2 topics. Up to 6 are asked" in page
    assert stranger.get(url(bot, "preview")).status_code == 403
    bot.scripts.clear()
    assert "This bot has no script yet" in text_of(owner.get(url(bot, "preview")))


def test_a_script_says_how_its_bots_read_it(owner, bot, script):
    used, free = bot.scripts.get(), script

    note = "each section is a topic"
    assert note in text_of(owner.get(f"/admin/plans/script/{used.pk}/change/"))
    section = used.sections.first()
    assert note in text_of(owner.get(f"/admin/plans/script/{section.script_id}/change/"))
    assert note not in text_of(owner.get(f"/admin/plans/script/{free.pk}/change/"))


# Copies, files, history


@pytest.mark.parametrize("form", ["json", "yaml"])
def test_out_and_in(bot, form):
    set_options(bot, rules={"strong_share": 0.8, "least_answers": 6}, default_topic="databases")
    document = bot_document(bot)
    text = write(document, form)
    assert bot_changes(bot, read_bot(text)) == []

    bot.delete()
    Script.objects.all().delete()
    again = apply_bot(read_bot(text))

    assert bot_document(again) == document
    assert (again.status, again.protocol) == ("draft", "technical_assessment")
    assert compile_bot(again).material.options.rules.model_dump() == RULES


def test_a_file_is_taken_in_through_the_admin(owner, bot):
    text = owner.get(url(bot, "export_yaml")).content.decode()
    changed = text.replace("position: Backend developer", "position: Data engineer")

    page = owner.post(f"{LIST}import/", {"text": changed})
    assert "Data" in text_of(page)
    assert Bot.objects.get().options["position"] == "Backend developer"
    owner.post(f"{LIST}import/", form_of(page))

    assert Bot.objects.get().options["position"] == "Data engineer"


@pytest.mark.parametrize(
    ("options", "place", "what"),
    [
        ("grade: Chief", "grade", "must be"),
        ("max_turns: 0", "max_turns", "must be at least 1"),
        ("rules: {strong_mean: 2}", "strong_mean", "must be at most 1"),
        ("turns: 3", "turns", "not a known field"),
    ],
)
def test_a_file_with_wrong_options_is_refused_at_its_line(options, place, what):
    text = f"slug: x\ntitle: X\nprotocol: technical_assessment\noptions:\n  {options}\n"

    with pytest.raises(BrokenDocument) as refused:
        read_bot(text, "yaml")

    problem = refused.value.problems[0]
    assert problem.line == 5
    assert place in problem.field
    assert what in problem.message


def test_a_duplicate_asks_the_same(bot):
    copy = duplicate_bot(bot)

    assert (copy.status, copy.options) == ("draft", bot.options)
    assert compile_bot(copy).material == compile_bot(bot).material


def test_history_tells_of_options(owner, bot):
    save(owner, bot, option__grade="Senior")

    changed = bot_history(Bot.objects.get())[0].entries[0]

    assert [change.path for change in changed.changes] == [("options", "grade")]
