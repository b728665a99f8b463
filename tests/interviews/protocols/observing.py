"""Observations, for tests that need them without leading an interview."""

from hypothesis import strategies as st

from interviews.protocols.technical_assessment.state import Observed
from plans.protocols.technical_assessment.content import (
    AssessedTopic,
    AssessmentScript,
    BaseQuestion,
    TechnicalAssessmentMaterial,
    TechnicalAssessmentOptions,
)
from reflections.protocols.technical_assessment.report.evidence import AssessmentRecord

TOPICS = {"sql": "Databases", "net": "Networks", "test": "Testing"}


def seen(topic: str = "sql", status: str = "confirmed", **changes) -> Observed:
    """One observation: right and sure unless said otherwise."""
    good = status == "confirmed"
    fields = {
        "position": 2,
        "turn": 1,
        "question": f"What do you know of {topic}?",
        "topic": topic,
        "level": 3,
        "scored": True,
        "action": "same",
        "correctness": 0.9 if good else 0.2,
        "confidence": 0.8 if good else 0.3,
        "status": status,
        "notes": "",
        "correct_answer": "" if good else "It holds on to its promise.",
        "flags": {},
        "verbosity": "medium",
        "examples": False,
        "thoughts": {},
        "source": "model",
    }
    return Observed(**{**fields, **changes})


def several(*statuses: str, topic: str = "sql", **changes) -> tuple[Observed, ...]:
    """Answers on one topic, at one place after the other."""
    return tuple(
        seen(topic, status, position=2 * i, turn=i, **changes)
        for i, status in enumerate(statuses, 1)
    )


def held(*observed: Observed, **changes) -> AssessmentRecord:
    """An interview with these observations."""
    options = {"position": "Backend developer"} | changes.pop("options", {})
    script = AssessmentScript(
        intro="",
        outro="",
        topics=tuple(AssessedTopic(key=key, title=title) for key, title in TOPICS.items()),
        questions=(
            BaseQuestion(key="q", topic="sql", text="?", objective="", expected="", level=3),
        ),
    )
    material = TechnicalAssessmentMaterial(
        scripts={"en": script}, options=TechnicalAssessmentOptions(**options)
    )
    return AssessmentRecord(material=material, language="en", observed=observed, **changes)


shares = st.floats(0, 1)
anything = st.builds(
    seen,
    st.sampled_from([*TOPICS, ""]),
    st.sampled_from(["confirmed", "gap", "hallucination_suspect"]),
    level=st.integers(1, 5),
    scored=st.booleans(),
    correctness=shares,
    confidence=shares,
    position=st.integers(1, 90),
    verbosity=st.sampled_from(["short", "medium", "long"]),
    examples=st.booleans(),
    flags=st.dictionaries(
        st.sampled_from(["hallucination", "off_topic", "role_reversal"]), st.just("why"), max_size=2
    ),
    notes=st.sampled_from(["", "Named joins.", "Назвал индексы."]),
)
interviews = st.lists(anything, max_size=14).map(tuple)
