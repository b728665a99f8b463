from django.apps import AppConfig, apps
from django.contrib import admin


class SignInConfig(AppConfig):
    name = "interviewsite.sign_in"

    def ready(self) -> None:
        for model in list(admin.site._registry):  # what allauth stores is nobody's to edit
            if model._meta.app_config.name.startswith("allauth."):
                admin.site.unregister(model)
        if apps.is_installed("allauth.mfa"):
            from interviewsite.sign_in import second_factor

            second_factor.connect()
