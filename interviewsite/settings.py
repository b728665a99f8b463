"""All settings, from the environment or a `.env` file next to manage.py.

Without any the site runs on one machine by itself: SQLite, the in-memory channel layer, background
work in the same process, the offline interviewer.
"""

import base64
import hashlib
import os
import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from csp.constants import NONE, SELF
from kombu.entity import Queue

from interviewsite.operations import logs
from interviewsite.processes.environment import env, make_private, usable
from interviewsite.theme.unfold import UNFOLD as UNFOLD

BASE_DIR = Path(__file__).resolve().parent.parent
VERSION: str = tomllib.loads((BASE_DIR / "pyproject.toml").read_text())["project"]["version"]

# -- files
DATA_DIR = Path(env.str("DATA_DIR", BASE_DIR / "var")).resolve()
STATIC_ROOT = DATA_DIR / "static"
with usable(DATA_DIR):
    make_private(DATA_DIR)
    STATIC_ROOT.mkdir(exist_ok=True)

# -- security
INSECURE_KEY = "django-insecure-only-for-debugging"  # refused by a check outside debug


def keys() -> tuple[str, list[str]]:
    """Return the secret key and the keys for confidential answers.

    They are the environment's, else those made by `make run`. A key derived from the secret key
    comes last, so that there is always one, and answers stay readable when a key is set later.
    """
    files = {name: DATA_DIR / name for name in ("secret_key", "data_key")}
    with usable(DATA_DIR):
        made = {name: file.read_text().strip() for name, file in files.items() if file.exists()}
    secret_key = env.str("SECRET_KEY", "") or made.get("secret_key") or INSECURE_KEY
    configured = env.list("DATA_KEYS", default=[]) or [made.get("data_key", "")]
    data_keys = [key for key in configured if key]
    if secret_key != INSECURE_KEY:
        derived = hashlib.sha256(b"confidential answers:" + secret_key.encode()).digest()
        data_keys.append(base64.urlsafe_b64encode(derived).decode())
    return secret_key, data_keys


SECRET_KEY, DATA_KEYS = keys()
DEBUG = env.bool("DEBUG", False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
HTTPS = env.bool("HTTPS", False)  # the site is reached by https (TLS ends here or at a proxy)
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]  # monitors ask each process
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
# Both bind hosts that this site may know nothing of, and can't be taken back for a long time.
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS and env.bool("HSTS_SUBDOMAINS", False)
SECURE_HSTS_PRELOAD = HTTPS and env.bool("HSTS_PRELOAD", False)
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]  # which ask for both
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
COOKIE_PREFIX = "__Host-" if HTTPS else ""  # browsers then take them from this very host only
SESSION_COOKIE_NAME = f"{COOKIE_PREFIX}sessionid"
CSRF_COOKIE_NAME = f"{COOKIE_PREFIX}csrftoken"
STAFF_IDLE_HOURS = env.float("STAFF_IDLE_HOURS", 10.0)
SESSION_COOKIE_AGE = int(STAFF_IDLE_HOURS * 3600)  # from the last activity, see IdleMiddleware
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# Under "no-referrer" browsers send `Origin: null` with a form, which Django refuses. Pages of an
# interview set it all the same; templates/base.html overrides it for their forms.
SECURE_REFERRER_POLICY = "same-origin"
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5_000  # a backlog of 200 questions is one form

PAGES_POLICY = {
    "default-src": [NONE],
    "script-src": [SELF],
    "style-src": [SELF],
    "img-src": [SELF, "data:"],
    "font-src": [SELF],
    "connect-src": [SELF],
    "manifest-src": [SELF],
    "form-action": [SELF],
    "frame-ancestors": [NONE],
    "base-uri": [NONE],
}
CONTENT_SECURITY_POLICY = {"DIRECTIVES": PAGES_POLICY}
# The admin's theme uses Alpine, which evaluates attributes, and styles in attributes.
ADMIN_CONTENT_SECURITY_POLICY = PAGES_POLICY | {
    "script-src": [SELF, "'unsafe-eval'"],
    "style-src": [SELF, "'unsafe-inline'"],
    "font-src": [SELF, "data:"],
    "frame-src": [SELF],
    "frame-ancestors": [SELF],
}

