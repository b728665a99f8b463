"""How alike two questions are in meaning: quick, deterministic, without a model.

Words that only carry the question ("could you tell me", "what", "the") are dropped; the rest is
reduced to stems and a few dozen everyday concepts, and the overlap of two such profiles is the
score. Pairs that share words but ask about opposites (first and last, mother and father, why and
when) score less. English, Italian and Russian have word lists; other languages are compared by
their plain words, or by pairs of characters where they are written without spaces.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz.fuzz import ratio

# From this score on, two questions count as the same; chosen on labelled pairs (see the tests).
ALIKE: float = 0.755

_APART = 0.5  # factor of the score when two questions contrast
_FAINT = 0.4  # the weight of words that nearly every interview question may hold
_SPELT_ALIKE = 84  # rapidfuzz ratio from which two stems count as one word, misspelt or inflected

# Words that say nothing about what is asked. One set for all languages: the few that mean something
# elsewhere cost less than guessing the language of a short question.
_FILLERS = """
    a about again all also am an and any anyone anything are as at be been being both but by can
    care come could d did do does doing done ever feel for from get gave give given go goes got
    had has have having he her here him his how i if in into is it its just kind like ll look
    made make may me mean my myself no of off on one ones or other our out over own part please
    re run s say sense she should so some someone something sort such t take tell telling than
    that the their them then there they thing things this those through to too up upon us ve
    very was way we were what whether which while will with would yet you your yours yourself
    share describe describing explain speak talk walk willing ready able comfortable mind asking
    wish want passa passate most best more play happen happened actually really particular these

    abbia ad agli ai al alla alle anche avere aveva avuto c ce che ci cioè com con cosa cose
    così cui da dagli dai dal dalla dalle dei degli del dell della delle dello di due e è ed era
    erano essere fa fanno fare farebbe farmi fosse già gli ha hai hanno ho il io l la le lei li
    lo loro lui ma mi modo molto ne negli nei nel nell nella nelle nello noi o ogni per più poi
    potesse potrebbe proprio può qual quale quali qualcosa quel quella quelle quei questa queste
    questi questo quello se sempre si sia sono stata state stati stato sta stare su sua sue sui
    sul sulla sullo suo suoi tra tutti tutto un una uno va vi volta vuole vorrebbe raccontarmi
    dirmi descrivermi descrivere descriverebbe parlarmi parli racconti dica parlare dire
    maggiormente aspetto arrivato arrivata ruolo periodo

    без бы был была были было быть в вам вами вас ваш ваша ваше ваши вашего вашей вашем вашему
    вашим вашими ваших вашу во вот все всего всех всю вы да для до его ее если есть еще ж же за
    и из или им их к как какая какие каким какими каких какого какое какой каком какую какою ко
    который которая которые которых которому котором ли меня между мне много могли можете можно
    мой моя на над нам нас него нее нет но ну о об обо он она они оно от очень по под при про с
    сам сами самая самое самой самый самым самыми свое своем своего своей свои своих свою свой
    себе себя со так там те тем то тоже того той том тот тех ту ты у уж чего чем чему что чтобы
    эта эти это этого этой этом эту этот я больше более наиболее сильнее пожалуйста рассказать
    расскажите опишите описать описали приведите привести назовите сказать скажите поделитесь
    говорить готовы против хотите приходится приходилось делаете делали делать сделали нибудь
    играет идете занимаетесь проводите
