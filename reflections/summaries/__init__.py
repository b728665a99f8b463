"""The products of every interview: summary, facts and coverage.

products    registration
makers      make summary and facts of a session
llm_tasks   model tasks
narrative   check what models wrote, and sort it under the interview's topics
kept_facts  facts that the interview itself kept
plain       the summary that needs no model
coverage    how far each topic was covered
"""
