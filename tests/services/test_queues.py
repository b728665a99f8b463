"""What is quick never waits behind hundreds of products: Celery's queues, on a real Redis."""

from pathlib import Path

import pytest
from celery import Celery
from django.conf import settings
from kombu import Connection, Message

from interviewsite.celery import app
from tests.requirements import need_redis
from tests.services.sites import Redis

pytestmark = pytest.mark.redis
SWEEP = "interviewsite.sweep"
PRODUCT = "reflections.tasks.make_reflection"
CALIBRATION = "reflections.tasks.make_calibration"
DOCUMENT = "plans.tasks.make_document"


@pytest.mark.parametrize(
    ("task", "queue"),
    [
        (SWEEP, "celery"),
        (DOCUMENT, "preparations"),
        ("reflections.tasks.suggest_codes", "preparations"),
        (PRODUCT, "products"),
        (CALIBRATION, "calibrations"),
    ],
)
def test_each_task_has_its_queue(task, queue):
    assert app.amqp.router.route({}, task)["queue"].name == queue


def test_a_worker_consumes_all_of_them():
    queues = {
        "celery",
        "alerts",
        "letters",
        "webhooks",
        "exports",
        "preparations",
        "products",
        "calibrations",
    }
    assert set(app.amqp.queues.consume_from) == queues


def test_a_sweep_does_not_wait_behind_many_products_and_calibrations(tmp_path: Path):
    need_redis()
    server = Redis(tmp_path)
    server.start()
    try:
        assert _taken(_application(server.url), [PRODUCT] * 30 + [CALIBRATION] * 30) <= 4
    finally:
        server.kill()


def _taken(application: Celery, before: list[str]) -> int:
    """As the how-manyth a sweep is taken by a worker that makes one thing after the other."""
    with application.connection() as connection:
        for task in [*before, SWEEP]:
            application.send_task(task, connection=connection)
        taken: list[str] = []
        _consume(application, connection, taken)
    return taken.index(SWEEP) + 1


def _consume(application: Celery, connection: Connection, taken: list[str]) -> None:
    def take(body: object, message: Message) -> None:
        taken.append(message.headers["task"])
        message.ack()

    channel = connection.channel()
    channel.basic_qos(0, 1, False)
    queues = list(application.amqp.queues.consume_from.values())
    with connection.Consumer(queues, callbacks=[take], channel=channel, accept=["json"]):
        while SWEEP not in taken:
            connection.drain_events(timeout=10)


def _application(url: str) -> Celery:
    """With the site's settings, but for where Redis is."""
    application = Celery("queues", set_as_current=False)
    application.config_from_object("django.conf:settings", namespace="CELERY")
    application.conf.update(
        broker_url=url,
        broker_transport="interviewsite.processes.broker:Transport",
        broker_transport_options=settings.CELERY_BROKER_TRANSPORT_OPTIONS,
    )
    return application
