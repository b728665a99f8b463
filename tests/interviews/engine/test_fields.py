"""Values are found inside sentences, refusals told apart, and what was confided is masked."""

import unicodedata

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from interviews.engine.contact_data.fields import mask_answer, read_consent, read_field
from interviews.engine.contact_data.masking import (
    HIDDEN,
    LONGEST_TEXT,
    hide_contact_data,
    holds,
    leaks,
    mask,
    scrub,
)
from tests.each import each
from tests.examples import examples
from tests.growth import growth

FOUND = {
    "email": [
        ("ann@example.org", "ann@example.org"),
        ("Sure, Ann.Smith@Example.ORG. Thanks!", "Ann.Smith@example.org"),
        ("<mailto:ann+news@mail.example.co.uk>", "ann+news@mail.example.co.uk"),
        ("it's ann at example dot org", "ann@example.org"),
        ("you can reach me at ann at example dot co dot uk", "ann@example.co.uk"),
        ("write to ann_b (at) example (dot) com", "ann_b@example.com"),
        ("ann [at] example.org", "ann@example.org"),
        ("ann @ example . org", "ann@example.org"),
        ("ann underscore smith at example dot org", "ann_smith@example.org"),
        ("no, it's a@b.org, sorry, c@b.org", "c@b.org"),
        ("o'brien@example.ie", "o'brien@example.ie"),
        ("la mia mail è anna@esempio.it, grazie", "anna@esempio.it"),
        ("anna chiocciola esempio punto it", "anna@esempio.it"),
        ("anna trattino basso rossi chiocciola esempio punto it", "anna_rossi@esempio.it"),
        ("anna trattino rossi chiocciola esempio punto it", "anna-rossi@esempio.it"),
        ("пишите на anna@primer.ru", "anna@primer.ru"),
        ("аня собака почта точка рф", "аня@почта.рф"),
        ("anna собака mail точка ru", "anna@mail.ru"),
        ("anna нижнее подчёркивание b собака mail точка ru", "anna_b@mail.ru"),
    ],
    "phone": [
        ("+39 333 123 4567", "+393331234567"),
        ("it's 333 1234567, call me after 5", "3331234567"),
        ("0039 333 1234567", "+393331234567"),
        ("(020) 7946-0018", "02079460018"),
        ("il mio numero è 333.123.45.67", "3331234567"),
        ("мой телефон +7 916 123-45-67", "+79161234567"),
        ("٠١٢٣٤٥٦٧٨٩", "0123456789"),
        ("not at ann7654321@example.org but +44 20 7946 0018", "+442079460018"),
    ],
    "name": [
        ("Ann", "Ann"),
        ("Sure, my name is Ann O’Neil-Smith, nice to meet you", "Ann O’Neil-Smith"),
        ("It's Ann, thanks", "Ann"),
        ("J. R. Smith", "J. R. Smith"),
        ("you can call me Bo.", "Bo"),
        ("No, it's Ann", "Ann"),
        ("my name is:  Ann", "Ann"),
        ("Mi chiamo Anna", "Anna"),
        ("sono Anna Rossi e lavoro a Roma", "Anna Rossi"),
        ("Il mio nome è Niccolò", "Niccolò"),
        ("меня зовут Аня", "Аня"),
        ("Моё имя Алёна Иванова.", "Алёна Иванова"),
        ("Я Пётр, очень приятно", "Пётр"),
        ("李小龍", "李小龍"),
        ("अनीता", "अनीता"),
    ],
    "company": [
        ("I work for Acme Ltd.", "Acme Ltd"),
        ("3M", "3M"),
        ("My company is called Northern Lights", "Northern Lights"),
        ("lavoro all'Ansaldo", "Ansaldo"),
        ("la mia azienda si chiama Sole & Figli", "Sole & Figli"),
        ("я работаю в компании Ромашка", "Ромашка"),
    ],
    "role": [
        ("I'm a senior engineer", "senior engineer"),
        ("I work as a nurse.", "nurse"),
        ("I work as head of sales", "head of sales"),
        ("sono un'infermiera", "infermiera"),
        ("faccio il falegname", "falegname"),
        ("я инженер", "инженер"),
        ("работаю учителем", "учителем"),
    ],
    "free": [("I'd like  a summary\nby post", "I'd like a summary by post")],
}
NOT_FOUND = {
    "email": [
        ("I work at example dot org", "unclear"),
        ("why do you need it?", "unclear"),
        ("ann@example", "invalid"),
        ("ann@@example.org", "invalid"),
        ("ann..b@example.org", "invalid"),
        ("@", "invalid"),
        ("my name is Ann", "unclear"),
    ],
    "phone": [("12345", "invalid"), ("1" * 20, "invalid"), ("call me", "unclear")],
    "name": [
        ("yes", "unclear"),
        ("Sure.", "unclear"),
        ("why do you want to know that", "unclear"),
        ("what do you mean?", "unclear"),
        ("R2D2", "invalid"),
        ("...", "unclear"),
        ("My name is " + "x" * 120, "invalid"),
    ],
    "company": [("which one do you mean?", "unclear"), ("x" * 200, "invalid")],
    "role": [("what for?", "unclear")],
    "free": [("?", "unclear"), ("what is it for?", "unclear"), ("x " * 800, "invalid")],
}
REFUSED = {
    "en": [
        "No",
        "no thanks",
        "I'd rather not",
        "I'd rather not give my email",
        "I don't want to give my phone number",
        "I won't share that",
        "I prefer not to say",
        "I don't have one",
        "I have no phone",
        "Skip this one",
        "not my phone, please",
        "none",
        "N/A",
        "leave it blank",
        "that's private",
        "You don't need my phone number",
    ],
    "it": [
        "No",
        "No grazie",
        "Preferisco di no",
        "Preferisco non dirlo",
        "preferirei non dare il mio numero",
        "Non voglio lasciare l'email",
        "Non glielo do",
        "non ce l'ho",
        "Non ho un telefono",
        "nessun telefono",
        "questo no",
        "Salta questa domanda",
        "meglio di no",
        "è personale",
        "Non voglio dirlo",
    ],
    "ru": [
        "Нет",
        "Нет, спасибо",
        "Не скажу",
        "не хочу",
        "Я не хочу давать свой телефон",
        "Лучше не буду говорить",
        "Предпочитаю не называть компанию",
        "у меня нет телефона",
        "У меня его нет",
        "без телефона, пожалуйста",
        "Не дам",
        "Я не скажу вам имя",
        "пропустим этот вопрос",
        "Это личное",
        "не хочу отвечать",
    ],
}
REFUSED_ALL = {
    "en": [
        "I'd rather stay anonymous",
        "I want to remain anonymous",
        "I don't want to give any personal data",
        "I don't want to give any data",
        "none of it",
        "No personal information, please",
        "Please stop asking for my data",
        "skip all of this",
        "I've changed my mind",
        "I withdraw my consent",
        "I won't share any contact details",
        "I'd rather not give any of that",
        "nothing at all",
        "don't ask me for any more data",
        "I don't want to leave my contact details",
    ],
    "it": [
        "Preferisco restare anonimo",
        "vorrei rimanere anonima",
        "Non voglio lasciare nessun dato",
        "non voglio dare i miei dati personali",
        "preferisco non lasciare i miei dati",
        "Nessun dato personale",
        "niente dati",
        "Non mi chieda altri dati",
        "Basta chiedere i miei dati",
        "saltiamo tutto",
        "Ho cambiato idea",
        "Ritiro il consenso",
        "niente di tutto questo",
        "in forma anonima",
        "Non intendo fornire alcun dato",
    ],
    "ru": [
        "Хочу остаться анонимным",
        "Я предпочитаю остаться анонимной",
        "Не хочу оставлять никаких данных",
        "Я не буду давать свои контакты",
        "не хочу давать личные данные",
        "Никаких персональных данных",
        "Не спрашивайте мои данные",
        "хватит спрашивать о моих данных",
        "Пропустим всё это",
        "Я передумала",
        "Отзываю своё согласие",
        "анонимно",
        "Ничего не оставлю",
        "лучше не буду оставлять никаких контактов",
        "ничего из этого",
    ],
}
LOOK_ALIKES = {
    "name": ["Noah", "Nona", "Nessun Dorma", "Нетта", "Ничипор", "Skip Jones"],
    "company": ["Private Eye", "No Name Ltd", "I work for Nothing", "lavoro per Anonima Sarda"],
    "role": ["I'm a data protection officer", "no longer a nurse, now a teacher"],
    "email": [
        "I don't want to forget it: ann@example.org",
        "no, not the old one: ann@example.org",
        "non voglio sbagliare: anna@esempio.it",
        "не хочу ошибиться: anna@primer.ru",
        "I'd rather not give the office one, take ann@example.org",
    ],
    "free": [
        "I don't want to give any wrong impression of my village",
        "I changed my mind about kettles twice",
        "anonymous letters are what I collect",
        "не хочу жаловаться на соседей",
    ],
}
YES = {
    "en": [
        "Yes",
        "yes yes",
        "Yes, please.",
        "Sure",
        "ok",
        "Okay, that's fine",
        "I agree",
        "Yes, I agree",
        "yes I do",
        "Of course!",
        "No problem",
        "Go ahead",
        "That's fine by me",
        "you may store my data",
        "Yes, of course, thank you",
        "I'm fine with that",
    ],
    "it": [
        "Sì",
        "si si",
        "Certo",
        "Va bene",
        "Sì, va bene",
        "D'accordo",
        "sono d'accordo",
        "Acconsento",
        "Sì, acconsento",
        "Volentieri, grazie",
        "Nessun problema",
        "per me va bene",
        "Do il mio consenso",
        "Faccia pure",
        "sì, può conservare i miei dati",
    ],
    "ru": [
        "Да",
        "да-да",
        "Да, конечно",
        "Конечно",
        "Согласна",
        "Я согласен",
        "да, я согласна",
        "Хорошо",
        "Не против",
        "без проблем",
        "Даю согласие",
        "Разумеется",
        "Можно",
        "Да, пожалуйста",
        "да, можете сохранить мои данные",
    ],
}
NO = {
    "en": [
        "No",
        "No, thank you",
        "nope",
        "I'd rather not",
        "I don't agree",
        "I do not consent to that",
        "not really",
        "Absolutely not",
        "please don't store anything",
        "No, I read about such things and don't trust them",
        "I don't want to give any data",
        "never",
        "I prefer to stay anonymous",
        "I'd rather you didn't",
        "No, why would I?",
    ],
    "it": [
        "No",
        "No, grazie",
        "Preferisco di no",
        "Non acconsento",
        "non sono d'accordo",
        "direi di no",
        "assolutamente no",
        "meglio di no",
        "Non voglio",
        "Non accetto queste condizioni",
        "no no",
        "preferirei non dare nulla",
        "Non voglio lasciare nessun dato",
        "per niente",
        "vorrei rimanere anonimo",
    ],
    "ru": [
        "Нет",
        "Нет, спасибо",
        "Не надо",
        "Не согласен",
        "я не согласна с этим",
        "Лучше не надо",
        "Ни за что",
        "я против",
        "не хочу",
        "Конечно, нет",
        "Не разрешаю",
        "нет-нет",
        "пожалуйста, не сохраняйте ничего",
        "Хочу остаться анонимной",
        "не буду",
    ],
}
UNCLEAR = [
    "maybe",
    "Yes?",
    "Yes, but not my phone",
    "yes and no",
    "no, okay",
    "I guess so",
    "I think yes",
    "if you must",
    "what do you do with it?",
    "Yes, what for?",
    "it depends",
    "as you like",
    "I said yes to too many things in my life already",
    "yes I can't stop thinking about it",
    "forse",
    "dipende",
    "sì, ma non il telefono",
    "boh",
    "se proprio deve",
    "наверное",
    "да нет, наверное",
    "да, но без телефона",
    "не знаю",
    "посмотрим",
    "зачем?",
    "",
    "👍",
    "ok? no",
]


