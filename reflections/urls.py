"""Pages of participants about what was made of their interview."""

from django.urls import path

from reflections import views

app_name = "reflections"
urlpatterns = [
    path("s/<uuid:session_id>/summary/", views.own_summary, name="own_summary"),
]
