"""System checks for settings with which the site must not start."""

from typing import Any
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Info, Tags, Warning, register, run_checks
from django.db import connection

from interviews.participant.voice import local, providers
from interviews.security import sealing
from interviews.security.ratelimits import limits
from interviewsite.processes.environment import env
from llm.costs.budgets import site_budget

START = "start"  # tag of the checks that a server must pass
PATIENCE = 3  # seconds for a database or Redis to answer
REQUIRED = "required"  # the one value of MFA
# settings with which at zero the site would start, and then do nothing or fail
ABOVE_ZERO = (
    *("DB_THREADS", "EMAIL_TIMEOUT", "LLM_CONCURRENCY", "LLM_FIRST_TOKEN_TIMEOUT"),
    *("LLM_IDLE_TIMEOUT", "MOST_LATE", "REFLECTION_CHARACTERS", "SWEEP_EVERY"),
    *("TURN_DEADLINE", "TURN_LEASE"),
)


def exit_on_failed_checks() -> None:
    """Run the checks for a server that runs none itself. Raises SystemExit."""
    problems = [problem for problem in run_checks(tags=[START]) if problem.is_serious()]
    if problems:
        raise SystemExit("\n".join(f"{problem.msg} {problem.hint}" for problem in problems))


@register(START, Tags.database)
def database_answers(**_kwargs: Any) -> list[CheckMessage]:
    driver: Any = connection.Database  # type: ignore[attr-defined]
    timeout = {"connect_timeout": PATIENCE} if connection.vendor == "postgresql" else {}
    try:
        driver.connect(**(connection.get_connection_params() | timeout)).close()
    except driver.Error as error:
        problem = f"The database can't be used: {str(error).splitlines()[0].strip()}."
        hint = f"Start or create it, or correct DATABASE_URL (set {env.origin('DATABASE_URL')})."
        return [Error(problem, hint=hint, id="interviewsite.E022")]
    return []


@register(START, Tags.database)
def redis_answers(**_kwargs: Any) -> list[CheckMessage]:
    if not settings.REDIS_URL:
        return []
    from redis import Redis, RedisError  # takes a tenth of a second to load

    patience = {"socket_connect_timeout": PATIENCE, "socket_timeout": PATIENCE}
    try:
        Redis.from_url(settings.REDIS_URL, **patience).ping()
    except (RedisError, ValueError) as error:
        hint = f"Start it, or correct REDIS_URL (set {env.origin('REDIS_URL')})."
        return [Error(f"Redis can't be used: {error}.", hint=hint, id="interviewsite.E023")]
    return []


@register(START)
def one_process_without_redis(**_kwargs: Any) -> list[CheckMessage]:
    """Without Redis, events of a turn would not reach pages served by another process."""
    if settings.REDIS_URL or settings.WEB_PROCESSES == 1:
        return []
    problem = f"{settings.WEB_PROCESSES} web processes can't share the in-memory channel layer."
    hint = "Set REDIS_URL, or run one process (WEB_CONCURRENCY=1)."
    return [Error(problem, hint=hint, id="interviewsite.E001")]


@register(START)
def own_secret(**_kwargs: Any) -> list[CheckMessage]:
    """With the default key anybody could sign an admin's session."""
    if settings.DEBUG or settings.SECRET_KEY != settings.INSECURE_KEY:
        return []
    hint = "Set SECRET_KEY, or let `make run` generate one in DATA_DIR."
    return [Error("The default secret key is in use.", hint=hint, id="interviewsite.E002")]


@register(START)
def data_key(**_kwargs: Any) -> list[CheckMessage]:
    """Without a key, confidential answers can't be stored."""
    if settings.DEBUG and not settings.DATA_KEYS:
        return []
    try:
        sealing.keyring()
    except sealing.NoDataKey as error:
        problem = f"No key for confidential answers: {error}."
        hint = "Set DATA_KEYS, or let `make run` generate one in DATA_DIR."
        return [Error(problem, hint=hint, id="interviewsite.E003")]
    return []


@register(START)
def address_in_letters(**_kwargs: Any) -> list[CheckMessage]:
    parts = urlsplit(settings.SITE_URL)
    absolute = parts.scheme in ("http", "https") and parts.hostname
    if absolute or not (settings.EMAIL_URL or settings.SITE_URL):
        return []
    problem = f"Links in letters need the site's address, and SITE_URL is {settings.SITE_URL!r}."
    hint = "Set SITE_URL to where people reach the site, as https://interviews.example.org."
    return [Error(problem, hint=hint, id="interviewsite.E005")]


