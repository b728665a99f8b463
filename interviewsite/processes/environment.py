"""Settings from the environment, or from the file `.env` beside manage.py."""

import os
from pathlib import Path
from typing import Any, NoReturn

import environ

FILE = Path(__file__).resolve().parents[2] / ".env"


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
        try:
            return super().get_value(var, *args, **kwargs)
        except ValueError:
            problem = f"is {os.environ[var]!r}, which is not a number"
            self.refuse(var, problem, "Correct it, or remove it to use the default.")

    def refuse(self, name: str, problem: str, advice: str) -> NoReturn:
        raise SystemExit(f"{name} (set {self.origin(name)}) {problem}. {advice}")


env = Environment()
