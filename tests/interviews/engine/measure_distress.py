"""How much distress is heard by rules, and how many alarms are false, by language.

python -m tests.interviews.engine.measure_distress
"""

from pathlib import Path
from typing import Literal

from interviews.engine.language.distress import in_distress
from llm.tasks.yaml_files import read_yaml_file

PHRASES = read_yaml_file(Path(__file__).with_name("distress.yaml"))
LANGUAGES = tuple(PHRASES)


def phrases(language: str, kind: Literal["now", "not_now"]) -> list[str]:
    """Everything of that kind."""
    return [text for part in PHRASES[language].values() for text in part[kind]]


def figures(language: str) -> tuple[int, int, int]:
    """How many signs were heard, of how many, and how many alarms there were in all."""
    said = phrases(language, "now")
    heard = sum(in_distress(text) for text in said)
    return heard, len(said), heard + sum(in_distress(text) for text in phrases(language, "not_now"))


def main() -> None:
    """Prints one line a language."""
    for language in LANGUAGES:
        heard, said, alarms = figures(language)
        print(
            f"{language}  recall {heard}/{said} = {heard / said:.0%}"
            f"  precision {heard}/{alarms} = {heard / max(alarms, 1):.0%}"
            f"  look-alikes {len(phrases(language, 'not_now'))}"
        )


if __name__ == "__main__":
    main()
