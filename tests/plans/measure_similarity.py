"""Precision and recall of the duplicate measure on the labelled pairs, as tables.

python -m tests.plans.measure_similarity
"""

from plans import similarity
from tests.plans.labelled import LANGUAGES, PAIRS, Figures, figures


def main() -> None:
    """Print them."""
    for part in PAIRS:
        for languages in (*((one,) for one in LANGUAGES), LANGUAGES):
            found = figures(part, languages, similarity.alike)
            print(f"  {part:<9} {' '.join(languages):<9} {_words(found)}")


def _words(found: Figures) -> str:
    missed, alarms = f"{found.missed} missed", f"{found.alarms} false alarms"
    return f"precision {found.precision:.3f}  recall {found.recall:.3f}  ({missed}, {alarms})"


if __name__ == "__main__":
    main()
