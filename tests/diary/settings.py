from interviewsite.settings import *  # noqa: F403

INSTALLED_APPS = ["tests.diary.added.Added", *INSTALLED_APPS]  # noqa: F405
MIGRATION_MODULES = dict.fromkeys(("llm", "plans", "interviews", "reflections"))
