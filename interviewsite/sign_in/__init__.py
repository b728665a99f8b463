"""A second factor and single sign-on for the admin, by django-allauth.

An app of its own, loaded only where MFA or OIDC_ISSUER is set.
"""
