"""A bot's topics as CSV, one sub-goal per row."""

from collections.abc import Iterator

from plans.portability.documents import SubGoalDocument, TopicsDocument
from plans.portability.problems import BrokenDocument, Problem
from plans.portability.table import Row, read_rows, write_rows
from plans.portability.tree import Loc, Tree

COLUMNS = ("topic_key", "topic_label", "sub_goal", "question")
NEEDED = ("topic_label", "sub_goal")


def write_topics(document: TopicsDocument) -> str:
    return write_rows(COLUMNS, _rows(document))


def _rows(document: TopicsDocument) -> Iterator[Row]:
    for topic in document.topics:
        head = {"topic_key": topic.key, "topic_label": topic.label}
        for goal in topic.sub_goals or [SubGoalDocument.model_construct(text="")]:
            yield {**head, "sub_goal": goal.text, "question": goal.question}


def read_topic_rows(text: str) -> Tree:
    """Return the topics in the order of their first rows. Raises BrokenDocument."""
    tree, problems = Tree({"topics": []}, name=column), list[Problem]()
    for line, row in read_rows(text, COLUMNS, NEEDED, problems):
        _add(tree, row, line, problems)
    if problems:
        raise BrokenDocument(problems)
    return tree


def column(loc: Loc) -> str:
    if "sub_goals" in loc:
        return "question" if loc[-1] == "question" else "sub_goal"
    return f"topic_{loc[-1]}" if loc and loc[-1] in ("key", "label") else ""


def _add(tree: Tree, row: Row, line: int, problems: list[Problem]) -> None:
    place = _find_or_add_topic(tree, row, line)
    topic, label = tree.data["topics"][place], row["topic_label"].strip()
    if label and label != topic["label"]:
        problems.append(Problem(f"is “{topic['label']}” in an earlier row", line, "topic_label"))
    goal, question = row["sub_goal"], row.get("question", "")
    if goal.strip() or question.strip():
        tree.lines["topics", place, "sub_goals", len(topic["sub_goals"])] = line
        topic["sub_goals"].append({"text": goal, "question": question})


def _find_or_add_topic(tree: Tree, row: Row, line: int) -> int:
    key, label = row.get("topic_key", "").strip(), row["topic_label"].strip()
    topics = tree.data["topics"]
    for place, topic in enumerate(topics):
        if topic["key"] == key if key else topic["label"] == label:
            return place
    topics.append({"key": key, "label": label, "sub_goals": []})
    tree.lines["topics", len(topics) - 1] = line
    return len(topics) - 1