"""

# Everyday concepts of interviews, in all three languages: a name and the beginnings of its words; a
# final dot means the whole word. "~" marks faint ones, "?" those without weight that only set
# questions apart.
_CONCEPTS = """
    work: work. works. working. job jobs profession occupation career lavor mestier работ професс
    earn: earn guadagn зарабат заработ
    child: child. childhood kid. kids. infanzia bambin piccol. детств детск маленьк
    youth: teen youth adolescen gioventù giovinezza юност подростк
    today: today now. nowadays present. presently currently oggi adesso attual сегодн теперь сейчас
    future: future tomorrow futuro. domani. будущ завтра
    home: home. homes. house. houses. casa. case. дом. дома. доме. домом.
    school: school scuol scolastic школ
    study: education study. studies. studied. studi. istruzione учеб учил
    hard: hard. hardest. harder. difficult. tough difficil трудн тяжел сложн
    easy: easy. easier. easiest. facil легк легч
    money: money soldi. denaro деньг денег деньга
    health: health salute здоров
    ill: ill. illness sick. sickness disease malat болезн болел
    remember: remember recall memor ricord помн запомн вспомин
    worry: worr uneasy anxious preoccup беспок тревож тревог
    fear: afraid fear. fears. frighten paura spavent боит страх
    cope: cope. coping deal. dealt. dealing. handle affront gesti справ
    conflict: conflict quarrel argument litig конфликт ссор
    often: often frequen spesso. часто. чаще.
    use: use. used. uses. using. usa. usare. usate. польз
    like: enjoy piac нрав
    love: love. loved. loving. amore. любов любил любит
    dislike: dislike hate. detest
    usual: typical usual ordinary normal tipic solit обычн
    matter: important importance matter. matters. role. importan conta. важн роль
    decide: deci choose chose choice scelt scegli реш выбор выбра
    happy: happ felic счастлив
    colleague: colleague coworker workmate collegh collega коллег сотрудник
    parents: parent genitor родител
    mother: mother mum. mom. madre. mamma мать. матер мама. мамы. маме.
    father: father dad. padre. папа. папы. отец отц
    sibling: sister brother sorell fratell сестр брат. братья братом
    spouse: wife husband spouse moglie. marito жена. жены. жену. женой. муж. мужа. мужем.
    friend: friend. friends. friendship amic друг. друга. другом. друзь дружб подруг
    neighbour: neighbo vicini. vicine. сосед
    teacher: teacher insegnant maestr учител
    boss: boss manager. capo. начальник
    family: family families famigli. famiglia famiglie семь семей
    town: town. city. cities. città. город
    religion: religio faith fede. религ вера. веры.
    believe: belie crede верит
    move: move. moved. moving. trasfer переезд переех
    emigrate: emigr эмигр
    leave: leave. left. leaving. quit lasc уйти ушли. ушел. уход
    raise: raise raised bring. brought allevat воспит растил
    grow: grow grew cresciut вырос росли.
    change: chang switch cambi. cambia cambier измен менял менят сменит
    influence: influen affect effect impact shape. shaped shaping effett incis incide повлия влия
    influence: сказал сказыв
    contact: contact touch contatt связ
    content: satisf soddisf доволь
    regret: regret rimpian pentit жале сожал
    cook: cook prepare cucin готовите. готовит. приготов
    eat: food. eat. eating mangi cibo. еда. еды. еду. едите
    reason: reason motiv причин
    free: free. spare. leisure libero. свободн
    plan: plan. plans. planning. progett план
    hope: hope augur надежд желает
    help: help aiut помощ помог
    close: close. closest. closeness vicin. vicino. vicina. ближе. близк близост
    begin: begin began start. started. starts. starting. cominci inizi начал начин нача
    end: end. ended. finish fini законч конча
    first: first. initial prim. primo. prima. primi. prime. перв впервые
    last: last. latest ultim последн
    next: next. prossim следующ
    before: before. прежд перед.
    after: after. dopo. после.
    good: best. favourite favorite bello. bella. migliore preferit лучш любим
    bad: worst. worse. bad. brutto. brutta. peggior худш плох
    ~life: life. lives. vita. жизн
    ~time: time. times. tempo. время времен
    ~day: day. days. giorno. giorni. giornat день. дня. дне. дней. дни. днях. дню.
    ~year: year. years. anni. anno. год годы. года. годах. лет.
    ~moment: moment. moments. momento момент
    ~person: person. people. person кто-то люди. людей человек
    ~place: place. places. luogo. luoghi. posto. место. месте. места.
    ~feel: feel feels. felt feelings sente. sentito sentita чувств
    ~think: think thinks thinking thought pensa pensie дума мышлен относит
    ~keep: keep. keeps. stay remain rest. resta. restare mantien остае поддерживае
    ~big: big. biggest greatest large. largest grande. grandi большой большая самой.
    ~evaluate: rate. evaluate valuta valutare оценива
    ~lead: lead. leads. might. porta. portato porterebbe spingerebbe побуд
    ?why: why. perché. почему. зачем.
    ?when: when. quando. когда.
    ?where: where. dove. где. куда.
    ?who: who. chi. кто.
    ?whom: whom. кого. кому. кем.
    ?amount: howmuch. quanto. quanti. сколько. насколько.
    ?what: what. which. how. cosa. quale. quali. qual. come. com. что. чем. чего. чему.
    ?what: какой. какая. какие. каким. какую. какого. каких. какими. как.
    ?not: not. never. without. non. mai. не. ни.
