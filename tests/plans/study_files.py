"""Script documents for tests: two by hand, and a strategy for any."""

from hypothesis import strategies as st

from plans.portability.documents import ScriptDocument
from plans.text import tidy

SHORT = """\
format: interviewsite/script
version: 1
name: Short
language: en
intro: |
  Hello, {participant_name}.

  I am an AI.
outro: Thank you.
sections:
  - key: home
    title: Home
    questions:
      - key: first-home
        text: Where did you grow up?
        objective: The place and its people.
      - key: rooms
        text: Which room do you remember?
        objective: One room as a scene.
        guidance: Ask for smells.
        block_seconds: 120
  - key: work
    title: Work
    questions:
      - key: first-job
        text: What was your first paid work?
        objective: The work and how it came about.
"""

LETTERS = st.characters(
    exclude_categories=["Cs"], exclude_characters="\x85\u2028\u2029\ufeff\ufffe\uffff"
)
ANY = st.text(LETTERS.filter(lambda c: c in "\t\n" or not (c < " " or "\x7f" <= c <= "\x9f")))
TRICKY = st.sampled_from(
    ["=1+1", "+7", "-", "@x", "'", "''=", "'quoted'", "yes", "null", "~", "1.0", "2024-01-01",
     "a: b", "# no", "- x", '"', "a\n\nb", "  a\n  b", "{x}", "*a", "&a", "!t", "|", "%", "a,b;c",
     "Привет", "🙂", "text\n", "a\n \nb", "tab\tbed", "<b>&amp;</b>"]
)  # fmt: skip
TEXTS = st.one_of(TRICKY, ANY, st.lists(TRICKY, min_size=2, max_size=4).map("\n".join))
FULL = TEXTS.filter(tidy)
KEYS = st.from_regex(r"[-a-zA-Z0-9_]{1,12}", fullmatch=True)


def _section(draw, key):
    questions = [
        {
            "key": question,
            "text": draw(FULL),
            "objective": draw(FULL),
            "guidance": draw(TEXTS),
            "probes": draw(TEXTS),
            "block_seconds": draw(st.integers(30, 7200)),
        }
        for question in draw(st.lists(KEYS, max_size=3, unique=True))
    ]
    return {"key": key, "title": tidy(draw(FULL)[:200]) or "x", "questions": questions}


@st.composite
def scripts(draw) -> ScriptDocument:
    return ScriptDocument.model_validate(
        {
            "name": tidy(draw(FULL)[:200]) or "x",
            "language": draw(st.sampled_from(["en", "ru", "it", "pt-BR"])),
            "intro": draw(FULL),
            "outro": draw(FULL),
            "sections": [
                _section(draw, key) for key in draw(st.lists(KEYS, max_size=3, unique=True))
            ],
        }
    )
