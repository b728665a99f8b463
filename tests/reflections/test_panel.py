"""What is made of an interview, on its page: it comes in piece by piece, and can be asked for."""

import html
import re
import uuid

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from interviews.choices import SessionStatus
from plans.jobs import Job
from reflections.admin.panel import counts
from reflections.jobs import interview_ended, wanted_products
from reflections.models import EXPERT, Expert, Judgement, Reflection
from reflections.reviews import Opinion, judge
from tests.factories import SessionFactory, talk
from tests.pages import markup
from tests.people import staff
from tests.queries import counted

pytestmark = pytest.mark.django_db
TOLD = {
    "sections": [
        {"title": "", "statements": [{"text": "One.", "quotes": [{"position": 3, "text": "one"}]}]},
        {"title": "More", "statements": [{"text": "Two.", "quotes": []}]},
    ]
}


GARDENER = f"{EXPERT}gardener"


@pytest.fixture
def model(settings):
    settings.LLM_PROVIDER = "scripted"


@pytest.fixture
def gardener(db):
    """An expert who reads every interview."""
    return Expert.objects.create(key="gardener", name="Gardener", looks_for="x", instructions="y")


def ended(status=SessionStatus.COMPLETED, answers=("I live by the sea.",), bot=None):
    """An interview of a bot, whose interviews experts read."""
    more = {"bot": bot} if bot else {}
    session = talk(SessionFactory(status=status, **more), list(answers))
    interview_ended(session)
    return session


def change(session, name, **fields) -> Reflection:
    Reflection.objects.filter(session=session, name=name).update(**fields)
    return Reflection.objects.get(session=session, name=name)


def settle(session, **fields) -> None:
    Reflection.objects.filter(session=session).update(status=Job.Status.READY, **fields)


