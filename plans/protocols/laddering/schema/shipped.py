from pathlib import Path

STARTERS = Path(__file__).parent / "beginnings"
METHODOLOGIES = Path(__file__).parents[1] / "methodologies"
CONCEPTS = Path(__file__).parents[1] / "concepts"


def sources(folder: Path) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.yaml"))]


def starter_text(kind: str) -> str:
    return (STARTERS / f"{kind}.yaml").read_text(encoding="utf-8")
