"""What a product may rest on: the words of an interview, and quotes that are truly in them. Pure.

types        what is stored: statements with their quotes
transcript   the words, line by line
quoting      a quote is found in the words, or dropped
guarding     what a model wrote is checked against its instructions and against orders in answers
condensing   words that are too many for one call, section by section
"""
