"""Looks for known vulnerabilities in the packages of requirements.lock: `make audit`.

Ends with 1 if one is found. Where no source of advisories answers, it says so and ends with 0.
"""

import json
import subprocess
import sys
from typing import Any

COMMAND = ["-m", "pip_audit", "--requirement", "requirements.lock", "--require-hashes"]
OPTIONS = ["--disable-pip", "--timeout", "5", "--progress-spinner", "off", "--format", "json"]
PATIENCE = 60  # seconds


def judge(packages: list[dict[str, Any]]) -> tuple[bool, str]:
    """Return whether that is well, and what to say about it."""
    audited = [package for package in packages if "vulns" in package]
    found = [
        f"{package['name']} {package['version']}: {one['id']}, fixed in {one['fix_versions']}"
        for package in audited
        for one in package["vulns"]
    ]
    if found:
        return False, "\n".join(found)
    if not audited:
        return True, "No source of advisories answers, so no package was looked up."
    unknown = ", ".join(package["name"] for package in packages if package not in audited)
    return True, f"{len(audited)} packages without known vulnerabilities. Unknown: {unknown or '-'}"


def main() -> int:
    try:
        done = subprocess.run(
            [sys.executable, *COMMAND, *OPTIONS], capture_output=True, text=True, timeout=PATIENCE
        )
        packages = json.loads(done.stdout)["dependencies"]
    except (subprocess.TimeoutExpired, ValueError):  # it prints nothing where nobody answers
        packages = []
    well, text = judge(packages)
    print(text)
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
