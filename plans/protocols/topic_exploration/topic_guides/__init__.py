"""Topic guides: what a model prepares for a bot's topics before its interviews.

    task       what the model is asked, and which parts of its answer are used
    job        requesting, making, remaking and hand-writing guides

They are optional: interviews that begin before they are ready, or after they failed, do without.
"""
