"""The YAML files that are part of the site."""

from pathlib import Path
from typing import Any

import yaml

# Those of libyaml, where it is there, are ten times as fast.
SAFE_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
TEXT_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # a word such as "no" stays a word


def read_yaml_file(path: Path, loader: Any = SAFE_LOADER) -> Any:
    return yaml.load(path.read_text(encoding="utf-8"), loader)  # noqa: S506
