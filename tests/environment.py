"""Loaded before the settings (pyproject's addopts): each test process has a world of its own.

PostgreSQL and Redis are used where a test asks for them, never by accident.
"""

import atexit
import os
import shutil
import sys
import tempfile
from pathlib import Path

# Databases by the hundred are written and thrown away: in memory, where there is room for them.
MEMORY, ROOM = Path("/dev/shm"), 2**31
if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM:
    tempfile.tempdir = os.environ["TMPDIR"] = str(MEMORY)

_folder = tempfile.mkdtemp(prefix="interviewsite-tests-")
atexit.register(shutil.rmtree, _folder, ignore_errors=True)

# Dozens of processes are started. Where bytecode may not be written beside the sources, it is
# written elsewhere, so that not each of them compiles everything.
if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(Path(__file__).resolve().parents[1] / ".pytest_cache" / "bytecode")
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix

os.environ["DATA_DIR"] = _folder
os.environ["SECRET_KEY"] = "a-secret-of-the-tests"
os.environ["DATA_KEYS"] = "dGhlLWtleS1vZi10aGUtdGVzdHMtMzItYnl0ZXMtISE="
os.environ["LOG_LEVEL"] = "ERROR"
# Programs answer faster than people, all from one address; limits have tests of their own.
for name in (
    "ANSWERS",
    "STARTS",
    "LINK_STARTS",
    "POSTS",
    "WRONG_KEYS",
    "SOCKETS",
    "LOGINS",
    "PASSWORDS",
):
    os.environ[f"LIMIT_{name}"] = ""
for name in list(os.environ):
    if name.startswith(("ANTHROPIC_", "OPENAI_", "LLM_", "TOGETHER_", "DICTATION_", "DEEPGRAM_")):
        del os.environ[name]
if not os.environ.get("TEST_SIGN_IN"):  # set by tests/test_sign_in.py
    for name in list(os.environ):
        if name in ("MFA", "PASSWORD_LOGIN") or name.startswith("OIDC_"):
            del os.environ[name]
for name in ("REDIS_URL", "WEB_CONCURRENCY", "HTTPS", "DEBUG", "ADMIN_PASSWORD"):
    os.environ.pop(name, None)
os.environ["DATABASE_URL"] = os.environ.get("TEST_DATABASE_URL", "")
if not os.environ["DATABASE_URL"]:
    del os.environ["DATABASE_URL"]
