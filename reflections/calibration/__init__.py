"""How well a replica answers as a participant would: requested by people, made in the background.

calibrations      rows: requested, forecast, measured, read
types             what is requested, and what is stored
holdout           which questions are held out of an interview, and what then remains of it
questionnaire     a participant's own items as CSV
injection         sentences in answers that speak to a reader or scorer
llm_tasks, llm_calls   what models are asked, a few at a time
knowledge         notes and reflections made anew, and the replica that has them
judge             how far two answers agree, by a model; similarity is that of the words
baselines         what other participants answered, from rows
by_holdout        a whole calibration by questions held out
by_questionnaire  a whole calibration by questionnaire
statistics        means with intervals, accuracy, consistency
descriptions      what the figures say, and what they don't
exports           calibrations as tables
"""
