"""What a product may rest on: the words of an interview, and quotes that are really in them.

material       the transcript from rows, without what must not be used
transcript     the transcript, line by line
topics         what an interview was about
types          statements with their quotes, as they are stored
statements     such products as they stand, amended or not
quotes         find a quote in the answers
checks         check a model's statements against the transcript
injection      orders to the reader in answers, found by rules
condensation   shorten a transcript that is too long for one call
call_context   who model calls are made for
"""
