"""What participants read and hear is whole in every language of the interface."""

import gettext
import re
from collections import Counter
from pathlib import Path

import pytest
from django.conf import settings
from django.utils.translation import get_language_info

from llm.tasks.yaml_files import read_yaml_file
from tests.catalogues import ROOT, Entry, catalogue, marked
from tests.each import each

LANGUAGES = [code for code, _name in settings.LANGUAGES]
TRANSLATED = [code for code in LANGUAGES if code != "en"]
FOLDERS = sorted(
    folder
    for part in ("interviews", "reflections")
    for folder in (ROOT / part).rglob("texts")
    if (folder / "en.yaml").exists()
)
PLACES = re.compile(r"%\(\w+\)[sd]|%%")
BRACES = re.compile(r"\{(\w+)\}")
PLURALS = {"ar": 6, "ru": 4}  # forms; others have two


def compiled(language: str) -> gettext.GNUTranslations:
    """The catalogue that is used."""
    path = ROOT / "locale" / language / "LC_MESSAGES" / "django.mo"
    with path.open("rb") as file:
        return gettext.GNUTranslations(file)


def places_differ(entry: Entry, language: str) -> bool:
    """Whether a translation has other placeholders than its string.

    The form for one thing may lack what its string lacks; in Arabic the forms for none, one and two
    may say the number in words.
    """
    wanted, bare = (Counter(PLACES.findall(text)) for text in (entry.plural, entry.text))
    spelled = range(3) if entry.plural and language == "ar" else range(0)
    return any(
        found != (wanted if entry.plural else bare)
        and not (number == 0 and found == bare)
        and not (number in spelled and not found - wanted)
        for number, found in enumerate(Counter(PLACES.findall(text)) for text in entry.texts)
    )


def glossary(language: str) -> dict[str, str]:
    """English terms -> the forms or stems, separated by |, that translate them."""
    path = ROOT / "locale" / language / "glossary.yaml"
    loaded: dict[str, str] = read_yaml_file(path)
    return loaded


def uses(term: str, text: str) -> bool:
    return re.search(rf"\b{term}(s|d|n)?\b", text, re.IGNORECASE) is not None


def missed(entry: Entry, terms: dict[str, str]) -> list[str]:
    """Return the terms of the English text that one of its translations lacks."""
    wanted = [term for term in terms if uses(term, entry.plural or entry.text)]
    texts = [text.casefold() for text in entry.texts]
    forms = {term: terms[term].casefold().split("|") for term in wanted}
    return [
        term for term in wanted if not all(any(f in text for f in forms[term]) for text in texts)
    ]


@each("language", TRANSLATED)
def test_every_string_of_the_sources_is_in_the_catalogue_and_no_other(language: str):
    held = {(entry.context, entry.text) for entry in catalogue(language)[1:]}
    assert held == marked()


@each("language", TRANSLATED)
def test_every_string_is_translated_and_none_is_a_guess(language: str):
    for entry in catalogue(language)[1:]:
        assert all(text.strip() for text in entry.texts), entry.text
        assert "fuzzy" not in entry.flags and "#~" not in entry.flags, entry.text
        forms = PLURALS.get(language, 2) if entry.plural else 1
        assert len(entry.texts) == forms, entry.text


@each("language", TRANSLATED)
def test_placeholders_are_those_of_the_string(language: str):
    assert [e.text for e in catalogue(language)[1:] if places_differ(e, language)] == []


def test_a_lost_placeholder_is_noticed():
    assert places_differ(Entry("%(a)s of %(b)s", texts=["%(a)s"]), "de")
    assert places_differ(Entry("%(a)s", "%(a)s", texts=["%(a)s", "one"]), "de")
    assert not places_differ(Entry("%(a)s", "%(a)s", texts=["one", *["%(a)s"] * 5]), "ar")


