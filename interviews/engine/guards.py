"""Guards on what the interviewer says: one set, for every utterance of every protocol.

An utterance is checked sentence by sentence, so that a draft can be shown as far as it has passed.
What may not be said is left out: a clause that opens a sentence or is joined to its end, else the
sentence, and with a question that may not be asked the whole. Words are looked for in the
interview's language, or in English where that has no lists: the rest holds in every language. Each
protocol adds what only it can check.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from interviews.engine.language.distress import is_reported
from interviews.engine.language.lists import (
    BEGINNING,
    HELD,
    GuardName,
    guarded,
    guarded_words,
    may_begin,
    may_hold,
)
from interviews.engine.language.sentences import (
    SHORTENED,
    ends_asking,
    questions_in,
    quotes,
    single_spaced,
    spaced_sentences,
    until_question,
)
from interviews.engine.language.terms import named_terms, shared_terms, terms
from interviews.engine.language.wishes import bare, clauses, plain
from interviews.engine.language.writing_systems import foreign, in_another_language
from interviews.engine.reading import PROMPTS
from interviews.engine.result import GuardFiring
from plans.similarity import first_alike, normalise

LONGEST = 1_000  # characters of one utterance
STATEMENTS = 3  # sentences before the question
ASIDE = 2  # sentences of an answer to a question back
MOST_COMPARED = 60  # earlier questions that a new one is compared with
MARKUP = re.compile(  # tags that prompts put around material, and marks of a form
    r"</?(?:ask|asked|answer|question|said|sources|history|files|why|root|focus|tied|known|meant|"
    r"conversation|notes|said_last|closed|name|part|openings|planned|experience|facts|insight|"
    r"summary|moves|chain|contrary|others|candidates|backlog|before|earlier|expected|rubric|codes)\b|"
    r"INTERVIEW_COMPLETED|[{}]|\[struck"
)
LINK = re.compile(r"https?://|www\.|(?<![\w.-])[\w.-]++@[\w-]+\.\w+", re.I)
CLAUSE = re.compile(r"^([^,.!:;—–،؛]+)[,.!:;—–،؛]+\s*")
CLAUSE_END = re.compile("[,.!:;—–،؛]")
SENTENCE_ENDS = " .!?…؟"
EXAMPLE = re.compile(r"\"[^\"\n]*\"|“[^“”\n]*”")  # in a prompt: what people say, no instruction
QUOTATION = re.compile(r"«[^«»]*»|“[^“”]*”|„[^„“”]*[“”]|\"[^\"]*\"")
ENDED = re.compile(r"[!?。！？؟]$|(?<![.])\.$")
UNSURE_END = re.compile(r"\s\S*[\dA-ZÀ-ÞА-Я]\S*\.$")  # a decimal, a name such as “Node.js”
FORMULAS = ("praise", "stock", "verdict", "human")  # guards on what a good question may follow …
SUBJECTS = ("advice", "contact", "closed_subject")  # … and, with these, on what may follow it
ECHO = 2  # words of a question that only leads to the next one ("Your aunt? What was she like?")
MOST_HELD = 8  # words of a clause: in a longer one, those to come are no longer guessed at
KEPT = 0.3  # least share of a planned question's terms that an adapted one keeps
OWN_LETTERS = 0.25  # least share in the language's own script: names are often in Latin


@dataclass(frozen=True)
class Limits:
    language: str
    private: tuple[str, ...] = ()  # what the interviewer alone knows
    closed: tuple[str, ...] = ()  # subjects that the participant doesn't want to talk about
    asked: tuple[str, ...] = ()  # questions that may not be asked again …
    in_any_words: bool = True  # … also not in words that only mean about the same
    may_ask_contact: bool = False


class Checked(NamedTuple):
    """What may be said of an utterance, empty if nothing; and the guards that fired."""

    text: str
    firings: tuple[GuardFiring, ...] = ()


class GuardRefusal(NamedTuple):
    guard: str
    reason: str


def check(text: str, limits: Limits) -> Checked:
    """Return the utterance up to its one question, without what may not be said."""
    text = single_spaced(text)
    parts = spaced_sentences(text)
    kept, firings, complete = _pass_sentences(text, parts, limits)
    if not kept or not ends_asking(kept[-1]):
        if not any(one.guard in REFUSING for one in firings):
            firings = (*firings, GuardFiring("no_question", "asks nothing", text))
        return Checked("", firings)
    said = " ".join(kept)
    if refusal := _refuse_whole(said, limits):
        return Checked("", (*firings, GuardFiring(*refusal, text)))
    return Checked(said, (*firings, *_cut_after(text, parts[complete:])))


def before_question(text: str, limits: Limits) -> str:
    """Return what may be said of an utterance before its question."""
    parts = until_question(spaced_sentences(text))
    said = " ".join(_pass_sentences(text, parts, limits)[0])
    return "" if said and _refuse_whole(said, limits) else said


def check_statement(text: str, limits: Limits, most: int = ASIDE) -> Checked:
    """Return at most so many sentences that ask nothing: a bridge, an answer to a question back."""
    text = single_spaced(text)
    kept: list[str] = []
    refusals: tuple[GuardRefusal, ...] = ()
    for sentence in spaced_sentences(text):
        said, why = _good_part(sentence, limits)
        if ends_asking(sentence):
            said, why = "", (GuardRefusal("asks", "asks"),)
        elif said and len(kept) == most:
            said, why = "", (GuardRefusal("too_long", "goes on too long"),)
        kept += [said] if said else []
        refusals = (*refusals, *why)
    firings = tuple(GuardFiring(*one, text) for one in refusals)
    if any(one.guard == "leak" for one in firings):  # then the rest may be a piece of it
        return Checked("", firings)
    said = " ".join(kept)
    if said and (refusal := _refuse_whole(said, limits)):
        return Checked("", (*firings, GuardFiring(*refusal, text)))
    return Checked(said, firings)


def safe_prefix(text: str, limits: Limits) -> str:
    """Return as much of an utterance still being written as has passed.

    Sentences are shown once they are whole; only the first one grows word by word, after its first
    few words, and not while it could still become an earlier question.
    """
    whole, begun = _whole_sentences(text)
    if not whole:
        return _first_words(begun, limits)
    said = " ".join(_pass_sentences(text, whole, limits)[0])
    return "" if said and _refuse_whole(said, limits) else said


def safe_statement(text: str, limits: Limits, most: int = ASIDE) -> str:
    """Return as many whole sentences of an unfinished bridge or answer as have passed."""
    whole, _ = _whole_sentences(text)
    return check_statement(" ".join(whole), limits, most).text


def whole_statements(text: str) -> str:
    """Return the whole sentences that come before a question."""
    return " ".join(until_question(_whole_sentences(text)[0]))


def _whole_sentences(text: str) -> tuple[list[str], str]:
    """Return the sentences that are surely at their end, and what is written of the next one."""
    parts = spaced_sentences(text)
    if not parts:
        return [], ""
    last = parts[-1]
    unsure = SHORTENED.search(last) or (UNSURE_END.search(last) and not text[-1].isspace())
    ended = ENDED.search(last) and not unsure and not _in_quotation(last)
    return (parts, "") if ended else (parts[:-1], last)


def _in_quotation(text: str) -> bool:
    low = "„" in text
    pairs = (("„", "“") if low else ("“", "”"), ("«", "»"))
    return text.count('"') % 2 == 1 or any(text.count(a) > text.count(b) for a, b in pairs)


def without_praise(text: str, language: str) -> str:
    praise = guarded("praise", language)
    while (found := CLAUSE.match(text)) and praise.fullmatch(plain(found[1])):
        text = _capitalised(text[found.end() :])
    return text


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def question_of(text: str) -> str:
    return next(filter(ends_asking, spaced_sentences(text)), "")


def names_closed(text: str, closed: Iterable[str], language: str) -> bool:
    """Return whether the text speaks of a closed subject: holds half of the words that name it."""
    found = (named_terms(subject, text, language) for subject in closed)
    return any(name and 2 * len(said) >= len(name) for name, said in found)


def keeps_subject(text: str, planned: str, language: str) -> bool:
    wanted = terms(planned, language)
    return len(wanted & terms(text, language)) >= KEPT * len(wanted)


def keeps_case(asked: str, rewording: str, language: str) -> bool:
    """Return whether a rewording still holds the case that the question is about.

    The case stands before the question ("A table grows. What do you do?"): the rewording needs a
    sentence of its own before its question, or a word of the case.
    """
    *case, question = spaced_sentences(asked)
    if not case or not ends_asking(question) or len(spaced_sentences(rewording)) > 1:
        return True
    told = terms(rewording, language)
    return bool(shared_terms(terms(" ".join(case), language) - terms(question, language), told))


def asked_before(text: str, asked: Iterable[str]) -> bool:
    return _asked_before(text, tuple(asked)[-MOST_COMPARED:])


@lru_cache(maxsize=256)
def _asked_before(text: str, asked: tuple[str, ...]) -> bool:
    question, *earlier = (" ".join(questions_in(one)) for one in (text, *asked))
    same = normalise(question) in {normalise(one) for one in earlier}
    return same or first_alike(question, earlier) is not None


@cache
def prompts_of(folder: Path = PROMPTS) -> tuple[str, ...]:
    """Return a protocol's prompts and those that all share: no utterance may quote them.

    What they give as an example of what is said may be said.
    """
    files = (file for one in dict.fromkeys((folder, PROMPTS)) for file in sorted(one.iterdir()))
    return tuple(EXAMPLE.sub("…", file.read_text(encoding="utf-8")) for file in files)


REFUSING = frozenset({"closed_subject", "contact", "repeat", "leak", "language", "no_question"})


def _pass_sentences(
    text: str, parts: list[str], limits: Limits
) -> tuple[list[str], tuple[GuardFiring, ...], int]:
    """Return the sentences that may be said, up to the question; the firings; how many were read.

    Nothing may be said if the question may not be asked or a sentence quotes what is private, since
    the rest may be a piece of it; a refusing guard has then fired.
    """
    kept: list[str] = []
    firings: list[GuardFiring] = []
    for number, sentence in enumerate(parts, 1):
        said, why = _good_part(sentence, limits)
        if said and (refusal := _refuse_here(said, len(kept), limits)):
            said, why = "", (*why, refusal)
        firings += [GuardFiring(*one, text) for one in why]
        if said:
            kept.append(said)
            if ends_asking(said) and not _leads_to(said, parts[number:]):
                return kept, tuple(firings), number
        elif why and (ends_asking(sentence) or why[-1].guard == "leak"):
            return [], _refusing(firings, why[-1], text), number
    return kept, tuple(firings), len(parts)


@lru_cache(maxsize=1_024)
def _good_part(sentence: str, limits: Limits) -> tuple[str, tuple[GuardRefusal, ...]]:
    """Return what may be said of a sentence; and why not all of it."""
    text = without_praise(sentence, limits.language)
    cut = () if text == sentence else (GuardRefusal("praise", "empty praise"),)
    refusal = _refuse_sentence(text, limits)
    if refusal is None:
        return text, cut
    return _good_question(text, limits) if ends_asking(text) else "", (*cut, refusal)


def _good_question(text: str, limits: Limits) -> str:
    """Return a question without a clause that is joined to it, if only that may not be said."""
    joints = [*_joint(limits.language).finditer(text)]
    if not joints:
        return ""
    (first, *_), last, mark = joints, joints[-1], text[len(text.rstrip(SENTENCE_ENDS)) :]
    opened = text[: first.start()], _capitalised(text[first.end() :]), FORMULAS
    ended = text[last.end() :], text[: last.start()] + mark, (*FORMULAS, *SUBJECTS)
    for left_out, kept, guards in (opened, ended):
        refusal = _refuse_sentence(left_out, limits)
        if refusal and refusal.guard in guards and not _refuse_sentence(kept, limits):
            return kept
    return ""


@cache
def _joint(language: str) -> re.Pattern[str]:
    """Return what finds where a clause is joined to the one before it."""
    return re.compile(rf"[,;،؛]? (?={guarded_words('joins', language).pattern})", re.IGNORECASE)


def _leads_to(question: str, rest: list[str]) -> bool:
    return len(question.split()) <= ECHO and bool(rest) and ends_asking(rest[0])


def _refuse_here(sentence: str, before: int, limits: Limits) -> GuardRefusal | None:
    if not ends_asking(sentence) and before == STATEMENTS:
        return GuardRefusal("too_long", "too many sentences before the question")
    if ends_asking(sentence) and _repeats(sentence, limits):
        return GuardRefusal("repeat", "asked before")
    return None


def _repeats(question: str, limits: Limits) -> bool:
    if limits.in_any_words:
        return asked_before(question, limits.asked)
    said = normalise(question)
    return any(said.endswith(one) for one in _questions_of(limits.asked) if one)


def _refusing(
    firings: list[GuardFiring], refusal: GuardRefusal, text: str
) -> tuple[GuardFiring, ...]:
    if refusal.guard in REFUSING:
        return tuple(firings)
    return (*firings, GuardFiring("no_question", f"its question: {refusal.reason}", text))


def _cut_after(text: str, rest: list[str]) -> Iterator[GuardFiring]:
    if any(map(ends_asking, rest)):
        yield GuardFiring("one_question", "a second question", text)
    elif rest:
        yield GuardFiring("own_answer", "goes on after its question", text)


@lru_cache(maxsize=256)
def _refuse_whole(text: str, limits: Limits) -> GuardRefusal | None:
    if len(text) > LONGEST:
        return GuardRefusal("too_long", "too long")
    if foreign(text, limits.language, OWN_LETTERS) or in_another_language(text, limits.language):
        return GuardRefusal("language", "in another language")
    if quotes(text, limits.private):
        return GuardRefusal("leak", "shows instructions")
    return None


def _refuse_draft(sentence: str, limits: Limits) -> GuardRefusal | None:
    """Return why a sentence can't be said, as far as it is written; None if it can."""
    said, language = plain(sentence), limits.language
    claims = tuple(_own_claims(sentence, language))
    links = LINK.search(sentence) or guarded_words("secret", language).search(said)
    asks_contact = not limits.may_ask_contact and guarded_words("contact", language).search(said)
    names_subject = names_closed(sentence, limits.closed, language)
    found = (
        (foreign(sentence, language, OWN_LETTERS), "language", "in another language"),
        (MARKUP.search(sentence) or quotes(sentence, limits.private), "leak", "shows instructions"),
        (guarded("praise", language).fullmatch(said), "praise", "empty praise"),
        (_begins(claims, "advice", language), "advice", "advice"),
        (guarded_words("stock", language).search(said), "stock", "a stock phrase"),
        (
            _begins(claims, "verdict", language),
            "verdict",
            "a verdict, a promise or a view of its own",
        ),
        (_begins(claims, "human", language), "human", "claims to be a person"),
        (links, "contact", "a secret or a link"),
        (asks_contact, "contact", "asks for contact data"),
        (names_subject, "closed_subject", "speaks of a closed subject"),
    )
    return next((GuardRefusal(guard, reason) for fires, guard, reason in found if fires), None)


