"""Settings as people write them: empty ones, lists with spaces, secrets of any signs."""

from argparse import ArgumentParser
from types import SimpleNamespace
from typing import Any

import pytest

from interviewsite import checks
from interviewsite.management.commands.serve import Command
from interviewsite.processes.environment import env


def test_a_secret_may_begin_with_a_dollar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PSEUDONYM_KEY", "$ecret-of-the-study")
    assert env.str("PSEUDONYM_KEY", "") == "$ecret-of-the-study"


def test_a_list_may_have_spaces_and_a_comma_at_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALLOWED_HOSTS", "a.example.org, b.example.org,")
    assert env.list("ALLOWED_HOSTS", default=[]) == ["a.example.org", "b.example.org"]


def test_an_empty_setting_is_as_if_it_were_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = ("PASSWORD_LOGIN", "WEB_CONCURRENCY", "SWEEP_EVERY")
    for name in (
        *numbers,
        "LOG_FORMAT",
        "HOST",
        "OPENAI_CHAT_MODEL",
        "ALLOWED_HOSTS",
        "LIMIT_POSTS",
    ):
        monkeypatch.setenv(name, "")
    assert env.bool("PASSWORD_LOGIN", True) is True
    assert env.int("WEB_CONCURRENCY", 1) == 1
    assert env.float("SWEEP_EVERY", 15.0) == 15.0
    assert env.one_of("LOG_FORMAT", "plain", ["plain", "json"]) == "plain"
    assert env.str("OPENAI_CHAT_MODEL", "gpt-6") == "gpt-6"
    assert env.list("ALLOWED_HOSTS", default=["localhost"]) == ["localhost"]
    assert env.str("LIMIT_POSTS", "3000/minute") == ""
    parser = ArgumentParser()
    Command().add_arguments(parser)
    assert parser.parse_args([]).host == "127.0.0.1"


@pytest.mark.parametrize("name", checks.ABOVE_ZERO)
@pytest.mark.parametrize("value", [0, -1])
def test_a_number_with_which_nothing_would_be_done(settings: Any, name: str, value: int) -> None:
    assert not checks.numbers_are_above_zero()
    setattr(settings, name, value)
    [problem] = checks.numbers_are_above_zero()
    assert problem.msg == f"{name} (set by default) is {value}."


def test_fewer_connections_than_threads_that_keep_one(monkeypatch: pytest.MonkeyPatch) -> None:
    options: dict[str, Any] = {"pool": {"max_size": 9}}
    postgresql = SimpleNamespace(vendor="postgresql", settings_dict={"OPTIONS": options})
    monkeypatch.setattr(checks, "connection", postgresql)
    assert not checks.connections_are_enough()
    options["pool"]["max_size"] = 8
    [problem] = checks.connections_are_enough()
    assert problem.msg == "DB_POOL is 8, and each of 8 database threads keeps a connection."


def test_a_switch_that_is_neither_on_nor_off(monkeypatch: pytest.MonkeyPatch) -> None:
    for value, on in (("1", True), ("Yes", True), ("off", False), ("0", False)):
        monkeypatch.setenv("HTTPS", value)
        assert env.bool("HTTPS", False) is on
    monkeypatch.setenv("HTTPS", "ture")
    with pytest.raises(SystemExit, match="'ture', which is neither on nor off"):
        env.bool("HTTPS", False)