"""

# Two questions that name different members of one set, and share none, ask for different things.
_CONTRASTS = tuple(
    frozenset(names.split())
    for names in (
        "first last next",
        "good bad happy",
        "easy hard",
        "like dislike",
        "begin end",
        "before after",
        "child youth today future",
        "parents mother father sibling spouse friend neighbour colleague teacher boss",
        "work school family religion money health friend town ill",
        "why when where who amount",
        "who whom",
        "why what",
        "when what",
        "where what",
    )
)

# Where several words make one, or a polite form or an aside holds a word that would mislead.
_PHRASES = (
    (re.compile(r"\bwhat (made|led|drove|brought) you\b"), "why"),
    (re.compile(r"\bwho (do|did|have|would) (you|they)\b"), "whom"),
    (re.compile(r"\bprima di\b"), "before"),
    (re.compile(r"\b(what|which) (time|year)\b|\bat (what|which) point\b"), "when"),
    (re.compile(r"\b(what|which) place\b|\bin (quale|che) luogo\b|\bв каком месте\b"), "where"),
    (re.compile(r"\bhow (long|much|many)\b|\bda quanto tempo\b|\bкак (давно|долго)\b"), "howmuch"),
    (
        re.compile(
            r"\b(che )?(cosa|che) (l|la) ha (spint|portat)[ao]\b|\bчто (заставило|побудило) вас\b"
        ),
        "why",
    ),
    (re.compile(r"\bdo(n| no)t? t? ?mind\b|\bnon le dispiace\b|\bне (могли|против|слишком)\b"), ""),
    (re.compile(r"\b(don|doesn|didn|won|wouldn|isn|wasn|couldn|can) t\b"), "not"),
    (re.compile(r"\b(over the years|over time|these days|at (the moment|present))\b"), ""),
    (re.compile(r"\b(negli anni|nel tempo|in questo (periodo|momento))\b"), ""),
    (re.compile(r"\b((за эти|с) год(ы|ами)|каким образом)\b"), ""),
)

_LATIN_ENDING = re.compile(
    r"(ations?|azion[ei]|ments?|ament[oi]|ings?|ness|edly|ed|es|ly|"
    r"[aei]r(e|l[aoei]|mi|si|ci|ne)|[ae]ndo(si|la|lo)?|[aeiu]t[aeio]|[ae]v[aeio]|[aei]no|s|[aeio])$"
)
_CYRILLIC_ENDING = re.compile(
    r"(ени[еяюий]м?|ани[еяюий]м?|[аеиыоуюя]?(ть|л[аио]?|ет|ют|ит|ят|ешь|ете|ите)(с[яь])?|"
    r"[иыаяо]?(ми|мя|х|м|в|й|е|ю|я|ь|и|ы|а|о|у)|ого|его|ому|ему|ая|ое|ые|ой|ый|ий|ую)$"
)
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")


class _Profile(NamedTuple):
    text: str
    weights: dict[str, float]
    marks: frozenset[str]


class _Letters(dict[int, int | str]):
    """A table for `str.translate` that keeps letters, marks and digits, and fills itself."""

    def __missing__(self, code: int) -> int | str:
        self[code] = code if unicodedata.category(chr(code))[0] in "LMN" else " "
        return self[code]


_LETTERS = _Letters()


def _read_concepts(table: str) -> dict[str, tuple[str, float]]:
    weight_of = {"~": _FAINT, "?": 0.0}
    concepts = {}
    for line in table.strip().splitlines():
        name, words = line.strip().split(": ")
        for word in words.split():
            concepts[word] = (name.lstrip("~?"), weight_of.get(name[0], 1.0))
    return concepts


_STOP = frozenset(_FILLERS.split())
_ASKING = frozenset({"why", "when", "where", "who", "whom", "amount", "what"})
_CONCEPT_OF = _read_concepts(_CONCEPTS)


def normalise(text: str) -> str:
    """Return the text in NFKC, case-folded, its words separated by single spaces."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(folded.translate(_LETTERS).split())


