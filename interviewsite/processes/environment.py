"""Settings from the environment, or from the file `.env` beside manage.py, and the data folder."""

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn

import environ
from django.core.exceptions import ImproperlyConfigured

FILE = Path(__file__).resolve().parents[2] / ".env"
SWITCHED = (*environ.Env.BOOLEAN_TRUE_STRINGS, "0", "false", "off", "n", "no")


class Environment(environ.Env):
    """Read settings; end the process with one line for a value that can't be used."""

    def __init__(self) -> None:
        super().__init__()
        self._exported = frozenset(os.environ)
        self.read_env(FILE)

    def origin(self, name: str) -> str:
        """Return where a setting comes from, for messages."""
        if name not in os.environ:
            return "by default"
        return "in the environment" if name in self._exported else f"in {FILE}"

    def get_value(self, var: str, *args: Any, **kwargs: Any) -> Any:
        value, cast = os.environ.get(var, ""), kwargs.get("cast")
        if cast is bool and value and value.strip().lower() not in SWITCHED:
            self.refuse(var, f"is {value!r}, which is neither on nor off", "Set 1 or 0.")
        if value.startswith("$"):  # a secret may: the library would look for another setting
            return self.parse_value(value, cast)
        if not value and not var.startswith("LIMIT_"):  # an empty limit is none
            return kwargs["default"]
        try:
            return super().get_value(var, *args, **kwargs)
        except ValueError:
            problem = f"is {os.environ[var]!r}, which is not a number"
            self.refuse(var, problem, "Correct it, or remove it to use the default.")

    def list(self, *args: Any, **kwargs: Any) -> Any:
        return [one.strip() for one in super().list(*args, **kwargs) if one.strip()]

    def one_of(self, name: str, default: str, known: Sequence[str]) -> str:
        value: str = self.str(name, default)
        if value not in known:
            advice = f"Use {', '.join(known[:-1])} or {known[-1]}."
            self.refuse(name, f"is {value!r}, which isn't known", advice)
        return value

    def database(self, name: str, url: str) -> dict[str, Any]:
        """Return Django's settings of the database at an address."""
        try:
            found: dict[str, Any] = self.db_url_config(url)
        except ValueError:  # what stands before a slash in the password is taken for the port
            self.refuse(name, "can't be read", "Write / and ? in the password as %2F and %3F.")
        if not found["NAME"]:
            advice = "Write it as postgres://user:password@host:5432/name."
            self.refuse(name, "names no database", advice)
        return found

    def mail_server(self, name: str, url: str) -> dict[str, Any]:
        """Return Django’s settings of the mail server, which sends nothing without an address."""
        try:
            server: dict[str, Any] = self.email_url_config(url or "dummymail://")
        except (ImproperlyConfigured, ValueError):  # of its kind, or its port
            advice = "Use smtp+tls://user:password@host, smtp+ssl://…, smtp://… or nothing."
            self.refuse(name, "is no address of a mail server", advice)
        usual = 465 if "EMAIL_USE_SSL" in server else 587 if "EMAIL_USE_TLS" in server else 25
        return {**server, "EMAIL_PORT": server["EMAIL_PORT"] or usual}

    def refuse(self, name: str, problem: str, advice: str) -> NoReturn:
        raise SystemExit(f"{name} (set {self.origin(name)}) {problem}. {advice}")


env = Environment()


@contextmanager
def usable(folder: Path) -> Iterator[None]:
    """End the process with one line where DATA_DIR, or a file in it, can't be used."""
    try:
        yield
    except OSError as error:
        problem = f"is {folder}, which can't be used: {error.strerror} ({error.filename})"
        env.refuse("DATA_DIR", problem, "Choose a folder that this account may write to.")


def make_private(folder: Path) -> None:
    """Make a folder that only this account can read, with its files, or close one that is there.

    What isn't ours to close is left as it is.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if folder.stat().st_mode & stat.S_ISVTX:  # one that is shared, such as /tmp
        return
    files = [file for file in folder.iterdir() if file.is_file() and not file.is_symlink()]
    for path, mode in ((folder, 0o700), *((file, 0o600) for file in files)):
        with suppress(OSError):
            if stat.S_IMODE(path.stat().st_mode) & 0o077:
                path.chmod(mode)
