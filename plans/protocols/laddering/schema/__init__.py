"""Concepts and methodologies: what a laddering interview explores, and how.

    concept       what to explore, as a pydantic model
    methodology   how: the ladder, its relations, the strategies and what they weigh
    vocabulary    the signals that a weight may name, as they were announced
    checking      what a methodology's or concept's parts must agree on among themselves
    reading       a file's content -> concept or methodology, or all that is wrong with it
    shipped       those that come with the site

Nothing here has rows. Whatever a file holds, reading it gives a concept or a methodology or raises
BrokenDocument, whose problems name the file, the line and the field.
"""
