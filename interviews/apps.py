"""How an interview is led: sessions, turns, transcript."""

from django.apps import AppConfig


class InterviewsConfig(AppConfig):
    name = "interviews"
    verbose_name = "Fieldwork"
