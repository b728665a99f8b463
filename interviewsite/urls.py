from django.contrib import admin
from django.urls import include, path

from interviewsite.http import health
from interviewsite.http.api import api

urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/", api.urls),
    path("healthz", health.alive),
    path("readyz", health.ready),
    path("", include("interviews.urls")),
    path("", include("reflections.participant.urls")),
]
handler500 = "interviewsite.http.errors.server_error"
