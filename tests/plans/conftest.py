"""People and material for tests of studies."""

from typing import IO

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from plans.documents import reader as documents_reader
from plans.documents.parser import parse
from plans.documents.problems import Unreadable
from plans.documents.types import Answer
from plans.models import Script
from plans.portability.reader import read_script
from plans.portability.scripts import apply_script
from tests.plans.study_files import SHORT


@pytest.fixture
def script(db) -> Script:
    """Two sections, three questions."""
    return apply_script(read_script(SHORT))


@pytest.fixture
def owner(db) -> Client:
    """May do everything."""
    client = Client()
    client.force_login(User.objects.create_superuser("owner"))
    return client


@pytest.fixture
def reader(db) -> Client:
    """May look at studies and change nothing."""
    user = User.objects.create_user("reader", is_staff=True)
    user.user_permissions.set(
        Permission.objects.filter(
            content_type__app_label="plans", codename__regex="^view_(bot|script|section|plan)$"
        )
    )
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def stranger(db) -> Client:
    """Has an account and no rights."""
    client = Client()
    client.force_login(User.objects.create_user("stranger", is_staff=True))
    return client


def parse_here(name: str, source: IO[bytes], output: IO[bytes]) -> None:
    """What the process that reads a document does, without its limits."""
    try:
        answer = Answer(read=parse(name, source.read()))
    except Unreadable as error:
        answer = Answer(reason=error.reason)
    output.write(answer.model_dump_json().encode())


@pytest.fixture
def read_here(monkeypatch):
    """Documents are read in this process: starting one of its own takes longer than the test."""
    monkeypatch.setattr(documents_reader, "_run_worker", parse_here)