def is_filler(word: str) -> bool:
    return word in _STOP


def similarity(a: str, b: str) -> float:
    """Return how alike two questions are: 0.0 (nothing shared) to 1.0 (the same)."""
    return _compare(_profile(a), _profile(b))


def alike(a: str, b: str) -> bool:
    return similarity(a, b) >= ALIKE


def first_alike(text: str, others: Iterable[str]) -> int | None:
    return next((i for i, other in enumerate(others) if alike(text, other)), None)


@lru_cache(maxsize=4096)
def _profile(text: str) -> _Profile:
    plain = normalise(text)
    worded = plain.replace("ё", "е")
    for pattern, replacement in _PHRASES:
        worded = pattern.sub(replacement, worded)
    weights: dict[str, float] = {}
    marks = set()
    question_words = []
    for word in _words(worded):
        concept, weight = _concept(word)
        if not concept and word not in _STOP:
            concept, weight = _stem(word), 1.0
        if weight:
            weights[concept] = weight
        if concept in _ASKING:
            question_words.append(concept)
        else:
            marks.add(concept)
    if question_words:
        marks.add(_question_word(question_words))
    return _Profile(plain, weights, frozenset(marks))


def _question_word(found: list[str]) -> str:
    """Return the word that asks; a "when" before another one only sets the scene."""
    return found[1] if found[0] == "when" and len(found) > 1 else found[0]


def _words(text: str) -> list[str]:
    words = []
    for word in text.split():
        if _UNSPACED.search(word) and len(word) > 2:
            words += [word[i : i + 2] for i in range(len(word) - 1)]
        else:
            words.append(word)
    return words


@lru_cache(maxsize=8192)
def _concept(word: str) -> tuple[str, float]:
    """Return the concept with the longest matching beginning, and its weight; else ("", 0)."""
    whole = _CONCEPT_OF.get(word + ".")
    if whole or word in _STOP:
        return whole or ("", 0.0)
    for length in range(len(word), 2, -1):
        if word[:length] in _CONCEPT_OF:
            return _CONCEPT_OF[word[:length]]
    return "", 0.0


def _stem(word: str) -> str:
    ending = _CYRILLIC_ENDING if "а" <= word[-1] <= "я" else _LATIN_ENDING
    found = ending.search(word, 3)
    return word[: found.start()] if found else word


def _compare(a: _Profile, b: _Profile) -> float:
    if a.text == b.text:
        return 1.0
    if b.text < a.text:  # so that the score doesn't depend on the order
        a, b = b, a
    total = sum(a.weights.values()) + sum(b.weights.values())
    if not a.weights or not b.weights:
        return ratio(a.text, b.text) / 100 if not total else 0.0
    shared = _shared(a.weights, b.weights)
    smaller = min(sum(a.weights.values()), sum(b.weights.values()))
    # Mostly the overlap, partly how much of the shorter one is in the longer: an extra word is more
    # often a paraphrase than a word replaced by another.
    score = min(1.6 * shared / total + 0.2 * shared / smaller, 1.0)
    return score * _APART if _contrast(a.marks, b.marks) else score


def _shared(a: dict[str, float], b: dict[str, float]) -> float:
    """Return the weight of the shared stems, counting those that differ by a misspelling."""
    both = a.keys() & b.keys()
    shared = sum(a[stem] for stem in both)
    left = [stem for stem in b if stem not in both]
    for stem in a:
        if stem in both:
            continue
        twin = next((other for other in left if ratio(stem, other) >= _SPELT_ALIKE), None)
        if twin is not None:
            left.remove(twin)
            shared += min(a[stem], b[twin])
    return shared


def _contrast(a: frozenset[str], b: frozenset[str]) -> bool:
    if ("not" in a) != ("not" in b):
        return True
    return any(a & group and b & group and not a & b & group for group in _CONTRASTS)
