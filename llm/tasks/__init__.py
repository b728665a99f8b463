"""What a model is asked: a task, its prompt, on whose behalf, and what came of it."""