# -- apps
INSTALLED_APPS = [
    "unfold",
    "unfold.contrib.filters",
    "unfold.contrib.forms",
    "unfold.contrib.simple_history",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.forms",
    "channels",
    "csp",
    "django_htmx",
    "simple_history",
    "ninja",
    "llm",
    "plans",
    "interviews",
    "reflections",
    "interviewsite",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "interviewsite.http.in_loop.StaticFiles",
    "interviewsite.http.compression.CompressedPages",
    "interviewsite.http.middleware.JsonErrorMiddleware",
    "interviewsite.http.middleware.DatabaseAwayMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "interviewsite.http.health.HostMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "interviewsite.http.middleware.SecurityHeadersMiddleware",
    "interviewsite.http.middleware.IdleMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "interviewsite.http.rate_limits.RateLimitMiddleware",
    "simple_history.middleware.HistoryRequestMiddleware",
]
ROOT_URLCONF = "interviewsite.urls"
ASGI_APPLICATION = "interviewsite.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "interviewsite.theme.identity.identity",
            ]
        },
    }
]
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"  # templates/unfold has a widget
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
PASSWORD_RULES = ("UserAttributeSimilarity", "MinimumLength", "CommonPassword")
AUTHENTICATION_BACKENDS = ["plans.bots.teams.TeamBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}Validator"} for name in PASSWORD_RULES
]

# -- database: SQLite by default, PostgreSQL by DATABASE_URL
SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA secure_delete=ON;",
}
DATABASES_KNOWN = ("sqlite", "postgres", "postgresql", "psql", "pgsql")
POSTGRESQL_OPTIONS = {
    "connect_timeout": 5,
    "pool": {"min_size": 1, "max_size": env.int("DB_POOL", 12), "timeout": 10},
}


def _database() -> dict[str, Any]:
    file = DATA_DIR / "interviewsite.sqlite3"
    url = env.str("DATABASE_URL", f"sqlite:///{file}")
    scheme = url.partition(":")[0]
    if scheme not in DATABASES_KNOWN:
        advice = "Use postgres://user:password@host:5432/name, or remove it to use SQLite."
        env.refuse("DATABASE_URL", f"begins with {scheme!r}, which isn't supported", advice)
    config = env.database("DATABASE_URL", url)
    sqlite = config["ENGINE"] == "django.db.backends.sqlite3"
    if config["NAME"] == str(file):
        with usable(DATA_DIR):
            file.touch(mode=0o600)  # SQLite gives its journal the same rights
    config["OPTIONS"] = SQLITE_OPTIONS if sqlite else config.get("OPTIONS", {}) | POSTGRESQL_OPTIONS
    config["CONN_MAX_AGE"] = 0
    if not sqlite:
        config["ENGINE"] = "interviewsite.postgresql"
        config["DISABLE_SERVER_SIDE_CURSORS"] = False
    else:  # a file, which the threads of a test share like those of the site
        config["TEST"] = {"NAME": str(DATA_DIR / f"test-{os.getpid()}.sqlite3")}
    return config


DATABASES = {"default": _database()}

