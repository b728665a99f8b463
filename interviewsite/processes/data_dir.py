"""The folder of the database, its generated secrets and static files."""

import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from interviewsite.processes.environment import env


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
