"""An interview with a reflection on it. As a process with DATA_DIR set: puts both there."""

import os

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "interviewsite.settings")
    django.setup()
    from tests.reflections.telling import told_product

    told_product()
