"""What a product may rest on: the words of an interview, and quotes that are really in them.

material       the transcript from rows, without what must not be used
transcript     the transcript, line by line
topics         what an interview was about
types          statements with their quotes, as they are stored
statements     such products as they stand, amended or not
quotes         find a quote in the answers
clauses        widen a quote to its clause
checks         check a model's statements against the transcript, by rules
support        ask a model whether statements follow from their quotes
injection      orders to the reader in answers, found by rules
condensation   shorten a transcript that is too long for one call
background_task  model tasks that nobody waits for
"""