# -- channel layer and background work: in this process by default, Redis by REDIS_URL
REDIS_URL = env.str("REDIS_URL", "")
WEB_PROCESSES = env.int("WEB_CONCURRENCY", 1)
CHANNEL_LAYERS: dict[str, dict[str, object]] = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [REDIS_URL], "prefix": env.str("REDIS_PREFIX", "interviewsite")},
    }
    if REDIS_URL
    else {"BACKEND": "channels.layers.InMemoryChannelLayer"}
}
CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}
    if REDIS_URL
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
}
CACHES["default"]["KEY_PREFIX"] = env.str("REDIS_PREFIX", "interviewsite")
CELERY_BROKER_URL = REDIS_URL or "memory://"
CELERY_BROKER_TRANSPORT = "interviewsite.processes.broker:Transport" if REDIS_URL else "memory"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_TIME_LIMIT = 900
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 1800,  # longer than the time limit, or a task would run twice at once
    "global_keyprefix": env.str("REDIS_PREFIX", "interviewsite") + ":",
    "socket_timeout": 5,
    "socket_connect_timeout": 5,
}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_PUBLISH_RETRY = False  # the sweep enqueues what could not be enqueued
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# A worker takes from each queue in turn, so that the sweep, which expires, never waits behind jobs
# that ask models for minutes, nor an interview's products behind calibrations.
CELERY_TASK_DEFAULT_QUEUE = "celery"
CELERY_TASK_ROUTES = {
    "interviews.tasks.send_alert": {"queue": "alerts"},
    "interviews.tasks.send_letter": {"queue": "letters"},
    "interviews.tasks.deliver_webhook": {"queue": "webhooks"},
    "interviews.tasks.make_export": {"queue": "exports"},
    "interviews.tasks.vacuum_deleted": {"queue": "exports"},
    "plans.tasks.*": {"queue": "preparations"},
    "reflections.tasks.suggest_codes": {"queue": "preparations"},
    "reflections.tasks.suggest_themes": {"queue": "preparations"},
    "reflections.tasks.write_report": {"queue": "preparations"},
    "reflections.tasks.make_reflection": {"queue": "products"},
    "reflections.tasks.make_calibration": {"queue": "calibrations"},
    "reflections.tasks.simulate_interview": {"queue": "calibrations"},
}
OWN_QUEUES = dict.fromkeys(route["queue"] for route in CELERY_TASK_ROUTES.values())
CELERY_TASK_QUEUES = [
    Queue(name, routing_key=name)  # type: ignore[no-untyped-call]
    for name in (CELERY_TASK_DEFAULT_QUEUE, *OWN_QUEUES)
]
SWEEP_EVERY = env.float("SWEEP_EVERY", 15.0)  # seconds
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"  # stores no times: the clock may be set back
CELERY_BEAT_SCHEDULE = {
    "sweep": {
        "task": "interviewsite.sweep",
        "schedule": SWEEP_EVERY,
        "options": {"expires": SWEEP_EVERY},
    }
}

# -- the interview
INTERVIEW_ENDED = "reflections.jobs.interview_ended"  # called in the transaction that ends one
# multiplies every time limit of a model call and of a turn, for a slow model of one's own
LLM_PATIENCE = env.float("LLM_PATIENCE", 1.0)
# seconds to a reply, with or without a model
TURN_DEADLINE = env.float("TURN_DEADLINE", 20.0) * LLM_PATIENCE
TURN_LEASE = env.float("TURN_LEASE", 10.0)  # seconds a turn belongs to the process that runs it
MAX_ANSWER = 16_000  # characters

# -- dictation
DICTATION_PROVIDER = env.str("DICTATION_PROVIDER", "")  # the browser's; deepgram, local, off
DICTATION_MODEL = env.str("DICTATION_MODEL", "")  # the provider's; a name or folder for "local"
DICTATION_SERVICE = env.str("DICTATION_SERVICE", "")  # who gets the sound, as participants are told
DICTATION_MINUTES = env.int("DICTATION_MINUTES", 120)  # of one interview, by the site's provider
DEEPGRAM_API_KEY = env.str("DEEPGRAM_API_KEY", "")
DEEPGRAM_URL = env.str("DEEPGRAM_URL", "wss://api.deepgram.com")
PERMISSIONS_POLICY = "microphone=(self), camera=(), geolocation=()"

