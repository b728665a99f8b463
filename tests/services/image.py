"""Run as root where there is no Docker: the image's very steps, and the services made of it.

    python -m tests.services.image [ROOT]

ROOT is a Debian system in a folder, with Python for the image's base; one is made by debootstrap if
it isn't there. What deploy/Containerfile says is done in copies of it. Then the services of
deploy/compose.yaml are started: as the image's user, on a read-only root, without capabilities,
with PostgreSQL and Redis of this machine. An interview is played to its end; health checks and the
backup are run.
"""

import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from tests.services.client import Client, connections
from tests.services.databases import empty_postgresql
from tests.services.processes import ROOT, Process, free_port, wait_until
from tests.services.sites import Redis, answers
from tests.services.worlds import ended

MIRROR = "http://deb.debian.org/debian"
BASE = ["debootstrap", "--variant=minbase", "--include=python3,python3-venv,ca-certificates"]
# What this machine needs to reach package registries, if it is there.
REACHES = ("/etc/resolv.conf", "/etc/pip.conf", "/etc/ssl/certs/ca-certificates.crt")
PATHS = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
HOST = "localhost"


@dataclass
class Stage:
    root: Path
    folder: str = "/"
    user: str = "root"
    env: dict[str, str] = field(default_factory=lambda: {"PATH": PATHS})
    command: list[str] = field(default_factory=list)
    health: list[str] = field(default_factory=list)
    volumes: list[str] = field(default_factory=list)


def base(root: Path) -> Path:
    if not (root / "usr").exists():
        subprocess.run([*BASE, "bookworm", str(root), MIRROR], check=True)
    python = root / "usr/local/bin/python"
    if not python.exists():
        python.symlink_to("/usr/bin/python3")
    for name in REACHES:
        if Path(name).exists():
            shutil.copy(name, root / name[1:])
    return root


def build(folder: Path, system: Path) -> Stage:
    """Do what each instruction says; the last stage is the image."""
    stages: dict[str, Stage] = {}
    text = re.sub(r"^#.*\n", "", (ROOT / "deploy" / "Containerfile").read_text(), flags=re.M)
    stage = Stage(system)
    for line in re.sub(r"\\\n", "", text).splitlines():
        name, _, rest = line.strip().partition(" ")
        if name == "FROM":
            called = rest.partition(" AS ")[2] or "image"
            stage = stages[called] = Stage(folder / called)
            subprocess.run(["cp", "-a", system, stage.root], check=True)
        elif name:
            print(name, rest[:100], flush=True)
            INSTRUCTIONS[name](stage, rest, stages)
    return stage


def _run(stage: Stage, command: str, _: Any) -> None:
    env = stage.env | {name: os.environ[name] for name in os.environ if name.startswith("PIP_")}
    inside = ["chroot", stage.root, "env", "-i", *(f"{k}={v}" for k, v in env.items())]
    subprocess.run([*inside, "sh", "-c", f"cd {stage.folder} && {command}"], check=True)


