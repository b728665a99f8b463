"""The products of every interview: summary, facts and coverage.

makers      make summary and facts of a session; registration
llm_tasks   model tasks
narrative   check what models wrote, and sort it under the interview's topics
kept_facts  facts that the interview itself kept
coverage    how far each topic was covered
"""
