"""Middleware in the event loop: what it keeps is kept, and what it serves is served."""

from threading import Thread, current_thread, main_thread
from uuid import uuid4

import pytest
from asgiref.sync import SyncToAsync
from asgiref.testing import ApplicationCommunicator
from django.contrib import admin, messages
from django.core.handlers import asgi
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, reset_queries
from django.http import HttpResponse
from django.test import AsyncClient
from django.urls import path
from django.utils.deprecation import MiddlewareMixin

from interviewsite.http import in_loop

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.urls(__name__)]


async def remember(request):
    await request.session.aset("seen", "a kettle")
    return HttpResponse()


async def tell(request):
    messages.info(request, "It was saved.")
    return HttpResponse()


async def recall(request):
    return HttpResponse(await request.session.aget("seen", "nothing"))


async def show(request):
    return HttpResponse(", ".join(map(str, messages.get_messages(request))))


counted: list[Thread] = []


def count(request):
    counted.append(current_thread())
    return HttpResponse()


urlpatterns = [
    path("admin/", admin.site.urls),
    *(path(f"{view.__name__}/", view) for view in (remember, tell, recall, show, count)),
]


@pytest.fixture(autouse=True)
def _in_loop(monkeypatch):
    monkeypatch.setattr(MiddlewareMixin, "__acall__", MiddlewareMixin.__acall__)
    monkeypatch.setattr(asgi, "sync_to_async", asgi.sync_to_async)
    monkeypatch.setattr(SyncToAsync, "thread_handler", SyncToAsync.thread_handler)
    in_loop.install()
    yield
    for receiver in (reset_queries, close_old_connections):
        request_started.connect(receiver)


async def test_a_session_is_kept(async_client: AsyncClient):
    assert (await async_client.get("/recall/")).content == b"nothing"
    await async_client.get("/remember/")
    assert (await async_client.get("/recall/")).content == b"a kettle"


async def test_a_message_is_shown_once(async_client: AsyncClient):
    await async_client.get("/tell/")
    assert (await async_client.get("/show/")).content == b"It was saved."
    assert (await async_client.get("/show/")).content == b""


async def test_files_are_served(async_client: AsyncClient):
    response = await async_client.get("/static/site/site.css")
    assert response.status_code == 200
    assert response.headers["Content-Type"].startswith("text/css")


@pytest.mark.urls("interviewsite.urls")
async def test_people_of_the_site_sign_in(async_client: AsyncClient, admin_user):
    entered = {"username": admin_user.username, "password": "password"}
    assert (await async_client.get("/admin/login/")).status_code == 200
    assert (await async_client.post("/admin/login/", entered)).status_code == 302
    assert (await async_client.get("/admin/")).status_code == 200


async def status(method: str, path: str, kind: str = "") -> int:
    headers = [(b"host", b"testserver"), (b"content-type", kind.encode())]
    scope = {"type": "http", "method": method, "path": path, "headers": headers}
    talk = ApplicationCommunicator(in_loop.Pages(), scope)
    await talk.send_input({"type": "http.request", "body": b""})
    found: int = (await talk.receive_output(10))["status"]
    while (await talk.receive_output(10)).get("more_body"):
        pass
    await talk.wait()
    return found


async def test_a_request_has_a_thread_only_if_its_view_needs_one(monkeypatch):
    started = []
    start = Thread.start
    monkeypatch.setattr(Thread, "start", lambda thread: started.append(thread) or start(thread))
    assert await status("GET", "/recall/") == 200
    assert started == []
    assert await status("GET", "/count/") == 200
    assert started


async def test_a_request_ends_where_its_view_ran_so_that_its_connections_are_closed():
    ended = []

    def note(**_):
        ended.append(current_thread())

    request_finished.connect(note)
    try:
        await status("GET", "/recall/")
        await status("GET", "/count/")
    finally:
        request_finished.disconnect(note)
    assert ended == [main_thread(), counted[-1]]


@pytest.mark.urls("interviewsite.urls")
@pytest.mark.parametrize(
    "kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
)
async def test_forms_without_a_token_are_refused(kind):
    assert await status("POST", f"/s/{uuid4()}/pause/", kind) == 403
    assert await status("POST", "/admin/login/", kind) == 403


@pytest.mark.urls("interviewsite.urls")
async def test_pages_that_check_forms_themselves_are_shown():
    assert await status("GET", "/admin/login/") == 200
    assert await status("GET", f"/api/sessions/{uuid4()}/reflections") == 404