@register(START)
def dictation_provider(**_kwargs: Any) -> list[CheckMessage]:
    name = settings.DICTATION_PROVIDER
    known = (providers.BROWSER, providers.OFF, *providers.PROVIDERS)
    if name not in known:
        problem = f"There is no DICTATION_PROVIDER {name!r}."
        hint = f"Leave it empty, or set one of {', '.join(known[1:])}."
    elif name == "deepgram" and not settings.DEEPGRAM_API_KEY:
        problem = "DICTATION_PROVIDER is deepgram, but there is no key for it."
        hint = "Set DEEPGRAM_API_KEY."
    elif name == "local" and not local.is_installed():
        problem = "DICTATION_PROVIDER is local, but the optional part it needs is not installed."
        hint = "Install it with `.venv/bin/pip install '.[dictation]'`, or choose another."
    else:
        return []
    return [Error(problem, hint=hint, id="interviewsite.E020")]


@register(START)
def limits_and_budgets(**_kwargs: Any) -> list[CheckMessage]:
    found: list[CheckMessage] = []
    for name in limits.EVERY:
        value = str(getattr(settings, name))
        try:
            limits.parsed(name, value)
        except ValueError:
            hint = 'Write "30/minute", "30/minute; 600/hour", or nothing for none.'
            problem = f"{name} is {value!r}, which says no limit."
            found.append(Error(problem, hint=hint, id="interviewsite.E007"))
    try:
        site_budget()
    except ValueError as error:
        hint = "Write an amount as 25 or 7.50, or nothing for none."
        found.append(Error(f"LLM_DAILY_BUDGET: {error}.", hint=hint, id="interviewsite.E008"))
    return found


@register(START)
def numbers_are_above_zero(**_kwargs: Any) -> list[CheckMessage]:
    hint = "Set a higher number, or remove it to use the default."
    return [
        Error(f"{name} (set {env.origin(name)}) is {value}.", hint=hint, id="interviewsite.E024")
        for name in ABOVE_ZERO
        if (value := getattr(settings, name)) <= 0
    ]


@register(START)
def connections_are_enough(**_kwargs: Any) -> list[CheckMessage]:
    """With fewer than there are database threads, which keep theirs, all others would wait."""
    if connection.vendor != "postgresql":
        return []
    most, threads = connection.settings_dict["OPTIONS"]["pool"]["max_size"], settings.DB_THREADS
    if most > threads:
        return []
    problem = f"DB_POOL is {most}, and each of {threads} database threads keeps a connection."
    hint = f"Set DB_POOL to more than {threads}, or DB_THREADS to less than {most}."
    return [Error(problem, hint=hint, id="interviewsite.E025")]


@register(START)
def signing_in(**_kwargs: Any) -> list[CheckMessage]:
    issuer = urlsplit(settings.OIDC_ISSUER)
    client = (settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET)
    if settings.MFA not in ("", REQUIRED):
        problem = f"MFA is {settings.MFA!r}, which isn't known."
        hint = f'Leave it empty, or set it to "{REQUIRED}".'
    elif any((issuer.netloc, *client)) and not all((settings.OIDC_ISSUER, *client)):
        problem = "Single sign-on lacks a setting."
        hint = "Set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, or none of them."
    elif settings.OIDC_ISSUER and not _is_safe(issuer):
        problem = f"OIDC_ISSUER is {settings.OIDC_ISSUER!r}, where tokens could be read or forged."
        hint = "Give it as https://login.example.org."
    elif any(part.strip() and "=" not in part for part in settings.OIDC_ROLES.split(";")):
        problem = f"OIDC_ROLES is {settings.OIDC_ROLES!r}, which can't be read."
        hint = 'Write "value=group; other value=other group".'
    elif not settings.PASSWORD_LOGIN and not settings.OIDC_ISSUER:
        problem = "PASSWORD_LOGIN is off, and there is no single sign-on: nobody could sign in."
        hint = "Set OIDC_ISSUER, or leave PASSWORD_LOGIN on."
    else:
        return []
    return [Error(problem, hint=hint, id="interviewsite.E021")]


def _is_safe(issuer: SplitResult) -> bool:
    return issuer.scheme == "https" or issuer.hostname in ("localhost", "127.0.0.1")


@register(Tags.security, deploy=True)
def data_is_private(**_kwargs: Any) -> list[CheckMessage]:
    if not settings.DATA_DIR.stat().st_mode & 0o077:
        return []
    hint = f"Make {settings.DATA_DIR} the property of the account that runs the site: chmod 700."
    return [Warning("Other accounts can reach DATA_DIR.", hint=hint, id="interviewsite.W001")]


@register(Tags.security, deploy=True)
def proxies_are_counted(**_kwargs: Any) -> list[CheckMessage]:
    if not settings.HTTPS or settings.TRUSTED_PROXIES > 0:
        return []
    problem = "HTTPS is on and TRUSTED_PROXIES is 0."
    hint = (
        "Where a proxy stands before the site, set TRUSTED_PROXIES to how many there are: "
        "else all people count as one address, the proxy's, and share its limits. Where TLS "
        "ends here there is nothing to do."
    )
    return [Info(problem, hint=hint, id="interviewsite.I001")]