# -- e-mail: none is sent without EMAIL_URL
EMAIL_URL = env.str("EMAIL_URL", "")
WEBHOOKS_PRIVATE = env.bool("WEBHOOKS_PRIVATE", False)  # also to private networks, without TLS
SITE_URL = env.str("SITE_URL", "").rstrip("/")  # for links in letters, which have no request
_MAIL = env.mail_server("EMAIL_URL", EMAIL_URL)
EMAIL_BACKEND = _MAIL["EMAIL_BACKEND"]
EMAIL_FILE_PATH = _MAIL["EMAIL_FILE_PATH"] or None
EMAIL_HOST = _MAIL["EMAIL_HOST"] or "localhost"
EMAIL_PORT = _MAIL["EMAIL_PORT"]
EMAIL_HOST_USER = _MAIL["EMAIL_HOST_USER"] or ""
EMAIL_HOST_PASSWORD = _MAIL["EMAIL_HOST_PASSWORD"] or ""
EMAIL_USE_TLS = _MAIL.get("EMAIL_USE_TLS", False)
EMAIL_USE_SSL = _MAIL.get("EMAIL_USE_SSL", False)
EMAIL_TIMEOUT = env.float("EMAIL_TIMEOUT", 30.0)  # seconds
DEFAULT_FROM_EMAIL = env.str(
    "DEFAULT_FROM_EMAIL",
    EMAIL_HOST_USER
    if "@" in EMAIL_HOST_USER
    else f"interviews@{urlsplit(SITE_URL).hostname or 'localhost'}",
)

# -- rate limits: windows as "30/minute; 600/hour", empty for none. Two hundred people behind one
# address may all start within an hour, three times each.
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", 0)  # each adds a name to X-Forwarded-For
LIMIT_ANSWERS = env.str("LIMIT_ANSWERS", "30/minute; 600/hour")  # of one interview
LIMIT_STARTS = env.str("LIMIT_STARTS", "600/hour")  # from one address
LIMIT_LINK_STARTS = env.str("LIMIT_LINK_STARTS", "")  # of one bot, as "2000/day"
LIMIT_POSTS = env.str("LIMIT_POSTS", "3000/minute")  # from one address: anything sent
LIMIT_WRONG_KEYS = env.str("LIMIT_WRONG_KEYS", "300/hour")  # from one address
LIMIT_SOCKETS = env.str("LIMIT_SOCKETS", "3000/minute")  # from one address: opened
LIMIT_LOGINS = env.str("LIMIT_LOGINS", "20/10 minutes")  # from one address: wrong passwords
# of one account, from anywhere; a browser known to the account counts by itself
LIMIT_PASSWORDS = env.str("LIMIT_PASSWORDS", "5/minute; 10/10 minutes; 20/hour")
LIMIT_EXPORTS = env.str("LIMIT_EXPORTS", "120/minute")  # by one export token
SOCKETS_PER_ADDRESS = env.int("SOCKETS_PER_ADDRESS", 1_000)  # open at once, in each process
SOCKETS_PER_SESSION = env.int("SOCKETS_PER_SESSION", 20)
SESSION_TURNS = env.int("SESSION_TURNS", 1_500)  # then an interview continues without a model