@each("language", TRANSLATED)
def test_what_is_compiled_is_what_is_written(language: str):
    """After a change: manage.py compilemessages."""
    used = compiled(language)
    for entry in catalogue(language)[1:]:
        if entry.plural:
            numbers = {used.plural(n) for n in range(200)}  # type: ignore[attr-defined]
            held = [used._catalog[entry.text, n] for n in sorted(numbers)]  # type: ignore[attr-defined]
            assert held == entry.texts[: len(held)], entry.text
        elif entry.context:
            assert used.pgettext(entry.context, entry.text) == entry.texts[0]
        else:
            assert used.gettext(entry.text) == entry.texts[0]


def test_russian_and_arabic_count_by_their_own_rules():
    russian, arabic = compiled("ru"), compiled("ar")

    def minutes(language: gettext.GNUTranslations, number: int) -> str:
        form = language.ngettext("about %(minutes)s minute", "about %(minutes)s minutes", number)
        return form % {"minutes": number}

    assert [minutes(russian, n).split()[-1] for n in (1, 2, 5, 11, 21)] == [
        "минуты",
        "минут",
        "минут",
        "минут",
        "минуты",
    ]
    assert [minutes(arabic, n) for n in (1, 2, 3, 11)] == [
        "حوالي دقيقة واحدة",
        "حوالي دقيقتين",
        "حوالي 3 دقائق",
        "حوالي 11 دقيقة",
    ]


@each("language", TRANSLATED)
def test_nothing_shouts(language: str):
    assert [e.text for e in catalogue(language)[1:] if any("!" in text for text in e.texts)] == []


@each("language", TRANSLATED)
def test_what_asks_asks_in_every_language(language: str):
    mark = "؟" if language == "ar" else "?"
    for entry in catalogue(language)[1:]:
        if not entry.text.rstrip().endswith("?"):
            assert not entry.texts[0].rstrip().endswith(mark), entry.text
        elif language != "ar":  # Arabic says some of these without asking
            assert entry.texts[0].rstrip().endswith(mark), entry.text


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_term_is_translated_by_the_glossary(language: str):
    """Replies to the interviewer are left out: their words are those that its rules know."""
    terms = glossary(language)
    found = {
        (term, entry.text): entry.texts
        for entry in catalogue(language)[1:]
        if not entry.context and entry.text != "Skip to content"
        for term in missed(entry, terms)
    }
    assert found == {}


def test_every_language_has_the_same_glossary_and_the_interface_uses_it_all():
    assert len({frozenset(glossary(language)) for language in TRANSLATED}) == 1
    told = " ".join(text for _context, text in marked())
    assert [term for term in glossary("de") if not uses(term, told)] == []


def test_a_term_that_is_translated_otherwise_is_noticed():
    terms = {"link": "enlace", "answer": "respuesta|respond"}
    assert missed(Entry("Your links", texts=["Sus vínculos"]), terms) == ["link"]
    assert missed(Entry("Answer", texts=["Responder"]), terms) == []
    assert missed(Entry("Linked", "Links", texts=["Un enlace", "Vínculos"]), terms) == ["link"]


def test_only_arabic_is_written_from_the_right():
    assert [code for code in LANGUAGES if get_language_info(code)["bidi"]] == ["ar"]


# -- what the interviewer says without a model


def spoken(folder: Path, language: str) -> dict[str, list[str]]:
    """The fixed texts of a folder in one language."""
    loaded: dict[str, list[str]] = read_yaml_file(folder / f"{language}.yaml")
    return loaded


@each("folder", FOLDERS)
@each("language", TRANSLATED)
def test_the_interviewer_has_the_same_sentences_in_every_language(folder: Path, language: str):
    english, other = spoken(folder, "en"), spoken(folder, language)
    assert other.keys() == english.keys()
    for key, wordings in english.items():
        assert len(other[key]) == len(wordings), key
        for here, there in zip(wordings, other[key], strict=True):
            assert Counter(BRACES.findall(there)) == Counter(BRACES.findall(here)), key
            assert there.strip() and "!" not in there, key


@each("folder", FOLDERS)
def test_the_interviewer_has_no_language_that_the_interface_lacks(folder: Path):
    assert {path.stem for path in folder.glob("*.yaml")} == set(LANGUAGES)
