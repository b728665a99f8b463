from django.urls import path

from reflections.protocols.technical_assessment import views

urlpatterns = [path("s/<uuid:session_id>/summary/", views.own_summary, name="own_summary")]
