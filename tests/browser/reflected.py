"""An interview with a reflection on it, coded. As a process with DATA_DIR set: puts it there."""

import os

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "interviewsite.settings")
    django.setup()
    from tests.reflections.coding import code_some
    from tests.reflections.telling import told_product

    code_some(told_product().session)
