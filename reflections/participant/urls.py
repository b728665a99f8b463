from django.urls import include, path

from reflections.products import PROTOCOLS

app_name = "reflections"
urlpatterns = [path("", include(results.urls)) for results in PROTOCOLS.values() if results.urls]