def _copy(stage: Stage, rest: str, stages: dict[str, Stage]) -> None:
    *sources, target = rest.split()
    source = ROOT
    if sources[0].startswith("--from="):
        source = stages[sources.pop(0)[7:]].root
    for one in sources:
        path = source / one.lstrip("/")
        into = stage.root / stage.folder[1:] / target
        if path.is_dir():
            shutil.copytree(path, into, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(path, into)


def _work_in(stage: Stage, rest: str, _: Any) -> None:
    stage.folder = rest
    (stage.root / rest[1:]).mkdir(parents=True, exist_ok=True)


def _set(stage: Stage, rest: str, _: Any) -> None:
    pairs = dict(pair.split("=", 1) for pair in rest.split())
    stage.env |= {k: v.replace("$PATH", stage.env["PATH"]) for k, v in pairs.items()}


def _check(stage: Stage, rest: str, _: Any) -> None:
    stage.health = json.loads(rest.partition(" CMD ")[2])


INSTRUCTIONS = {
    "RUN": _run,
    "COPY": _copy,
    "WORKDIR": _work_in,
    "ENV": _set,
    "HEALTHCHECK": _check,
    "USER": lambda stage, rest, _: setattr(stage, "user", rest),
    "VOLUME": lambda stage, rest, _: stage.volumes.extend(rest.split()),
    "CMD": lambda stage, rest, _: setattr(stage, "command", json.loads(rest)),
    "EXPOSE": lambda *_: None,
}


def contained(image: Stage, kept: Path, command: list[str], env: dict[str, str]) -> list[str]:
    """A command that runs another as compose.yaml would: what is kept is in the folder `kept`."""
    root, mounts = image.root, [f"mount --bind {image.root} {image.root}"]
    for volume in image.volumes:
        if not (kept / volume[1:]).exists():  # a volume begins as the image's folder
            subprocess.run(["cp", "-a", root / volume[1:], kept], check=True)
        mounts.append(f"mount --bind {kept}{volume} {root}{volume}")
    mounts += [f"mount -t proc proc {root}/proc", f"mount --rbind /dev {root}/dev"]
    mounts += [f"mount -t tmpfs tmpfs {root}/tmp", f"mount -o remount,bind,ro {root}"]
    user = ["setpriv", f"--reuid={image.user}", f"--regid={image.user}", "--clear-groups"]
    user += ["--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"]
    settings = ["env", "-i", *(f"{k}={v}" for k, v in (image.env | env).items())]
    inside = ["chroot", str(root), *user, *settings, "sh", "-c", f'cd {image.folder} && exec "$@"']
    script = f'{" && ".join(mounts)} && exec "$@"'
    return ["unshare", "--mount", "sh", "-ec", script, "sh", *inside, "sh", *command]


class Container(Process):
    def __init__(self, name: str, kept: Path, command: list[str]) -> None:
        super().__init__(command, {"PATH": PATHS}, kept / f"{name}.log")


def main() -> None:
    given = sys.argv[1:]
    with tempfile.TemporaryDirectory() as scratch, ExitStack() as stack:
        folder = Path(scratch)
        folder.chmod(0o755)
        image = build(folder, base(Path(given[0]) if given else folder / "base"))
        redis = Redis(folder)
        stack.enter_context(ended(redis))
        redis.start()
        services = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text())["services"]
        try_out(image, folder, services, redis, stack)


def try_out(
    image: Stage, folder: Path, services: dict[str, Any], redis: Redis, stack: ExitStack
) -> None:
    ports = [free_port(), free_port()]
    env = {
        "DATABASE_URL": empty_postgresql(folder).url,
        "REDIS_URL": redis.url,
        "ALLOWED_HOSTS": HOST,
        "WEB_CONCURRENCY": "2",
        "HOSTNAME": os.uname().nodename,
        "LIMIT_ANSWERS": "",
    }

    def run(*command: str) -> str:
        done = subprocess.run(
            contained(image, folder, list(command), env), capture_output=True, text=True
        )
        if done.returncode:
            raise SystemExit(f"{command}: {done.stdout}{done.stderr}")
        return done.stdout

    def start(name: str, command: list[str]) -> None:
        process = Container(name, folder, contained(image, folder, command, env))
        stack.enter_context(ended(process))
        process.launch()

    print(run(*services["setup"]["command"].split()))
    refused = run("sh", "-c", "! touch /app/x 2>&1; id -u; grep NoNewPrivs /proc/self/status")
    print(refused)
    assert "Read-only file system" in refused and "10001" in refused and "NoNewPrivs:\t1" in refused
    for port in ports:
        start(f"web-{port}", [part.replace("8000", str(port)) for part in image.command])
    for name in ("worker", "beat"):
        start(name, services[name]["command"].split())
    for port in ports:
        wait_until(lambda port=port: answers(f"http://{HOST}:{port}/healthz"))
        run(*(part.replace("8000", str(port)) for part in image.health))
    check = services["worker"]["healthcheck"]["test"][1].replace("$$", "$")
    wait_until(lambda: "pong" in run("sh", "-c", f"{check} || true"))
    run("python", "manage.py", "load_demo")
    asyncio.run(_play(ports))
    nightly = re.search(r"do\n(.*)\ndone", services["backup"]["command"][2])
    assert nightly
    print(run("sh", "-c", nightly[1]))
    run("sh", "-c", services["backup"]["healthcheck"]["test"][1])


async def _play(ports: list[int]) -> None:
    async with connections() as http:
        first, second = (Client(http, f"http://{HOST}:{port}") for port in ports)
        talk = await first.start("life-story-short")
        await talk.say()
        talk.client = second
        print("an interview:", await talk.to_the_end())


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    main()
