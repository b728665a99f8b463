"""A worker that holds unfinished tasks outlives the loss of Redis."""

from pathlib import Path
from queue import Empty

import pytest
from celery import Celery
from django.conf import settings
from kombu.simple import SimpleQueue

from tests.requirements import need_redis
from tests.services.sites import Redis

pytestmark = pytest.mark.redis


def test_a_connection_that_is_lost_with_unacknowledged_messages_can_be_closed(tmp_path: Path):
    """As a worker does, on both of its channels: lets go, closes, and could then connect anew."""
    need_redis()
    server = Redis(tmp_path)
    server.start()
    try:
        connection = _application(server.url).connection()
        queue = connection.SimpleQueue("tasks")
        queue.put("not yet done")
        queue.get(timeout=5)
        for waiting in (queue, SimpleQueue(connection.channel(), "wishes")):
            with pytest.raises(Empty):
                waiting.get(timeout=0.1)
        server.kill()
        connection.collect(socket_timeout=1)

        connection.close()
    finally:
        server.kill()


def test_the_broker_is_reached_as_the_settings_say(tmp_path: Path):
    application = _application("redis://:secret@example.org:7000/3")
    connection = application.connection()
    assert (connection.hostname, connection.port) == ("example.org", 7000)
    assert (connection.virtual_host, connection.password) == ("3", "secret")
    assert connection.transport.driver_type == "redis"


def _application(url: str) -> Celery:
    application = Celery("broker")
    application.conf.update(
        broker_url=url,
        broker_transport="interviewsite.processes.broker:Transport",
        broker_transport_options=settings.CELERY_BROKER_TRANSPORT_OPTIONS,
    )
    return application
