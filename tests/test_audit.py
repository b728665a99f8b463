"""`make audit` fails on a known vulnerability, and only on that."""

from tests.audit import judge

WELL = {"name": "celery", "version": "5.6", "vulns": []}
SKIPPED = {"name": "kombu", "skip_reason": "not found"}
VULNERABLE = {
    **{"name": "django", "version": "5.2"},
    "vulns": [{"id": "PYSEC-2030-1", "fix_versions": ["5.2.9"], "aliases": [], "description": ""}],
}


def test_what_is_found_and_what_is_not():
    assert judge([WELL, VULNERABLE]) == (False, "django 5.2: PYSEC-2030-1, fixed in ['5.2.9']")
    for nobody_answers in ([], [SKIPPED]):
        assert judge(nobody_answers) == (
            True,
            "No source of advisories answers, so no package was looked up.",
        )
    well, text = judge([WELL, SKIPPED])
    assert well
    assert text == "1 packages without known vulnerabilities. Unknown: kombu"