_refuse_sentence = lru_cache(maxsize=1_024)(_refuse_draft)  # drafts grow, sentences come again


def _own_claims(sentence: str, language: str) -> Iterator[str]:
    """Yield the sentence and its clauses, with what leads up to them and without; no quotations."""
    own = QUOTATION.sub(" … ", sentence)
    yield from (plain(own), bare(plain(own)))
    reports, reported = guarded_words("reports", language), False
    for clause in clauses(own):
        if not reported:
            yield from (clause, bare(clause))
        reported = is_reported(clause) or reports.search(clause) is not None


def _begins(claims: Iterable[str], name: GuardName, language: str) -> bool:
    return any(guarded(name, language).match(claim) for claim in claims)


def _first_words(sentence: str, limits: Limits) -> str:
    """Return as much of a first sentence as won't be refused whichever words come next."""
    draft = without_praise(sentence.rpartition(" ")[0], limits.language)
    while draft and _may_be_refused(draft, limits.language):
        draft = draft.rpartition(" ")[0]
    return "" if _may_repeat(draft, limits) or _refuse_draft(draft, limits) else draft


@lru_cache(maxsize=1_024)
def _may_be_refused(draft: str, language: str) -> bool:
    said, last = plain(draft), plain(CLAUSE_END.split(draft)[-1])
    if len(last.split()) < MOST_HELD:
        begins = {last, bare(last), said}
        if any(may_begin(name, language, one) for name in BEGINNING for one in begins):
            return True
    return may_begin("praise", language, said) or any(
        may_hold(name, language, last) for name in HELD
    )


def _may_repeat(draft: str, limits: Limits) -> bool:
    begins = normalise(draft)
    return any(one.startswith(begins) for one in _questions_of(limits.asked[-MOST_COMPARED:]))


@lru_cache(maxsize=256)
def _questions_of(asked: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(normalise(question) for one in asked for question in questions_in(one))