def rows(table):
    return [(kind, *row) for kind, some in table.items() for row in some]


def lines(table):
    return [(key, text) for key, some in table.items() for text in some]


@each(("kind", "text", "value"), rows(FOUND))
def test_a_value_is_found_in_its_sentence(kind, text, value):
    reading = read_field(kind, text, "en")
    assert (reading.outcome, reading.value) == ("valid", value)


@each(("kind", "text", "outcome"), rows(NOT_FOUND))
def test_what_is_no_value_is_not_taken_for_one(kind, text, outcome):
    reading = read_field(kind, text, "en")
    assert (reading.outcome, reading.value) == (outcome, "")
    assert reading.reason
    assert reading.reason.replace("_", "").isalpha()


def test_eight_is_how_russia_dials_itself():
    assert read_field("phone", "8 (916) 123-45-67", "ru").value == "+79161234567"
    assert read_field("phone", "8 (916) 123-45-67", "it").value == "89161234567"


@each(("language", "text"), lines(REFUSED))
@each("kind", ["name", "email", "phone", "company"])
def test_one_field_is_refused(kind, language, text):
    reading = read_field(kind, text, language)
    assert reading.outcome == "refused"
    assert mask_answer(text, reading, kind) == text


@each(("language", "text"), lines(REFUSED_ALL))
def test_everything_is_refused(language, text):
    reading = read_field("email", text, language)
    assert reading.outcome == "refused_all"
    assert mask_answer(text, reading, "email") == text


