"""Migrations make what the models say. Other tests have tables made from the models."""

import json

import pytest

from llm.models import LLMPrice
from tests.requirements import need_postgresql
from tests.services.databases import empty_postgresql
from tests.services.processes import environment, python, run

pytestmark = [pytest.mark.timeout(300), pytest.mark.processes]


def _migrated(env: dict[str, str]) -> dict[str, list[object]]:
    done = run(python("-m", "tests.migrated"), env)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def _as_the_models(found: dict[str, list[object]]) -> None:
    assert found["lacking"] == found["left"] == []
    prices = LLMPrice.objects.order_by("pk").values_list("provider", "model_prefix")
    assert found["prices"] == [list(price) for price in prices]


@pytest.mark.django_db
def test_sqlite(tmp_path):
    _as_the_models(_migrated(environment(tmp_path)))


@pytest.mark.django_db
@pytest.mark.postgresql
def test_postgresql(tmp_path):
    need_postgresql()
    _as_the_models(_migrated(environment(tmp_path, DATABASE_URL=empty_postgresql(tmp_path).url)))
