"""The report on a technical assessment: advice to a human reviewer. All of it is pure.

types        the report as it is stored
rules        figures of the observations; recommendation, confidence and grade by rules
computed     the report that needs no model, and what candidates may see
unjudged     answers that no model judged, for a person
evidence     what a report is made from; which answers a topic, a skill or a gap rests on
checks       what code changes in a report, and what it only points out
llm_tasks    the model task, and the report put together
"""