def words(markup: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", markup)).split())


def shown(client, session) -> str:
    """The panel's markup on the interview's page."""
    response = client.get(reverse("admin:interviews_session_change", args=[session.pk]))
    assert response.status_code == 200
    page = markup(response)
    assert page.count('id="made"') == 1
    return page.split('id="made"')[1].split("</section>")[0]


def news(client, session, panel: str):
    """What the panel asks for next."""
    address = html.unescape(re.search(r'hx-get="([^"]+)"', panel)[1])
    return client.get(address)


def product(panel: str, name: str) -> str:
    return words(panel.split(f'data-product="{name}">')[1].split("</li>")[0])


def ask(client, session, name):
    url = reverse("admin:reflections_reflection_make", args=[session.pk])
    return client.post(url, {"name": name}, follow=True)


def test_each_product_with_its_state(admin_client, model, gardener):
    session = ended()
    for i in range(3):
        Reflection.objects.create(session=session, name=f"more_{i}")
    change(session, "more_0", status=Job.Status.READY, content=TOLD)
    change(session, "more_1", status=Job.Status.FAILED, reason="It came to nothing.")
    change(session, "more_2", status=Job.Status.RUNNING, claim=uuid.uuid4())
    panel = shown(admin_client, session)
    assert f"1 of {len(wanted_products(session)) + 3} ready, 1 failed." in words(panel)
    assert "Ready 2 statements, 1 quote" in product(panel, "more_0")
    assert "Failed It came to nothing. Run again" in product(panel, "more_1")
    assert "In progress" in product(panel, "more_2")
    assert GARDENER in wanted_products(session)
    for name in wanted_products(session):
        assert product(panel, name).endswith("Waiting")


def test_it_asks_again_only_while_more_is_to_come(admin_client, model):
    session = ended()
    panel = shown(admin_client, session)
    assert 'hx-trigger="every 3s' in panel
    assert news(admin_client, session, panel).status_code == 204
    settle(session, content=TOLD)
    told = news(admin_client, session, panel)
    assert told.status_code == 200
    assert "hx-get" not in told.content.decode()
    assert "hx-get" not in shown(admin_client, session)


def test_what_was_read_out_is_not_read_out_again(admin_client, model):
    session = ended()
    panel = shown(admin_client, session)
    change(session, wanted_products(session)[0], status=Job.Status.RUNNING, claim=uuid.uuid4())
    told = news(admin_client, session, panel).content.decode()
    assert "In progress" in told
    assert "made-progress" not in told
    change(session, wanted_products(session)[0], status=Job.Status.READY, content=TOLD)
    told = news(admin_client, session, panel).content.decode()
    assert f"1 of {len(wanted_products(session))} ready." in words(told)


def test_without_a_model_experts_wait_and_nothing_is_asked(admin_client, settings, gardener):
    settings.LLM_PROVIDER = "offline"
    session = ended()
    Reflection.objects.exclude(name__startswith=EXPERT).update(status=Job.Status.READY)
    panel = shown(admin_client, session)
    assert "Waiting No model is configured." in product(panel, GARDENER)
    assert "hx-get" not in panel


def test_one_that_is_tried_again_says_so(admin_client, model):
    session = ended()
    change(session, "summary", attempts=2, reason="anthropic: timeout")
    told = product(shown(admin_client, session), "summary")
    assert "Attempt 2 of 5 failed: anthropic: timeout. It will be retried." in told
    change(session, "summary", attempts=1, reason="")  # whoever made it died
    assert product(shown(admin_client, session), "summary").endswith("Waiting")


@pytest.mark.parametrize(
    ("status", "answers", "said"),
    [
        (SessionStatus.WAITING_ANSWER, ["Hello."], "Available after the interview."),
        (SessionStatus.COMPLETED, [], "Nothing was answered, so there are no results."),
        (SessionStatus.WITHDRAWN, [], "There are no results."),
        (SessionStatus.ARCHIVED, ["Hello."], "There are no results."),
    ],
)
def test_where_there_is_nothing_it_says_why(admin_client, status, answers, said):
    panel = shown(admin_client, ended(status, answers))
    assert said in words(panel)
    assert "data-product" not in panel
    assert "hx-get" not in panel


def test_a_failed_one_is_run_again(admin_client):
    session = ended()
    settle(session)
    change(session, "summary", status=Job.Status.FAILED, reason="Broken.", attempts=5)
    response = ask(admin_client, session, "summary")
    assert response.redirect_chain[0][0].endswith("#made")
    again = Reflection.objects.get(session=session, name="summary")
    assert (again.status, again.reason, again.attempts) == (Job.Status.PENDING, "", 0)


def test_a_reviewed_one_is_not_made_again(admin_client):
    session = ended()
    settle(session, content=TOLD)
    row = Reflection.objects.get(session=session, name="summary")
    judge(row, Opinion(Judgement.State.ACCEPTED), "ann", 0)
    assert "Accepted" in product(shown(admin_client, session), "summary")
    change(session, "summary", status=Job.Status.FAILED, reason="Broken.")
    response = ask(admin_client, session, "summary")
    assert "Reopen it before you regenerate it." in response.content.decode()
    row.refresh_from_db()
    assert row.status == Job.Status.FAILED


def test_what_was_never_wished_for_can_be(admin_client):
    session = ended()
    settle(session, content=TOLD)
    Expert.objects.create(key="gardener", name="Gardener", looks_for="x", instructions="y")
    name = GARDENER
    assert "Not generated Generate" in product(shown(admin_client, session), name)
    ask(admin_client, session, name)
    ask(admin_client, session, name)
    assert Reflection.objects.get(session=session, name=name).status == Job.Status.PENDING


@pytest.mark.parametrize("name", ["report", f"{EXPERT}nobody", "", "x" * 300])
def test_what_is_not_made_of_it_is_refused(admin_client, name):
    session = ended()
    before = Reflection.objects.count()
    assert "This interview has no such result." in ask(admin_client, session, name).content.decode()
    assert Reflection.objects.count() == before


def test_rights(client):
    session = ended()
    settle(session)
    change(session, "summary", status=Job.Status.FAILED)
    address = reverse("admin:reflections_reflection_panel", args=[session.pk])
    make = reverse("admin:reflections_reflection_make", args=[session.pk])
    client.force_login(staff("view_session"))
    page = client.get(reverse("admin:interviews_session_change", args=[session.pk]))
    assert 'id="made"' not in page.content.decode()
    assert client.get(address).status_code == 403
    client.force_login(staff("view_session", "view_reflection"))
    assert "Run again" not in shown(client, session)
    assert client.get(address).status_code == 200
    assert client.post(make, {"name": "summary"}).status_code == 403
    client.logout()
    assert client.get(address).status_code == 302
    assert client.post(make, {"name": "summary"}).status_code == 302
    assert Reflection.objects.get(session=session, name="summary").status == Job.Status.FAILED


def test_it_takes_a_post_with_a_token_and_an_interview(admin_client, client):
    session = ended()
    make = reverse("admin:reflections_reflection_make", args=[session.pk])
    assert admin_client.get(make).status_code == 405
    careful = type(client)(enforce_csrf_checks=True)
    careful.force_login(User.objects.get(username="admin"))
    assert careful.post(make, {"name": "summary"}).status_code == 403
    for address in ("panel", "make"):
        unknown = reverse(f"admin:reflections_reflection_{address}", args=[uuid.uuid4()])
        assert admin_client.post(unknown, {"name": "summary"}).status_code == 404


def test_words_never_become_markup(admin_client):
    session = ended()
    settle(session)
    change(session, "summary", status=Job.Status.FAILED, reason="<script>alert(1)</script>")
    assert "<script>" not in shown(admin_client, session)


def test_as_many_queries_for_many_products_as_for_few(admin_client):
    session = ended()
    address = reverse("admin:reflections_reflection_panel", args=[session.pk])
    admin_client.get(address)
    with counted() as few:
        admin_client.get(address)
    Reflection.objects.bulk_create(
        Reflection(session=session, name=f"{EXPERT}e{i}") for i in range(30)
    )
    with counted() as many:
        admin_client.get(address)
    assert len(many) == len(few)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("summary", {}, ""),
        ("summary", {"items": [1, 2], "made_by": "rules"}, "2 questions answered"),
        ("summary", {"sections": [], "items": [1]}, "1 question answered"),
        ("facts", TOLD, "2 statements, 1 quote"),
        ("qa_context", {"rows": [1]}, "1 row"),
        ("coverage", {"topics": [1, 2, 3]}, "3 topics"),
        ("nobody_knows", {"other": 1}, ""),
    ],
)
def test_figures_of_a_product(name, content, said):
    assert counts(Reflection(name=name, content=content)) == said
