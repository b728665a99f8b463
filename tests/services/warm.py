"""Python processes forked from one that has set up Django, much faster than a cold start.

Each reads the settings again. Those that decide what Django loads, such as the installed apps, must
be the same for all. Other processes start cold, and so do those that are timed or that a test
starts as people do.
"""

import atexit
import ctypes
import os
import runpy
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from functools import cache
from multiprocessing import get_context
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import empty, settings
from django.core.cache import caches
from django.db import connections

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = "interviewsite.settings"
ADD_APPS = ("MFA", "OIDC_", "PASSWORD_LOGIN")  # in the environment
PR_SET_PDEATHSIG = 1  # of sys/prctl.h
on = False


def switch_on() -> None:
    global on
    on = True


def fits(command: Sequence[str], env: Mapping[str, str]) -> bool:
    python = command[0] == sys.executable and command[1] != "-c"
    usual = env.get("DJANGO_SETTINGS_MODULE", SETTINGS) == SETTINGS
    return on and python and usual and not any(name.startswith(ADD_APPS) for name in env)


def run(
    command: Sequence[str], env: Mapping[str, str], longest: float
) -> subprocess.CompletedProcess[str]:
    """Runs a command to its end, of which it is killed after so many seconds."""
    with TemporaryDirectory() as folder:
        out, err = Path(folder) / "out", Path(folder) / "err"
        process = Warm(command, env, out, err)
        try:
            code = process.wait(longest)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        return subprocess.CompletedProcess(command, code, out.read_text(), err.read_text())


@cache
def _context() -> ForkServerContext:
    context = get_context("forkserver")
    context.set_forkserver_preload(["tests.services.libraries", __name__])
    return context


class Warm:
    """A command of this very Python, with what is used of `subprocess.Popen`."""

    def __init__(
        self, command: Sequence[str], env: Mapping[str, str], out: Path, err: Path
    ) -> None:
        """Appends what it writes to the two files, which may be the same."""
        self.args = command
        given = (list(command[1:]), dict(env), str(out), str(err))
        self._process: ForkServerProcess = _context().Process(target=_become, args=given)
        self._process.start()
        assert self._process.pid
        self.pid = self._process.pid
        while self.poll() is None and os.getpgid(self.pid) != self.pid:
            time.sleep(0.001)  # until it can be killed with its children

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0)
        return self._process.exitcode


def _become(arguments: list[str], env: dict[str, str], out: str, err: str) -> None:
    """Does what `python ARGUMENTS` does."""
    os.setsid()
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))  # as `subprocess` does
    if sys.platform == "linux":  # ends with the tests, however they end
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    os.chdir(ROOT)
    os.environ.clear()
    os.environ.update(env)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for stream, file, number in ((sys.stdout, out, 1), (sys.stderr, err, 2)):
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.dup2(descriptor, number)
        os.close(descriptor)
        stream.reconfigure(line_buffering=True)
    _forget_settings()
    try:
        _run(arguments)
    finally:
        atexit._run_exitfuncs()


def _forget_settings() -> None:
    from interviewsite.processes.environment import env

    del sys.modules[SETTINGS]
    settings._wrapped = empty
    for made in (env, connections, caches):
        vars(made).clear()
        vars(made).update(vars(type(made)()))


def _run(arguments: list[str]) -> None:
    if arguments[0] == "-m":
        sys.argv = arguments[1:]
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = arguments
        runpy.run_path(arguments[0], run_name="__main__")
