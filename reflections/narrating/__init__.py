"""An interview retold, and what the participant said as facts: by a model, else by rules.

asking      what models are asked
writing     what they wrote, checked against the transcript and put under the interview's topics
kept        facts that the interview itself kept: rows of facts, notes, nodes
making      the two products, from a session to what is stored
"""
