"""Broken files: every problem with its line and field, and never another exception."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plans.portability.decoder import decode, encoding_of
from plans.portability.problems import BrokenDocument
from plans.portability.reader import read_backlog, read_bot, read_script
from tests.each import each
from tests.examples import examples
from tests.plans.study_files import SHORT

HEAD = {"name": "N", "language": "en", "intro": "Hi.", "outro": "Bye."}
COLUMNS = "section_key,section_title,question_key,text,objective,guidance,block_seconds"
KNOWN = COLUMNS.replace("guidance", "guidance,probes").replace(",", ", ")
UNKNOWN_COLUMN = f"line 1: the columns are {KNOWN}"


def problems(content, form=None, head=HEAD) -> list[str]:
    with pytest.raises(BrokenDocument) as caught:
        read_script(content, form, head)
    return [str(problem) for problem in caught.value.problems]


def test_everything_wrong_is_told_at_once_in_order_of_lines():
    text = (
        SHORT.replace("language: en", "language: English")
        .replace("text: Where did you grow up?", "text:")
        .replace("guidance: Ask", "guidence: Ask")
        .replace("block_seconds: 120", "block_seconds: 5")
    )

    assert problems(text) == [
        "line 4, language: must be a language tag such as en, it, ru or pt-BR",
        "line 15, sections[0].questions[0].text: may not be empty",
        "line 20, sections[0].questions[1].guidence: is not a known field; "
        "did you mean “guidance”?",
        "line 21, sections[0].questions[1].block_seconds: must be at least 30",
    ]


@each(
    ("change", "expected"),
    [
        (("version: 1", "version: 2"), "line 2, version: must be at most 1"),
        (("format: interviewsite/script", "format: other"), "line 1, format: must be"),
        (("format: interviewsite/script", "format: interviewsite/bot"), "this file holds a bot"),
        (("name: Short", "name: Short\nname: Again"), "line 4: “name” is there twice"),
        (("name: Short", f"name: {'x' * 201}"), "line 3, name: may have at most 200 characters"),
        (("name: Short", "name: [a]"), "line 3, name: must be text"),
        (("name: Short", "name: *other"), "line 3: references (*name) are not used here"),
        (("name: Short", "name: !!python/object:os.system x"), "line 3: tags such as"),
        (("name: Short", "name: 'Short"), "This is not valid YAML: "),
        (("name: Short", "\tname: Short"), "line 3: This is not valid YAML: "),
        (("key: rooms", "key: first-home"), "line 17, sections[0].questions[1].key: “first-home”"),
        (("key: work", "key: home"), "line 22, sections[1].key: “home” is used by another section"),
        (("key: rooms", "key: два слова"), "may hold only Latin letters, digits, - and _"),
        (("block_seconds: 120", "block_seconds: soon"), "must be a whole number"),
        (("block_seconds: 120", "block_seconds: 99999"), "must be at most 7200"),
        (("sections:\n", "sections: none\nmore:\n"), "line 10, sections: must be a list"),
        (("  - key: work", "  - work\n  - key: work"), "sections[1]: must be a block of named"),
        (("name: Short", "name: " + "[" * 50), "the nesting is too deep"),
    ],
)
def test_yaml(change, expected):
    text = SHORT.replace(*change)

    assert text != SHORT
    assert any(expected in problem for problem in problems(text))


def test_a_bomb_of_references_is_refused_at_once():
    bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]\n"
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )

    assert problems(bomb, "yaml") == [
        "line 2: references (*name) are not used here; write the text out"
    ]


@each(
    ("text", "expected"),
    [
        ('{\n "name": "x",\n', "line 3: This is not valid JSON"),
        ("[1]", "line 1: must be a block of named fields, beginning with format and version"),
        ("{}\n{}", "line 2: This is not valid JSON: Extra data."),
        ('{"version": NaN}', "This is not valid JSON"),
        ('{"version": ' + "9" * 5000 + "}", "This is not valid JSON: a number or nesting"),
        ("[" * 100_000, "This is not valid JSON: a number or nesting is too large."),
        ('{\n\t"name": 5}', "line 2, name: must be text"),
        ('{"name": "a",\n"name": "b"}', "line 2: “name” is there twice"),
        ('{"name": "\\ud800"}', "name: "),
        ('{"name": "a\\u0000b"}', "name: the character U+0000 does not belong in a text"),
        ('{"version": 1e999}', "version: "),
        ('{"sections": [[], 3, null]}', "sections[1]: must be a block of named fields"),
        ('{"sections": {"questions": 1}}', "sections: must be a list"),
        ("", "There is nothing in it."),
    ],
)
def test_json(text, expected):
    found = problems(text, "json")

    assert any(expected in problem for problem in found), found


def test_json_errors_have_lines():
    data = json.loads(json.dumps({**HEAD, "sections": [{"key": "a", "questions": []}]}))
    text = json.dumps(data, indent=1)

    assert problems(text) == ["line 7, sections[0].title: is missing"]


@each(
    ("text", "expected"),
    [
        (f"{COLUMNS}\na,A,k,,O,,\n", ["line 2, text: may not be empty"]),
        (
            f'{COLUMNS}\na,A,k,"two\nlines",O,,\na,A,l,T,,,x\n',
            ["line 4, block_seconds: must be a whole number"],
        ),
        (f"{COLUMNS}\r\na,A,k,T,O,,\r\na,B,l,T\r\n", ["line 3: 4 cells, but the heading has 7"]),
        (
            f"{COLUMNS}\na,A,k,T,O,,\na,B,l,T,O,,\n",
            ["line 3, section_title: is “A” in an earlier row"],
        ),
        (
            f"{COLUMNS}\na,A,k,T,O,,\na,A,k,T,O,,\n",
            ["line 3, question_key: “k” is used by another question of this section"],
        ),
        (
            "text,wording\nx,y\n",
            [
                "line 1: there is no column “wording”",
                "line 1: the column “section_title” is missing",
                "line 1: the column “objective” is missing",
                UNKNOWN_COLUMN,
            ],
        ),
        (f'{COLUMNS}\na,A,k,"T,O,,\n', ["line 2: This is not valid CSV: unexpected end of data."]),
        (f"{COLUMNS}\na,,k,T,O,,\n", ["line 2, section_title: may not be empty"]),
    ],
)
def test_csv(text, expected):
    assert problems(text, "csv") == expected


@each("delimiter", [",", ";", "\t"])
def test_csv_as_spreadsheets_write_it(delimiter):
    rows = [COLUMNS.split(","), ["", "Дом", "", "Где вы росли?", "Место.", "", ""], [""] * 7]
    text = "\ufeff" + "\r\n".join(delimiter.join(row) for row in rows)

    document = read_script(text.encode(), "csv", HEAD)

    section = document.sections[0]
    assert (section.key, section.title) == ("dom", "Дом")
    assert section.questions[0].key == "gde-vy-rosli"
    assert section.questions[0].block_seconds == 300


@each(
    ("content", "expected"),
    [
        (SHORT.encode("utf-16"), "looks like UTF-16"),
        (SHORT.encode("utf-16-le"), "looks like UTF-16"),
        (SHORT.encode().replace(b"Home", b"H\x81me"), "line 12: The file’s encoding isn’t known"),
        (SHORT.replace("Home", "Ho\x07me"), "line 12: the character U+0007 does not belong"),
        (SHORT.replace("Home", "Ho\x00me").encode(), "line 12: the character U+0000"),
        (b"x" * (2 * 1024 * 1024 + 1), "larger than 2 MB"),
        ("y" * (2 * 1024 * 1024 + 1), "longer than 2 MB"),
        (b"", "There is nothing in it."),
        (b" \n", "There is nothing in it."),
    ],
)
def test_files_that_are_no_text_of_ours(content, expected):
    found = problems(content)

    assert any(expected in problem for problem in found), found


def test_yaml_scalars_are_the_texts_that_stand_there():
    text = SHORT.replace("title: Home", "title: No").replace(
        "text: Where did you grow up?", "text: 1984"
    )

    document = read_script(text)

    assert document.sections[0].title == "No"
    assert document.questions[0].text == "1984"


def test_missing_keys_are_made_of_the_text_and_differ():
    text = SHORT.replace("      - key: first-home\n        text: Where", "      - text: Where")
    text = text.replace(
        "      - key: rooms\n        text: Which room do you remember?",
        "      - text: Where did you grow up?",
    )
    text = text.replace(
        "      - key: first-job\n        text: What was your first paid work?", "      - text: 你好"
    )

    keys = [question.key for question in read_script(text).questions]

    assert keys == ["where-did-you-grow-up", "where-did-you-grow-up-2", "q-001"]


@each(
    ("text", "expected"),
    [
        ("slug: a b\ntitle: T", "line 1, slug: may hold only Latin letters"),
        ("slug: a\ntitle: T\nprotocol: seance", "line 3, protocol: is not a kind of interview"),
        (
            "slug: a\ntitle: T\noptions:\n  followup_ceiling: 99",
            "line 4, options.followup_ceiling: must be at most 20",
        ),
        ("slug: a\ntitle: T\noptions:\n  ceiling: 1", "line 4, options.ceiling: is not a known"),
        ("slug: a\ntitle: T\nminutes: 0", "line 3, minutes: must be at least 1"),
        ("slug: a\ntitle: T\nopens_at: soon", "line 3, opens_at: "),
        (
            "slug: a\ntitle: T\ntexts:\n  English:\n    care: x",
            "line 4, texts.English: must be a la",
        ),
        ("slug: a\ntitle: T\nscripts:\n  - name: x", "line 4, scripts[0].language: is missing"),
        ("slug: a\ntitle: T\nscripts: 5", "scripts: must be a list"),
        (SHORT, "line 1, format: this file holds a script, not a bot"),
    ],
)
def test_bots(text, expected):
    with pytest.raises(BrokenDocument) as caught:
        read_bot(text, "yaml")

    found = [str(problem) for problem in caught.value.problems]
    assert any(expected in problem for problem in found), found


@each(
    ("read", "text"),
    [
        (read_script, "sections:\n- {key: [home], title: Home}\n"),
        (read_bot, "slug: a\ntitle: A\ntopics:\n- {key: [home], label: Home}\n"),
        (read_backlog, "questions:\n- {key: [home], question: Home?}\n"),
    ],
)
def test_a_key_in_brackets_is_no_text(read, text):
    with pytest.raises(BrokenDocument, match=r"key: must be text"):
        read(text)


def test_a_bot_is_not_csv():
    with pytest.raises(BrokenDocument, match="A bot comes as JSON or YAML"):
        read_bot(f"{COLUMNS}\n")


@settings(max_examples=examples(300), deadline=None)
@given(
    content=st.one_of(
        st.binary(max_size=300),
        st.text(max_size=200).map(lambda t: t.encode("utf-8", "surrogatepass")),
        st.text(alphabet="{}[]\":,-&*!|>'?#%@\n\t a1", max_size=60).map(str.encode),
    ),
    form=st.sampled_from(["json", "yaml", "csv", None]),
)
def test_anything_at_all_is_read_or_refused(content, form):
    for read in (read_script, read_bot):
        try:
            read(content, form)
        except BrokenDocument as error:
            assert error.problems


@settings(max_examples=examples(200), deadline=None)
@given(
    data=st.recursive(
        st.one_of(
            st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=5)
        ),
        lambda inner: st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["name", "sections", "questions", "key", "text", "options", "texts",
                             "scripts", "title", "slug", "protocol"]),
            inner,
            max_size=4,
        ),
        max_leaves=12,
    )
)  # fmt: skip
def test_any_shape_of_data_is_read_or_refused(data):
    for read in (read_script, read_bot):
        try:
            read(json.dumps(data), "json")
        except BrokenDocument as error:
            assert error.problems


@pytest.mark.parametrize(
    ("content", "form", "expected"),
    [
        ("sections:\n" + "- {title: a}\n" * 501, "yaml", "sections: may have at most 500 entries"),
        (f"{COLUMNS}\n" + "a,A,,T,O,,\n" * 5001, "csv", "there are more than 5000 rows"),
        (f"{COLUMNS}\n" + "a,A,,T,O,,\n" * 501, "csv", "questions: may have at most 500 entries"),
    ],
)
def test_what_no_script_needs(content, form, expected):
    assert any(expected in problem for problem in problems(content, form))


SAID = {
    "cp1252": [
        "Dov’è nato? Com’era la città, e perché è andato via?",
        "Wie hieß die Straße, in der Sie wohnten? Für wen kochten Sie?",
        "Où êtes-vous né ? Racontez-moi une journée d’été à la campagne.",
        "¿Dónde nació usted? ¿Cómo era el pueblo de su niñez?",
        "Hvor er du født? Hvordan så gården ud?",
    ],
    "cp1251": ["Где вы родились?", "Расскажите о своей школе. Что вы делали летом?", "Є їжа?"],
}
OF_OLDER = [(name, text) for name, texts in SAID.items() for text in texts]


@each(("encoding", "text"), OF_OLDER)
def test_older_files_of_western_europe_and_in_cyrillic_are_read(encoding, text):
    content = f"section_title,text,objective\nHome,{text},Rooms\n"
    assert encoding_of(content.encode(encoding)) == encoding
    assert decode(content.encode(encoding)) == content
    assert encoding_of(content.encode()) == "utf-8-sig"
