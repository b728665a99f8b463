"""Scripts and bots out and in, as JSON, YAML and (questions, topics, backlogs) CSV.

    problems    what is wrong with a file, each with its line
    decoding    bytes -> text
    tree        JSON or YAML text -> plain data that knows its lines
    table       CSV text <-> rows that know their lines
    question_rows, topic_rows, backlog_rows   these rows <-> questions of a script, topics of a bot,
                its backlog
    documents   the shapes of a script, a bot, its topics and its backlog, as pydantic models
    checking    plain data -> document, or all its problems
    keys        short names for rows that have none
    reading     text or bytes -> document
    writing     document -> text
    scripts     document <-> rows of a script
    bots        document <-> rows of a bot
    topics      document <-> topics and data fields of a bot
    backlog     document <-> backlog and summary of a bot
    ladders     file, or part of a bot's <-> rows of concepts and methodologies

Whatever a file holds, reading it gives a document or raises BrokenDocument, nothing else.
"""

from plans.portability.documents import BotDocument, ScriptDocument
from plans.portability.problems import BrokenDocument, Problem

__all__ = ["BotDocument", "BrokenDocument", "Problem", "ScriptDocument"]
