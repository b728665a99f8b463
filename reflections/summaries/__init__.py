"""The products of every interview: summary, facts and coverage.

products    their registration
makers      summary and facts, from a session to what is stored
llm_tasks   what models are asked
narrative   what they wrote, checked against the transcript and put under the interview's topics
kept_facts  facts that the interview itself kept
plain       the summary that needs no model
coverage    how far each topic was talked about
"""
