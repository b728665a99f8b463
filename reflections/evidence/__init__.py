"""What a product may rest on: the words of an interview, and quotes that are truly in them.

material       the transcript from rows, without what is no material
transcript     the words, line by line
topics         what an interview was about
types          what is stored: statements with their quotes
statements     such products as they stand, amended or not
quotes         a quote is found in the words, or dropped
checks         a model's words are checked against its instructions and against orders in answers
injection      orders in answers, found by rules
condensation   a transcript that is too long for one call, section by section
call_context   on whose behalf models are called
"""
