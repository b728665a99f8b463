"""What takes long to import or to load: the libraries, then the project itself.

Processes forked from here read the settings again (warm.py), so whatever a site creates from them
on first use, such as its Celery application or threads, must not exist yet.
"""

# ruff: noqa: F401

import gc
import sys
import threading

import aiohttp
import anthropic
import autobahn.websocket.protocol
import celery.apps.worker
import celery.bin.celery
import celery.concurrency.prefork
import cryptography.fernet
import cryptography.x509
import django
import django.contrib.staticfiles
import django.core.management
import django.db.backends.postgresql.base
import django.db.backends.sqlite3.base
import django.db.models
import django.forms
import django.test.client
import email_validator
import httpx
import limits
import markdown_it
import networkx
import openai
import OpenSSL
import prometheus_client
import psycopg_pool
import pydantic
import rapidfuzz.fuzz
import redis.asyncio
import regex
import rich.console
import rich.traceback
import ruamel.yaml
import service_identity
import twisted.internet.asyncioreactor
import twisted.web.http

import interviewsite
from interviews.engine.language import lists, writing_systems
from interviews.engine.reading import read_by_rules

# What a site loads in its first second, too.
lists.load()
writing_systems.load()
read_by_rules("-", "en", "")

django.setup()
assert not interviewsite.celery_app.configured
assert threading.active_count() == 1
assert "twisted.internet.reactor" not in sys.modules, "each process chooses its own"

gc.freeze()  # or each process would copy all of this when it looks for what may go
