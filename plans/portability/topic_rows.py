"""A bot's topics as CSV, one sub-goal per row."""

from collections.abc import Iterator

from plans.portability.documents import SubGoalDocument, TopicsDocument
from plans.portability.problems import Problem
from plans.portability.table import Row, find_or_add_group, read_tree, write_rows
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
    return read_tree(text, COLUMNS, NEEDED, Tree({"topics": []}, name=column), _add)


def column(loc: Loc) -> str:
    if "sub_goals" in loc:
        return "question" if loc[-1] == "question" else "sub_goal"
    return f"topic_{loc[-1]}" if loc and loc[-1] in ("key", "label") else ""


def _add(tree: Tree, row: Row, line: int, problems: list[Problem]) -> None:
    place, topic = find_or_add_group(tree, row, line, problems, "topic", "label", "sub_goals")
    goal, question = row["sub_goal"], row.get("question", "")
    if goal.strip() or question.strip():
        tree.lines["topics", place, "sub_goals", len(topic["sub_goals"])] = line
        topic["sub_goals"].append({"text": goal, "question": question})
