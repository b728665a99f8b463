"""What the columns of a list of people hold: who they are, or parameters that exports name."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from interviews.engine.contact_data.detection import AT, DIGITS, is_sure_phone

KNOWN = ("name", "email", "language", "reference", "expires")
NAME_PARTS = ("first", "middle", "last")
# Headings as address books and spreadsheets write them, without spaces, signs and accents.
HEADINGS: dict[str, str] = {
    "name": "fullname completename displayname participantname contactname nomecompleto "
    "nomeecognome nombrecompleto nombreyapellido nombreyapellidos nom nomcomplet nometprenom "
    "nomprenom vollername vorundnachname фио полноеимя имяифамилия الاسم الاسمالكامل",
    "first": "first firstname givenname givennames forename nome nombre nombres prenom vorname "
    "имя الاسمالاول",
    "middle": "middlename middlenames secondonome segundonombre deuxiemeprenom отчество",
    "last": "last lastname surname familyname cognome apellido apellidos nomdefamille nachname "
    "familienname фамилия اسمالعائلة",
    "email": "mail emailaddress mailaddress emailadress emailid indirizzoemail indirizzomail "
    "postaelettronica correo correoelectronico direcciondecorreoelectronico adresseemail "
    "adressemail courriel adresseelectronique emailadresse mailadresse почта электроннаяпочта "
    "емейл имейл адресэлектроннойпочты البريدالالكتروني",
}
SUSPICIOUS_WORDS = {  # of a heading; those of five letters and more also within a word
    "a phone number": "phone mobile cell handy whatsapp telef tel telnr movil celular "
    "cellulare portable телефон мобил هاتف جوال",
    "a name": "name nome nombre nom prenom surname nickname cognome apellido vorname nachname имя "
    "фамилия اسم",
    "an address": "address street zip postcode postal email mail indirizzo direccion adresse "
    "anschrift strasse rue calle адрес улица عنوان",
    "a date of birth": "birth dob geburt nascita nacimiento naissance рождения ميلاد",
    "a secret": "token password passcode secret key hash iban passport ssn",
    "a link": "link url website homepage linkedin facebook instagram",
}
SUSPICIOUS = {word: kind for kind, words in SUSPICIOUS_WORDS.items() for word in words.split()}
LINK = re.compile(r"https?://|www\.", re.IGNORECASE)
SECRET = re.compile(r"\A(?=\S*\d)(?=\S*[A-Za-z])[\w.+/=~-]{20,}")
EXAMPLES, LONGEST_EXAMPLE = 2, 60


@dataclass(frozen=True, slots=True)
class ParameterColumn:
    """`looks_like` says why it may tell who somebody is."""

    name: str
    examples: tuple[str, ...]
    looks_like: str = ""

    @property
    def seen(self) -> str:
        """Return what somebody has seen of it."""
        return f"{self.looks_like}: {self.name}" if self.looks_like else self.name


def known_column(heading: str) -> str:
    """Return what a heading is known as, also a part of a name; else the heading itself."""
    plain = "".join(_words(heading))
    return _KNOWN_AS.get(plain, " ".join(heading.split()))


def full_name(cells: Mapping[str, str]) -> str:
    """Join the parts of a name. “Name” beside a first name alone is the family name."""
    whole = cells.get("name", "")
    first, middle, last = (cells.get(part, "") for part in NAME_PARTS)
    if whole and (last or first in whole.split()):
        return whole
    return " ".join(filter(None, (first, middle, last or whole)))


def parameter_columns(
    rows: Sequence[tuple[Sequence[str], Mapping[str, str]]], declared: Iterable[str] = ()
) -> list[ParameterColumn]:
    """Return the columns of rows, each the person's name and address with their parameters.

    Parameters that the bot itself declares are trusted.
    """
    trusted = {name.casefold() for name in declared}
    people = [{word for text in who for word in _words(text) if len(word) > 2} for who, _ in rows]
    found = []
    for name in dict.fromkeys(name for _, params in rows for name in params):
        cells = [
            (own, params[name])
            for own, (_, params) in zip(people, rows, strict=True)
            if name in params
        ]
        values = tuple(dict.fromkeys(value for _, value in cells))
        named = any(own.intersection(_words(value)) for own, value in cells)
        kind = _looks_like(name, values) or ("a name" if named else "")
        kind = "" if name.casefold() in trusted else kind
        examples = tuple(value[:LONGEST_EXAMPLE] for value in values[:EXAMPLES])
        found.append(ParameterColumn(name, examples, kind))
    return found


def _looks_like(heading: str, values: Iterable[str]) -> str:
    words = _words(heading)
    for suspicious, kind in SUSPICIOUS.items():
        if suspicious in words or (len(suspicious) > 4 and suspicious in " ".join(words)):
            return kind
    return next(filter(None, map(_kind_of_value, values)), "")


def _kind_of_value(value: str) -> str:
    if AT.search(value):
        return "an address"
    if LINK.search(value):
        return "a link"
    if DIGITS.fullmatch(value) and is_sure_phone(value):
        return "a phone number"
    return "a secret" if SECRET.fullmatch(value) else ""


def _words(text: str) -> list[str]:
    parts = unicodedata.normalize("NFKD", text).casefold()
    return re.findall(r"[^\W_]+", "".join(c for c in parts if not unicodedata.combining(c)))


_KNOWN_AS = {known: known for known in KNOWN} | {
    "".join(_words(heading)): known
    for known, headings in HEADINGS.items()
    for heading in headings.split()
}
