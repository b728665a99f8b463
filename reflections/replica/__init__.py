"""A replica answers as a participant would; how well it does is measured here, and nothing else.

Pure, apart from asking models and from `others`:

types            what is asked for, and what is stored
holding          which questions are held out of an interview, and what then remains of it
questionnaire    a participant's own items as CSV
orders           sentences in answers that speak to whoever scores them
tasks, asking    what models are asked, a few at a time
making           notes and reflections made anew, and the replica that has them
judging          how far two answers agree, by a model; likeness is that of the words
others           what other participants answered, from rows
measuring        a whole calibration by questions held out
answering        a whole calibration by questionnaire
figures          means with intervals, accuracy, consistency
words            what the figures say, and what they don't
"""
