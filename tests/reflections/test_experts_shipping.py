"""The experts who come along: made once, then people's own."""

import pytest
from django.apps.registry import Apps

from reflections.experts.presets import create_presets, read_presets
from reflections.models import Expert

pytestmark = pytest.mark.django_db
KEYS = ["psychologist", "economist", "political_scientist", "demographer"]


def keys() -> list[str]:
    return list(Expert.objects.values_list("key", flat=True))


def test_four_are_there_from_the_beginning():
    assert keys() == KEYS
    assert Expert.objects.filter(active=True).count() == 4


def test_each_says_what_to_look_for_and_what_to_leave_alone():
    for one in read_presets():
        words = one["instructions"].split()
        assert 150 <= len(words) <= 300, one["key"]
        assert "Leave alone:" in one["instructions"]
        assert one["name"]
        assert 15 <= len(one["looks_for"].split()) <= 40


def test_what_people_changed_stays():
    Expert.objects.filter(key="economist").update(name="Bookkeeper", active=False, position=9)
    create_presets()
    changed = Expert.objects.get(key="economist")
    assert (changed.name, changed.active, changed.position) == ("Bookkeeper", False, 9)
    assert Expert.objects.count() == 4


def test_who_was_deleted_does_not_come_back():
    Expert.objects.get(key="economist").delete()
    create_presets()
    assert keys() == ["psychologist", "political_scientist", "demographer"]


def test_nor_does_who_got_another_key():
    renamed = Expert.objects.get(key="economist")
    renamed.key = "thrift"
    renamed.save()
    create_presets()
    assert Expert.objects.count() == 4
    assert "economist" not in keys()


def test_where_none_was_ever_there_they_come():
    Expert.objects.all().delete()
    Expert.history.all().delete()
    create_presets()
    assert keys() == KEYS
    assert Expert.history.count() == 4


def test_a_migration_back_to_before_them_makes_none():
    Expert.objects.all().delete()
    Expert.history.all().delete()
    create_presets(apps=Apps())
    assert keys() == []
