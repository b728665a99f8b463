"""Measures how well a replica answers as the participant would.

calibrations      rows: request, forecast, measure, read
types             options, and results as they are stored
holdout           choose questions to hold out, remove them, and find orders to the scorer
questionnaire     read a participant's own items from CSV
llm_tasks, llm_calls   model tasks, and a caller that limits and counts calls
knowledge         notes and reflections made from what remains of the interview
judge             score how far two answers agree, by a model, and by shared words
baselines         other participants' answers, from rows
by_holdout        calibrate on questions held out
by_questionnaire  calibrate on a questionnaire
statistics        means with intervals, accuracy, consistency
descriptions      text that explains the figures
exports           calibrations as tables
"""
