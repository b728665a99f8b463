"""The report on a technical assessment: advice to a human reviewer. All of it is pure.

types        the report as it is stored
statistics   figures of the observations: topics, shares, means
rules        recommendation, confidence and grade by rules
computed     the report that needs no model
evidence     which answers a topic, a skill or a gap rests on
checks       what code changes in a report
findings     what code only points out; protected: characteristics that are no criterion
llm_tasks    the model task, and the report put together
candidate_summary   what candidates may see
"""
