import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache, reduce
from operator import and_, attrgetter, or_
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import BooleanField, Q, QuerySet, Value
from django.db.models.expressions import RawSQL
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from interviews.models import Session, TranscriptEntry

TERM = re.compile(r'(-?)(?:"([^"]*)"|(\S+))')
RARE = 500  # utterances
MIN_LETTERS = 3  # from which on a word also finds longer ones
UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR")  # writing systems
ARTICLE, LINKS = "ال", ("", "و", "ف")
PREPOSITIONS = ("", "ب", "ك", "ل", "ال", "بال", "كال", "لل")  # without and with the article
Term = tuple[str, bool]  # with whether it is a phrase
Alternative = tuple[list[Term], list[Term]]
FROM, TO = "\ue000", "\ue001"  # around what was found
SQLITE_MATCHES = """SELECT rowid FROM interviews_search WHERE interviews_search MATCH %s
ORDER BY rowid DESC LIMIT 20000"""  # the latest: all of a frequent word take seconds
SQLITE_KEYS = "SELECT value FROM json_each(%s)"
# In the interview's own language: in another one, a word that is left out may be written otherwise.
POSTGRESQL_OWN = """interviews_transcriptentry.search_words @@ (
SELECT to_tsquery(interviews_search_configuration(language), %s) FROM interviews_session
WHERE id = interviews_transcriptentry.session_id)"""
POSTGRESQL_KEYS = "SELECT unnest(%s)"
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
    variants = {words.lower(), words.upper(), words.capitalize()}
    if len(variants) == 1:  # signs without case
        return Q(**{f"{field}__contains": words})
    matches = Q(**{f"{field}__icontains": words})
    if not words.isascii():
        matches |= reduce(or_, (Q(**{f"{field}__contains": one}) for one in variants))
    return matches


def saying(entries: QuerySet[TranscriptEntry], words: str) -> QuerySet[TranscriptEntry]:
    """Return the entries with all the words, or longer ones that begin like them.

    On SQLite, a frequent word is found as it stands only. Arabic words are found behind a
    conjunction, a preposition or an article, too.
    `"…"` finds words as they stand, `or` either side, `-` leaves out. Where words aren't set apart
    by spaces, the index doesn't know them, and every text is read.
    """
    if is_unspaced(words):
        return _few_by_key(entries, entries.filter(_read_for(words)))
    query = _query(words)
    if not query:
        return entries.none()
    entries = entries.annotate(search_query=Value(query))
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(SQLITE_MATCHES, [query])
            keys = [key for (key,) in cursor.fetchall()]
        return entries.filter(among(keys))
    tsquery, params = _tsquery(query)
    matches = f"interviews_transcriptentry.search_words @@ ({tsquery})"
    found = entries.filter(RawSQL(matches, params, output_field=BooleanField()))  # noqa: S611
    if "!" in query:
        own = RawSQL(POSTGRESQL_OWN, [query], output_field=BooleanField())  # noqa: S611
        found = found.filter(own)
    return _few_by_key(entries, found)


def _few_by_key(
    entries: QuerySet[TranscriptEntry], found: QuerySet[TranscriptEntry]
) -> QuerySet[TranscriptEntry]:
    """Return rare ones by key: PostgreSQL may not know that they are, and read the whole table."""
    keys = list(found.order_by().values_list("pk", flat=True)[: RARE + 1])
    return found if len(keys) > RARE else entries.filter(among(keys))


def among(keys: Sequence[int] | Sequence[UUID]) -> Q:
    """Match the rows with these keys, which go to the database as one value: a condition of
    thousands takes longer to write than to answer."""
    if not keys:
        return Q(pk__in=())
    if connection.vendor == "sqlite":
        given = json.dumps(keys, default=attrgetter("hex"))  # as it stores a UUID
        return Q(pk__in=RawSQL(SQLITE_KEYS, [given]))  # noqa: S611
    return Q(pk__in=RawSQL(POSTGRESQL_KEYS, [[*keys]]))  # noqa: S611


def snippets(entries: Iterable[TranscriptEntry]) -> dict[int, SafeString]:
    """Return what surrounds the words in each of the entries found, by key, in one query."""
    queries = {entry.pk: getattr(entry, "search_query", "") for entry in entries}
    keys, query = [*queries], next(iter(queries.values()), "")
    if not query:
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


def _parsed(words: str) -> list[Alternative]:
    """Return what is looked for, and what is left out, on each side of an `or`."""
    groups: list[Alternative] = [([], [])]
    for without, phrase, word in TERM.findall(words):
        if word.lower() == "or":
            groups.append(([], []))
        elif _pieces(phrase or word):
            groups[-1][bool(without)].append((phrase or word, bool(phrase)))
    return [group for group in groups if group[0]]


def _read_for(words: str) -> Q:
    matches = Q(pk__in=())
    for found, left_out in _parsed(words):
        sought = [containing("text", text.strip()) for text, _ in found]
        matches |= reduce(
            and_, sought + [~containing("text", text.strip()) for text, _ in left_out]
        )
    return matches


def _query(words: str) -> str:
    """Return the search in the database's own language; empty if nothing is looked for."""
    both, leave_out, either = (
        (" & ", " & !", " | ") if connection.vendor == "postgresql" else (" AND ", " NOT ", " OR ")
    )
    return either.join(
        f"({leave_out.join([f'({both.join(map(_term, found))})', *map(_term, left_out)])})"
        for found, left_out in _parsed(words)
    )


def _pieces(text: str) -> list[str]:
    """Return the letters, digits and their marks that stand together."""
    return "".join(one if unicodedata.category(one)[0] in "LNM" else " " for one in text).split()


def _term(term: Term) -> str:
    pieces, is_phrase = _pieces(term[0]), term[1]
    longer = not is_phrase and len(pieces[-1]) >= MIN_LETTERS
    forms = _attached(pieces[0]) if longer and len(pieces) == 1 else [" ".join(pieces)]
    if connection.vendor == "postgresql":
        each = [" <-> ".join(f"'{one}'" for one in form.split()) for form in forms]
        return f"({' | '.join(one + ':*' * longer for one in each)})"
    exact = [f'"{form}"' for form in forms]
    found = [f"{one} *" if longer and not _is_frequent(one) else one for one in exact]
    return f"({' OR '.join(found)})"


def _attached(word: str) -> list[str]:
    """Return the word with whatever Arabic writes together with a word before it."""
    if not unicodedata.name(word[0], "").startswith("ARABIC"):
        return [word]
    bare = word.removeprefix(ARTICLE) if len(word) >= len(ARTICLE) + MIN_LETTERS else word
    return [f"{link}{preposition}{bare}" for link in LINKS for preposition in PREPOSITIONS]


def _is_frequent(term: str) -> bool:
    """Return whether SQLite knows many texts with it, so that adding longer ones is slow."""
    with connection.cursor() as cursor:
        cursor.execute(SQLITE_NTH, [term, RARE])
        return cursor.fetchone() is not None


def _tsquery(query: str) -> tuple[str, list[Any]]:
    """Return the query in each language that interviews were led in, and its values."""
    languages = [*Session.objects.order_by().values_list("language", flat=True).distinct()] or [""]
    calls = ["to_tsquery(interviews_search_configuration(%s), %s)"] * len(languages)
    return " || ".join(calls), [value for one in languages for value in (one, query)]


def is_unspaced(words: str) -> bool:
    """Return whether some of it is in a writing system that doesn't set words apart."""
    return any(map(_is_unspaced, words))


@cache
def _is_unspaced(sign: str) -> bool:
    return unicodedata.name(sign, "").startswith(UNSPACED)
