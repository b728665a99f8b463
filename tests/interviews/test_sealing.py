"""Sealed words come back as they were, or not at all; keys can be changed."""

import io
import stat
from uuid import uuid4

import pytest
from cryptography.fernet import Fernet
from django.core.management import CommandError, call_command
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from interviews.models import CollectedValue, Turn
from interviews.security import key_rotation
from interviews.security.sealing import NoDataKey, SealBroken, new_key, rotate, seal, unseal
from interviewsite.checks import data_is_private, data_key
from interviewsite.management.commands import setup
from interviewsite.processes.environment import make_private
from tests.factories import SessionFactory, TurnFactory

OLD, NEW = new_key(), new_key()


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=200))
def test_words_come_back_as_they_were(text):
    token = seal(text)
    assert unseal(token) == text
    assert token.isascii()
    assert len(text) < 4 or text not in token


def test_the_same_words_are_never_sealed_alike():
    assert seal("ann@example.org") != seal("ann@example.org")


@pytest.mark.parametrize("keys", [[], ["not a key"], [OLD, "not a key"]])
def test_without_a_usable_key_nothing_is_sealed_or_read(settings, keys):
    token = seal("ann")
    settings.DATA_KEYS = keys
    for attempt in (lambda: seal("ann"), lambda: unseal(token), lambda: rotate(token)):
        with pytest.raises(NoDataKey):
            attempt()


def test_what_is_broken_is_never_given_out():
    token = seal("ann@example.org")
    middle = len(token) // 2
    other = "A" if token[middle] != "A" else "B"
    for broken in ("", "ann@example.org", token[:-4], token[:middle] + other + token[middle + 1 :]):
        with pytest.raises(SealBroken):
            unseal(broken)


def test_another_key_does_not_open_it(settings):
    settings.DATA_KEYS = [OLD]
    token = seal("ann")
    settings.DATA_KEYS = [NEW]
    with pytest.raises(SealBroken) as error:
        unseal(token)
    assert "ann" not in str(error.value)


def test_the_newest_key_seals_and_every_key_reads(settings):
    settings.DATA_KEYS = [OLD]
    token = seal("ann")
    settings.DATA_KEYS = [NEW, OLD]
    assert unseal(token) == "ann"
    assert Fernet(NEW).decrypt(seal("ann").encode()) == b"ann"


# -- reseal


def values(settings, keys: list[str], texts: list[str]) -> None:
    """Sealed with these keys."""
    settings.DATA_KEYS = keys
    session = SessionFactory()
    for text in texts:
        CollectedValue.objects.create(
            session=session, key=uuid4().hex, value=seal(text), created_at=timezone.now()
        )


def reseal() -> str:
    """What the command prints at last."""
    out = io.StringIO()
    call_command("reseal", stdout=out)
    return out.getvalue().splitlines()[-1]


@pytest.mark.django_db
def test_everything_comes_under_the_newest_key(settings, monkeypatch):
    monkeypatch.setattr(key_rotation, "BATCH", 2)
    texts = ["one", "two", "three", "four", "five"]
    values(settings, [OLD], texts)
    turn = TurnFactory(status=Turn.Status.RUNNING, lease_owner=uuid4(), sealed=seal("six"))
    settings.DATA_KEYS = [NEW, OLD]
    assert reseal() == "6 sealed anew, 0 already were"
    assert reseal() == "0 sealed anew, 6 already were"
    settings.DATA_KEYS = [NEW]
    kept = CollectedValue.objects.order_by("id").values_list("value", flat=True)
    assert [unseal(token) for token in kept] == texts
    turn.refresh_from_db()
    assert unseal(turn.sealed) == "six"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("texts", "lines"),
    [
        ([], ["0 sealed anew, 0 already were"]),
        (["one", "two"], ["2 sealed anew, 0 already were"]),
        (
            ["one", "two", "three"],
            ["2 sealed anew, 0 already were", "3 sealed anew, 0 already were"],
        ),
    ],
)
def test_each_count_is_printed_once(settings, monkeypatch, texts, lines):
    monkeypatch.setattr(key_rotation, "BATCH", 2)
    values(settings, [OLD], texts)
    settings.DATA_KEYS = [NEW, OLD]
    out = io.StringIO()
    call_command("reseal", stdout=out)
    assert out.getvalue().splitlines() == lines