@each(("kind", "text"), lines(LOOK_ALIKES))
def test_what_only_looks_like_a_refusal_is_none(kind, text):
    assert read_field(kind, text, "en").outcome == "valid"


@each(("language", "text"), lines(YES))
def test_a_clear_yes_is_consent(language, text):
    assert read_consent(text) == "yes"


@each(("language", "text"), lines(NO))
def test_a_clear_no_is_none(language, text):
    assert read_consent(text) == "no"


@each("text", UNCLEAR)
def test_anything_else_is_unclear_and_never_a_yes(text):
    assert read_consent(text) == "unclear"


# -- masking


@each(
    ("text", "kind", "seen"),
    [
        ("it's ann at example dot org", "email", "it's [e-mail]"),
        ("Ann@Example.org or bob@example.org", "email", "[e-mail] or [e-mail]"),
        ("call +39 333 1234567 or ann@example.org", "phone", "call [phone] or [e-mail]"),
        ("mi chiamo ANNA. Anna!", "name", "mi chiamo [name]. [name]!"),
        ("I'm Ann, of Annandale", "name", "I'm [name], of Annandale"),
        ("Я Пётр, петр, ПЕТР", "name", "Я [name], [name], [name]"),
        ("I work for Acme  Ltd. ACME-LTD!", "company", "I work for [company]. [company]!"),
        ("I keep bees", "free", "[answer]"),
        ("ann@example", "email", HIDDEN),
        ("a n n at gmail", "email", HIDDEN),
        ("people say Big Bob from Leeds, who knows", "name", HIDDEN),
        ("is Ann all right?", "name", HIDDEN),
        ("why do you need it?", "email", "why do you need it?"),
        ("No, I won't say it, but friends call me Ann", "name", HIDDEN),
    ],
)
def test_the_transcript_shows_the_sentence_without_the_value(text, kind, seen):
    assert mask_answer(text, read_field(kind, text, "en"), kind) == seen


