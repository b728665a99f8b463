"""Concepts and methodologies: what a laddering interview explores, and how.

    concept       what to explore, as a pydantic model
    methodology   how: the ladder, its relations, the strategies and their weights
    vocabulary    the signals that weights may name, registered by the interviews app
    consistency   what the parts of a concept or a methodology must agree on
    reader        a file's content -> concept or methodology, or everything wrong with it
    shipped       those that come with the site

Nothing here touches the database. Reading any file returns a concept or a methodology or raises
BrokenDocument, whose problems name the file, the line and the field.
"""
