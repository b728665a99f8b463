"""Which fields somebody gives and which they leave out, in the words of seven languages."""

from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from interviews.engine.contact_data.choices import read_choices, values_in
from interviews.engine.contact_data.fields import read_consent
from tests.each import each


class Field(NamedTuple):
    key: str
    kind: str
    label: str


LABELS = {
    "en": ("e-mail address", "name", "phone number"),
    "it": ("indirizzo e-mail", "nome", "numero di telefono"),
    "ru": ("адрес почты", "имя", "номер телефона"),
    "de": ("E-Mail-Adresse", "Name", "Telefonnummer"),
    "fr": ("adresse e-mail", "nom", "numéro de téléphone"),
    "es": ("correo electrónico", "nombre", "número de teléfono"),
    "ar": ("البريد الإلكتروني", "الاسم", "رقم الهاتف"),
}


def fields(language):
    kinds = ("email", "name", "phone")
    return [Field(*one) for one in zip(kinds, kinds, LABELS[language], strict=True)]


SAID = {
    "en": [
        ("E-mail yes, name no", "email", "name"),
        ("E-mail yes, name no, phone no", "email", "name phone"),
        ("e-mail yes name no", "email", "name"),
        ("yes to the e-mail, no to the name", "email", "name"),
        ("You can have my e-mail but not my name.", "email", "name"),
        ("You can have my e-mail and not my name.", "email", "name"),
        ("Yes, but not my name.", "", "name"),
        ("No name and no phone please, e-mail is fine.", "email", "name phone"),
        ("Only the e-mail, please.", "email", "name phone"),
        ("No, only the e-mail.", "email", "name phone"),
        ("Everything except my phone.", "email name", "phone"),
        ("All but the name.", "email phone", "name"),
        ("My e-mail is ann@example.org, and I'd rather not give my phone.", "email", "phone"),
        ("I don't want to give my name", "", "name"),
        ("Yes", "", ""),
        ("No", "", ""),
        ("Ann", "", ""),
        ("not my name or phone", "", "name phone"),
    ],
    "it": [
        ("E-mail sì, nome no", "email", "name"),
        ("Sì, ma non il nome", "", "name"),
        ("Solo l'e-mail.", "email", "name phone"),
        ("Tutto tranne il telefono", "email name", "phone"),
        ("Il nome preferisco di no, la mail va bene", "email", "name"),
    ],
    "ru": [
        ("Почту да, имя нет", "email", "name"),
        ("Да, но без имени", "", "name"),
        ("Только почту.", "email", "name phone"),
        ("Всё, кроме телефона", "email name", "phone"),
        ("Имя не скажу, почта пожалуйста", "email", "name"),
    ],
    "de": [
        ("E-Mail ja, Name nein", "email", "name"),
        ("Ja, aber nicht meinen Namen.", "", "name"),
        ("Nur die E-Mail.", "email", "name phone"),
        ("Alles außer der Telefonnummer", "email name", "phone"),
        ("Name lieber nicht, Mail gern", "email", "name"),
        ("Keinen Namen, aber die E-Mail-Adresse", "email", "name"),
    ],
    "fr": [
        ("E-mail oui, nom non", "email", "name"),
        ("Oui, mais pas mon nom", "", "name"),
        ("Seulement l'e-mail.", "email", "name phone"),
        ("Tout sauf le téléphone", "email name", "phone"),
        ("Je ne donne pas mon nom, mais l'adresse e-mail oui", "email", "name"),
    ],
    "es": [
        ("Correo sí, nombre no", "email", "name"),
        ("Sí, pero no mi nombre", "", "name"),
        ("Solo el correo.", "email", "name phone"),
        ("Todo menos el teléfono", "email name", "phone"),
        ("El nombre prefiero no darlo, el correo sí", "email", "name"),
    ],
    "ar": [
        ("البريد نعم، الاسم لا", "email", "name"),
        ("نعم، لكن ليس الاسم", "", "name"),
        ("البريد فقط.", "email", "name phone"),
        ("كل شيء إلا الهاتف", "email name", "phone"),
    ],
}


@each(
    ("language", "said", "agreed", "refused"),
    [(language, *one) for language, several in SAID.items() for one in several],
)
def test_what_is_said_of_each_field(language, said, agreed, refused):
    found = read_choices(said, fields(language), language)
    assert (found.agreed, found.refused) == ({*agreed.split()}, {*refused.split()})


@each(
    ("said", "consent"),
    [
        ("E-mail yes, name no", "yes"),
        ("Yes, but not my name.", "yes"),
        ("I don't want to give my name", "unclear"),
        ("I don't want to give any data, not even my name", "no"),
        ("E-mail? What for?", "unclear"),
        ("No name.", "unclear"),
        ("My address is ann@example.org", "yes"),
        ("Is ann@example.org all right?", "unclear"),
        ("Yes", "yes"),
        ("No", "no"),
    ],
)
def test_a_yes_to_some_of_them_is_a_yes(said, consent):
    choices, values = read_choices(said, fields("en"), "en"), values_in(said, fields("en"))
    assert read_consent(said, choices, bool(values)) == consent


@each(
    ("said", "due", "rest"),
    [
        ("Ann, but no phone", "name", "Ann"),
        ("My name isn't Kim, it's Kimmo", "name", "it's Kimmo"),
        ("E-mail yes, name no", "name", ""),
        ("My name is Ann Smith", "name", "My name is Ann Smith"),
        ("Smith, Sons and Co.", "name", "Smith, Sons and Co."),
    ],
)
def test_what_is_left_for_the_field_that_is_due(said, due, rest):
    assert read_choices(said, fields("en"), "en", due).rest == rest


def test_values_of_other_fields_are_found_where_there_is_one_of_the_kind():
    said = "Ann, old@example.org, no: ann@example.org, or 040 1234567"
    assert values_in(said, fields("en")) == {"email": "ann@example.org", "phone": "0401234567"}
    assert values_in(said, [*fields("en"), Field("work", "email", "e-mail at work")]) == {
        "phone": "0401234567"
    }


def test_labels_of_the_same_kind_and_free_ones_are_told_apart():
    two = [
        Field("home", "email", "private e-mail"),
        Field("work", "email", "work e-mail"),
        Field("post", "free", "postal address"),
        Field("firm", "company", "name of the company"),
    ]
    found = read_choices("Work e-mail yes, postal address no", two, "en")
    assert (found.agreed, found.refused) == ({"work"}, {"post"})
    assert read_choices("No e-mail", two, "en").refused == {"home", "work"}


def test_an_unknown_language_says_nothing():
    found = read_choices("E-mail sim, nome não", fields("en"), "pt")
    assert (found.agreed, found.refused, found.rest) == (set(), set(), "E-mail sim, nome não")


@given(st.text(max_size=80), st.sampled_from(sorted(LABELS)))
def test_whatever_is_said_a_field_is_agreed_or_refused_and_not_both(text, language):
    found = read_choices(text, fields(language), language)
    assert not found.agreed & found.refused
    assert found.agreed | found.refused <= {"email", "name", "phone"}