@pytest.mark.django_db
def test_it_can_be_broken_off_and_begun_again(settings, monkeypatch):
    values(settings, [OLD], ["one", "two", "three"])
    settings.DATA_KEYS = [NEW, OLD]
    asked = []

    def dying(token: str) -> str:
        asked.append(token)
        if len(asked) == 3:
            raise KeyboardInterrupt
        return rotate(token)

    monkeypatch.setattr(key_rotation, "rotate", dying)
    with pytest.raises(KeyboardInterrupt):
        reseal()
    monkeypatch.undo()
    assert reseal() == "1 sealed anew, 2 already were"


@pytest.mark.django_db
def test_what_is_sealed_meanwhile_is_not_overwritten(settings, monkeypatch):
    values(settings, [OLD], ["before"])
    settings.DATA_KEYS = [NEW, OLD]

    def too_late(token: str) -> str:
        CollectedValue.objects.update(value=seal("after"))
        return rotate(token)

    monkeypatch.setattr(key_rotation, "rotate", too_late)
    assert reseal() == "0 sealed anew, 0 already were"
    assert unseal(CollectedValue.objects.get().value) == "after"


@pytest.mark.django_db
def test_what_no_key_opens_is_left_and_told(settings):
    values(settings, [OLD], ["lost"])
    values(settings, [NEW], ["kept"])
    before = set(CollectedValue.objects.values_list("value", flat=True))
    with pytest.raises(CommandError, match="1 can be read with none of the keys"):
        reseal()
    assert set(CollectedValue.objects.values_list("value", flat=True)) == before


@pytest.mark.django_db
def test_reseal_without_a_key_says_so(settings):
    settings.DATA_KEYS = []
    with pytest.raises(CommandError, match="DATA_KEYS"):
        reseal()


# -- the key


@pytest.mark.parametrize(
    ("keys", "debug", "refused"),
    [
        ([OLD], False, False),
        ([NEW, OLD], False, False),
        ([], False, True),
        ([], True, False),
        (["none"], False, True),
        (["none"], True, True),
    ],
)
def test_a_site_without_a_key_is_refused(settings, keys, debug, refused):
    settings.DATA_KEYS, settings.DEBUG = keys, debug
    assert [problem.id for problem in data_key()] == ["interviewsite.E003"] * refused


def test_a_folder_that_others_can_reach_is_warned_of(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    for mode, found in ((0o700, []), (0o750, ["interviewsite.W001"])):
        tmp_path.chmod(mode)
        assert [problem.id for problem in data_is_private()] == found


def test_a_folder_that_all_share_is_left_as_it_is(tmp_path):
    shared, own = tmp_path / "shared", tmp_path / "own"
    for folder, mode in ((shared, 0o1777), (own, 0o755)):
        folder.mkdir()
        folder.chmod(mode)
        (folder / "file").touch(mode=0o644)
        make_private(folder)
    assert stat.S_IMODE(shared.stat().st_mode) == 0o1777
    assert stat.S_IMODE((shared / "file").stat().st_mode) == 0o644
    assert stat.S_IMODE(own.stat().st_mode) == 0o700
    assert stat.S_IMODE((own / "file").stat().st_mode) == 0o600


def test_a_first_start_makes_a_key_once_for_this_account_alone(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    setup._store("data_key", OLD)
    setup._store("data_key", NEW)
    kept = tmp_path / "data_key"
    assert kept.read_text() == OLD
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