WORDS = st.text(
    alphabet=st.characters(categories=["Ll", "Lu", "Lo", "Nd", "Zs", "Po", "Mn"]), max_size=40
)
NAMES = st.text(alphabet=st.characters(categories=["Ll", "Lu", "Lo"]), min_size=1, max_size=12)
EMAILS = st.from_regex(
    r"[a-z][a-z0-9._+-]{0,10}[a-z0-9]@[a-z0-9]{1,10}\.[a-z]{2,5}", fullmatch=True
)
PHONES = st.from_regex(r"\+?[0-9]{7,15}", fullmatch=True)
VARIANTS = [
    str.upper,
    str.lower,
    str.title,
    str.swapcase,
    lambda v: " ".join(v),
    lambda v: "-".join(v),
    lambda v: unicodedata.normalize("NFD", v),
    lambda v: unicodedata.normalize("NFKC", v),
    lambda v: f"({v})",
    lambda v: v,
]
quick = settings(max_examples=examples(150), deadline=None)


@quick
@given(WORDS, EMAILS, WORDS, st.sampled_from(VARIANTS))
def test_no_variant_of_an_address_is_left(before, value, after, variant):
    masked = mask(f"{before} {variant(value)} {after}", value, "email")
    assert letters(value) not in letters(masked)