# -- models
LLM_DAILY_BUDGET = env.str("LLM_DAILY_BUDGET", "")  # of the whole site, in the prices' currency
LLM_PROVIDER = env.str("LLM_PROVIDER", "")
LLM_CONCURRENCY = env.int("LLM_CONCURRENCY", 64)  # concurrent requests per provider
# seconds by which the event loop may be late; then new interviews are asked to wait
MOST_LATE = env.float("MOST_LATE", 1.0)
LLM_MAIN_FALLBACK = env.str("LLM_MAIN_FALLBACK", "")  # "provider:model", asked when the first fails
LLM_FAST_FALLBACK = env.str("LLM_FAST_FALLBACK", "")
LLM_ATTEMPTS = env.int("LLM_ATTEMPTS", 3)  # per model, if the provider fails
LLM_BACKOFF = env.float("LLM_BACKOFF", 0.5)  # seconds, doubled with every failure
LLM_FIRST_TOKEN_TIMEOUT = env.float("LLM_FIRST_TOKEN_TIMEOUT", 10.0) * LLM_PATIENCE  # seconds
# seconds of silence in mid-reply
LLM_IDLE_TIMEOUT = env.float("LLM_IDLE_TIMEOUT", 8.0) * LLM_PATIENCE
LLM_BREAKER_FAILURES = env.int("LLM_BREAKER_FAILURES", 5)  # in a row until the provider rests
LLM_BREAKER_REST = env.float("LLM_BREAKER_REST", 30.0)  # seconds
REFLECTION_CHARACTERS = env.int("REFLECTION_CHARACTERS", 240_000)  # of an interview, in one call
ANTHROPIC_API_KEY = env.str("ANTHROPIC_API_KEY", "")
ANTHROPIC_BASE_URL = env.str("ANTHROPIC_BASE_URL", "")
ANTHROPIC_CHAT_MODEL = env.str("ANTHROPIC_CHAT_MODEL", "claude-sonnet-5-5")
ANTHROPIC_FAST_MODEL = env.str("ANTHROPIC_FAST_MODEL", "claude-haiku-5-5")
OPENAI_API_KEY = env.str("OPENAI_API_KEY", "")
OPENAI_BASE_URL = env.str("OPENAI_BASE_URL", "")
OPENAI_CHAT_MODEL = env.str("OPENAI_CHAT_MODEL", "gpt-6.1-terra")
OPENAI_FAST_MODEL = env.str("OPENAI_FAST_MODEL", "gpt-6-luna")
TOGETHER_API_KEY = env.str("TOGETHER_API_KEY", OPENAI_API_KEY)
TOGETHER_BASE_URL = env.str("TOGETHER_BASE_URL", "https://api.together.xyz/v1")
TOGETHER_CHAT_MODEL = env.str("TOGETHER_CHAT_MODEL", "meta-llama/Llama-3.3-70B-Instruct-Turbo")
TOGETHER_FAST_MODEL = env.str("TOGETHER_FAST_MODEL", "meta-llama/Meta-Llama-3.1-8B-Instruct-Turbo")
DB_THREADS = env.int("DB_THREADS", 8)  # for the database work of turns

# -- people
LOGIN_URL = "admin:login"
LOGIN_REDIRECT_URL = "admin:index"
MFA = env.str("MFA", "")  # "required": the admin opens only with a second factor
OIDC_ISSUER = env.str("OIDC_ISSUER", "").rstrip("/")  # single sign-on by OpenID Connect
OIDC_CLIENT_ID = env.str("OIDC_CLIENT_ID", "")
OIDC_CLIENT_SECRET = env.str("OIDC_CLIENT_SECRET", "")
OIDC_NAME = env.str("OIDC_NAME", "single sign-on")  # as the button says it
OIDC_ROLES = env.str("OIDC_ROLES", "")  # "value of the claim=group of the admin; …"
OIDC_ROLES_CLAIM = env.str("OIDC_ROLES_CLAIM", "groups")
PASSWORD_LOGIN = env.bool("PASSWORD_LOGIN", True)
if MFA or OIDC_ISSUER or not PASSWORD_LOGIN:
    from interviewsite.sign_in import configuration

    configuration.install(globals())
ADMIN_PASSWORD = env.str("ADMIN_PASSWORD", "")
PSEUDONYM_KEY = env.str("PSEUDONYM_KEY", "")  # of exports; SECRET_KEY where it is not set
LANGUAGE_CODE = "en"
LANGUAGES = [
    ("en", "English"),
    ("it", "Italiano"),
    ("ru", "Русский"),
    ("es", "Español"),
    ("de", "Deutsch"),
    ("fr", "Français"),
    ("ar", "العربية"),
]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["interviewsite.formats"]
TIME_ZONE = "UTC"

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "interviewsite.http.compression.HashedStaticFiles"},
}
WHITENOISE_USE_FINDERS = not any(STATIC_ROOT.iterdir())  # before `collectstatic` has run

# -- watching
LOGGING = logs.config(
    env.one_of("LOG_FORMAT", "plain", list(logs.FORMATS)),
    env.one_of("LOG_LEVEL", "WARNING", logs.LEVELS),
)
METRICS_TOKEN = env.str("METRICS_TOKEN", "")  # opens /metrics; without one there is no such page
SENTRY_DSN = env.str("SENTRY_DSN", "")
if SENTRY_DSN:
    try:
        logs.report_errors(SENTRY_DSN, VERSION)
    except ValueError:
        env.refuse("SENTRY_DSN", "is no address of Sentry", "Copy it from the project there.")
