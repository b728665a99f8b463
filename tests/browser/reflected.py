"""An interview with a reflection on it, coded, and a report on the findings.

As a process with DATA_DIR set: puts it there.
"""

import os

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "interviewsite.settings")
    django.setup()
    from tests.reflections.coding import code_some, report_on
    from tests.reflections.telling import told_product

    session = told_product().session
    code_some(session)
    report_on(session.bot)
