from django.contrib import admin
from django.urls import include, path

from interviews.admin.overview import shared_overview
from interviewsite.admin.pages import data_protection_page, health_page
from interviewsite.http import health, metrics
from interviewsite.http.api import api
from interviewsite.theme import identity

urlpatterns = [
    path(
        "admin/data-protection/",
        admin.site.admin_view(data_protection_page),
        name="data_protection",
    ),
    path("admin/health/", admin.site.admin_view(health_page), name="site_health"),
    path("admin/", admin.site.urls),
    path("api/", api.urls),
    path("healthz", health.alive),
    path("readyz", health.ready),
    path("metrics", metrics.metrics),
    path("logo/<slug:digest>", identity.logo, name="logo"),
    path("accent/<slug:colour>.css", identity.accent, name="accent"),
    path("overview/<uuid:key>/", shared_overview, name="overview"),
    path("", include("interviews.urls")),
    path("", include("reflections.participant.urls")),
]
handler500 = "interviewsite.http.middleware.server_error"
