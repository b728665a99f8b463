import json
import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import Any

from django.db import connection
from django.db.models import BooleanField, Q, QuerySet
from django.db.models.expressions import RawSQL
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from interviews.models import Session, TranscriptEntry

TERM = re.compile(r'(-?)(?:"([^"]*)"|(\S+))')
RARE = 500  # utterances
MIN_LETTERS = 3  # from which on a word also finds longer ones
UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR")  # writing systems
FROM, TO = "\ue000", "\ue001"  # around what was found
SQLITE_MATCHES = """interviews_transcriptentry.id IN (
SELECT rowid FROM interviews_search WHERE interviews_search MATCH %s
ORDER BY rowid DESC LIMIT 20000)"""  # the latest: all of a frequent word take seconds
SQLITE_NTH = "SELECT 1 FROM interviews_search WHERE interviews_search MATCH %s LIMIT 1 OFFSET %s"
SQLITE_SNIPPETS = """SELECT interviews_search.rowid, snippet(interviews_search, 0, %s, %s, '…', 30)
FROM json_each(%s) CROSS JOIN interviews_search ON interviews_search.rowid = value
WHERE interviews_search MATCH %s"""  # row by row: not all that match
POSTGRESQL_SNIPPETS = """
SELECT entry.id, ts_headline(interviews_search_configuration(language), text, {}, %s)
FROM interviews_transcriptentry entry JOIN interviews_session session ON session.id = session_id
WHERE entry.id = ANY(%s)"""
HEADLINE = f"StartSel={FROM}, StopSel={TO}, MaxWords=30, MinWords=15"


def containing(field: str, words: str) -> Q:
    """Match texts that contain the words in any case.

    SQLite ignores case only for ASCII, so other words are looked for in the usual three forms.
    """
    matches = Q(**{f"{field}__icontains": words})
    if words.isascii():
        return matches
    for variant in {words.lower(), words.upper(), words.capitalize()}:
        matches |= Q(**{f"{field}__contains": variant})
    return matches


def saying(entries: QuerySet[TranscriptEntry], words: str) -> QuerySet[TranscriptEntry]:
    """Return the entries with all the words, or longer ones that begin like them.

    On SQLite, a frequent word is found as it stands only.
    `"…"` finds words as they stand, `or` either side, `-` leaves out. Where words aren't set apart
    by spaces, the index doesn't know them, and every text is read.
    """
    if any(map(_is_unspaced, words)):
        return entries.filter(containing("text", words))
    query = _query(words)
    if not query:
        return entries.none()
    if connection.vendor == "postgresql":
        tsquery, params = _tsquery(query)
        matches = f"interviews_transcriptentry.search_words @@ ({tsquery})"
    else:
        matches, params = SQLITE_MATCHES, [query]
    found = entries.filter(RawSQL(matches, params, output_field=BooleanField()))  # noqa: S611
    # Rare ones by key: PostgreSQL may not know that they are, and read the whole table backwards.
    keys = list(found.order_by().values_list("pk", flat=True)[: RARE + 1])
    return found if len(keys) > RARE else entries.filter(pk__in=keys)


def snippets(entries: Iterable[TranscriptEntry], words: str) -> dict[int, SafeString]:
    """Return what surrounds the words in each of the entries found, by key, in one query."""
    keys, query = [entry.pk for entry in entries], _query(words)
    if not keys or not query or any(map(_is_unspaced, words)):
        return {}
    if connection.vendor == "postgresql":
        tsquery, params = _tsquery(query)
        sql, params = POSTGRESQL_SNIPPETS.format(tsquery), [*params, HEADLINE, keys]
    else:
        sql, params = SQLITE_SNIPPETS, [FROM, TO, json.dumps(keys), query]
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return {key: _marked(text) for key, text in cursor.fetchall()}


def _marked(text: str) -> SafeString:
    return mark_safe(escape(text).replace(FROM, "<mark>").replace(TO, "</mark>"))  # noqa: S308


def _query(words: str) -> str:
    """Return the search in the database's own language; empty if nothing is looked for."""
    groups: list[tuple[list[str], list[str]]] = [([], [])]
    for without, phrase, word in TERM.findall(words):
        if word.lower() == "or":
            groups.append(([], []))
        elif pieces := _pieces(phrase or word):
            longer = not phrase and len(pieces[-1]) >= MIN_LETTERS
            groups[-1][bool(without)].append(_term(pieces, longer))
    return _join(groups)


def _pieces(text: str) -> list[str]:
    """Return the letters, digits and their marks that stand together."""
    return "".join(one if unicodedata.category(one)[0] in "LNM" else " " for one in text).split()


def _term(pieces: list[str], longer: bool) -> str:
    if connection.vendor == "postgresql":
        quoted = " <-> ".join(f"'{one}'" for one in pieces)
        return f"({quoted}{':*' if longer else ''})"
    exact = f'"{" ".join(pieces)}"'
    return f"{exact} *" if longer and not _is_frequent(exact) else exact


def _is_frequent(term: str) -> bool:
    """Return whether SQLite knows many texts with it, so that adding longer ones is slow."""
    with connection.cursor() as cursor:
        cursor.execute(SQLITE_NTH, [term, RARE])
        return cursor.fetchone() is not None


def _join(groups: Iterable[tuple[list[str], list[str]]]) -> str:
    both, leave_out, either = (
        (" & ", " & !", " | ") if connection.vendor == "postgresql" else (" AND ", " NOT ", " OR ")
    )
    return either.join(
        f"({leave_out.join([f'({both.join(found)})', *left_out])})"
        for found, left_out in groups
        if found
    )


def _tsquery(query: str) -> tuple[str, list[Any]]:
    """Return the query in each language that interviews were led in, and its values."""
    languages = [*Session.objects.order_by().values_list("language", flat=True).distinct()] or [""]
    calls = ["to_tsquery(interviews_search_configuration(%s), %s)"] * len(languages)
    return " || ".join(calls), [value for one in languages for value in (one, query)]


@cache
def _is_unspaced(sign: str) -> bool:
    return unicodedata.name(sign, "").startswith(UNSPACED)