@quick
@given(WORDS, PHONES, WORDS, st.sampled_from([lambda v: v, "-".join, " ".join, ".".join]))
def test_no_variant_of_a_number_is_left(before, value, after, variant):
    masked = mask(f"{before} {variant(value)} {after}", value, "phone")
    assert letters(value) not in letters(masked)


@quick
@given(WORDS, NAMES, WORDS, st.sampled_from(VARIANTS))
@example("", "ß", "SS", VARIANTS[0])
@example("", "mail", "", VARIANTS[0])
@example("name", "name", "name", VARIANTS[0])
@example("", "İ", "", VARIANTS[1])
def test_no_variant_of_a_name_is_left_as_a_word(before, value, after, variant):
    masked = mask(f"{before} {variant(value)} {after}", value, "name")
    assert not holds(masked, value, "name")
    words = [letters(word) for word in masked.split()]
    assert not letters(value) or letters(value) not in words


@quick
@given(WORDS, EMAILS, PHONES)
def test_whatever_the_value_other_addresses_and_numbers_go_too(words, email, phone):
    masked = mask(f"{words} {email}, {phone}", "Ann", "name")
    assert email not in masked
    assert phone not in masked


@quick
@given(st.sampled_from(sorted(FOUND)), WORDS)
def test_reading_and_showing_never_fail_and_never_tell(kind, text):
    reading = read_field(kind, text, "en")
    assert (reading.outcome == "valid") == bool(reading.value)
    assert reading.value not in repr(reading) or not reading.value or len(reading.value) < 12
    assume(reading.value)
    assert not holds(mask_answer(text, reading, kind), reading.value, kind)


HOSTILE = """a|a.| |@|a@|1|1 |a at |a dot |( |a at b dot |yes |yes, |- |a-|+|my name is |
да конечно |thanks |a@b.co |i don't |no i """.replace("\n", "").split("|")


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_texts_take_no_time(piece):
    def read_and_mask(text):
        for kind in FOUND:
            mask_answer(text, read_field(kind, text, "en"), kind)
        read_consent(text)
        scrub(text)

    for length in (LONGEST_TEXT, 16_000):
        assert growth(read_and_mask, piece, length) < 12


def test_what_would_leak_to_a_model_is_seen():
    assert leaks('{"said": "ann@example.org"}', "well, ann@example.org")
    assert leaks("call +39 333 1234567", "it is +39 333 1234567")
    assert not leaks('{"said": "[e-mail]"}', "well, ann@example.org")
    assert not leaks("anything", "as you like")


def letters(text: str) -> str:
    """Letters and digits alone, in one case and without accents."""
    folded = unicodedata.normalize("NFKD", text.casefold()).casefold()
    return "".join(c for c in folded if c.isalnum())


@each(
    "text",
    [
        "Between 1998 and 2000 we had 2000 guests a year.",
        "It cost 1 250 000 lire in 1974.",
        "The rate is 0.123456789 and the port 8080 at 192.168.0.1.",
        "My number in the team was 10, and we won 3-2.",
        "Call it 007.",
    ],
)
def test_numbers_in_a_story_are_no_contact_data(text):
    assert hide_contact_data(text) == (text, [])


@each(
    ("text", "shown", "values"),
    [
        ("Mail ann@example.org, please.", "Mail [e-mail], please.", [("email", "ann@example.org")]),
        ("Ring 0171 234 5678.", "Ring [phone].", [("phone", "01712345678")]),
        ("Или +7 912 555-01-23!", "Или [phone]!", [("phone", "+79125550123")]),
    ],
)
def test_contact_data_in_a_story_is_taken_out(text, shown, values):
    assert hide_contact_data(text) == (shown, values)


@each(
    ("text", "outcome"),
    [
        ("I just said it, Mirela, cleaner, no e-mail. Please stop now, I go.", "refused_all"),
        ("Stop. My bus is here, good night.", "refused_all"),
        ("I just said it", "invalid"),
        ("my name is anna maria de la cruz", "valid"),
        ("Ludwig van Beethoven", "valid"),
        ("maria lopez", "valid"),
        ("محمد عبد الله", "valid"),
    ],
)
def test_a_remark_is_no_name_and_who_wants_to_stop_is_asked_for_nothing_more(text, outcome):
    assert read_field("name", text, "en").outcome == outcome
