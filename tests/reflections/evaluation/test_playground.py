"""InterviewPlayground's studies, with a stand-in for the package, which needs models of its own."""

import io
import json
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from django.core.management import CommandError, call_command

from interviews.models import Session
from plans.models import Bot

pytestmark = pytest.mark.django_db(transaction=True)
GUIDE = [
    {"topic": "Talking about it", "subtopics": ["Who began", "How it felt"]},
    {"topic": "What came of it", "subtopics": ["What was tried"]},
]


class StandIn:
    """A study whose participants keep their transcripts, as the package's do."""

    interview_guide = GUIDE

    def __init__(self) -> None:
        self.participants = [self.participant("Low"), self.participant("High")]

    @staticmethod
    def participant(verbosity: str) -> SimpleNamespace:
        one = SimpleNamespace(name="Ada", verbosity=verbosity, transcript=[])

        def ask(question: str) -> str:
            answer = "My doctor began, and I was glad that somebody did, after two years."
            one.transcript += [question, answer]
            return answer

        one.ask = ask
        return one

    def evaluate(self) -> dict:
        return {"turns": [len(one.transcript) // 2 for one in self.participants]}


@pytest.fixture
def playground(monkeypatch):
    module = ModuleType("interviewplayground")
    module.Study = SimpleNamespace(load=lambda file: Path(file).read_text())
    module.load_preset = lambda name: {"weight": StandIn}[name]()
    monkeypatch.setitem(sys.modules, "interviewplayground", module)


def called(*arguments: str) -> str:
    out = io.StringIO()
    call_command("playground", *arguments, stdout=out, stderr=io.StringIO())
    return out.getvalue()


def test_leads_its_participants_through_its_guide(playground, tmp_path):
    turns = json.loads(called("weight"))["turns"]
    sessions = Session.objects.order_by("started_at")
    assert len(turns) == len(sessions) == 2
    assert all(session.synthetic and session.status == "COMPLETED" for session in sessions)
    assert [session.turns.exclude(number=0).count() for session in sessions] == turns
    bot = Bot.objects.get()
    assert (bot.status, bot.public) == (Bot.Status.DRAFT, False)
    assert [topic.label for topic in bot.topics.all()] == ["Talking about it", "What came of it"]
    called("weight", "--count", "1", "-o", str(tmp_path / "card.json"))
    assert len(json.loads((tmp_path / "card.json").read_text())["turns"]) == 1


@pytest.mark.parametrize("study", ["nothing", "missing.json"])
def test_an_unknown_study_is_refused(playground, study):
    with pytest.raises(CommandError, match="can't load"):
        called(study)


def test_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "interviewplayground", None)
    with pytest.raises(CommandError, match="evaluation"):
        called("weight")
