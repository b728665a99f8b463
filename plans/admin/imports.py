"""Imports: choose a file, see what it would change, apply it."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from pydantic import BaseModel

from plans.admin.base import StudyAdmin
from plans.forms.imports import ImportForm, NewScriptImportForm, RowsImportForm, TopicsImportForm
from plans.models import Bot, Script
from plans.portability.bots import apply_bot, bot_changes, used_rows
from plans.portability.differences import Difference
from plans.portability.problems import BrokenDocument, Problem
from plans.portability.reader import read_bot, read_script, read_topics
from plans.portability.scripts import (
    HEAD,
    add_missing_parts,
    apply_script,
    known_keys,
    known_script,
    script_changes,
    taken_keys,
)
from plans.portability.topics import add_missing_topics, apply_topics, topics_changes


@dataclass(frozen=True)
class ImportKind:
    name: str
    form: type[ImportForm]
    read: Callable[[ImportForm, Any], Any]  # the form, and the row it is for
    known: Callable[[Any], Model | None]  # the stored row that a document describes
    changes: Callable[[Any, Any], list[Difference]]
    apply: Callable[[Any, Any], Model]
    page: str = "change"  # the admin page shown after the import
    add_missing: Callable[[Any, Any], Any] = lambda row, document: document  # what stays
    taken: str = ""  # what is wrong with a file that describes another row than it is for
    # other rows that a document names, and whether it changes them
    used: Callable[[Any], Iterable[tuple[Model, bool]]] = lambda document: ()


def _read_script(form: ImportForm, script: Script | None) -> BaseModel:
    """Read a script; a CSV file takes its head from the stored script or the form."""
    data = form.cleaned_data
    head = {name: getattr(script, name) if script else data.get(name, "") for name in HEAD}
    file = (form.content(), data["format"] or None, head, data["filename"])
    document = read_script(*file)
    stored = script or known_script(document)
    return read_script(*file, known_keys(stored), taken_keys(stored)) if stored else document


def _read_bot(form: ImportForm, bot: Bot | None) -> BaseModel:
    data = form.cleaned_data
    return read_bot(form.content(), data["format"] or None, data["filename"])


def _read_topics(form: ImportForm, bot: Bot) -> BaseModel:
    return read_topics(form.content(), dict(bot.topics.values_list("label", "key")))


NEW_SCRIPT = ImportKind(
    "script",
    NewScriptImportForm,
    _read_script,
    known_script,
    script_changes,
    apply_script,
    add_missing=add_missing_parts,
    taken="another script has this name and language",
)
SCRIPT = replace(NEW_SCRIPT, form=RowsImportForm)
BOT = ImportKind(
    "bot",
    ImportForm,
    _read_bot,
    lambda document: Bot.objects.filter(slug=document.slug).first(),
    bot_changes,
    apply_bot,
    taken="another bot has this address",
    used=used_rows,
)
TOPICS = ImportKind(
    "topics",
    TopicsImportForm,
    _read_topics,
    lambda document: None,
    topics_changes,
    apply_topics,
    add_missing=add_missing_topics,
)


def import_page(
    admin: StudyAdmin, request: HttpRequest, kind: ImportKind, row: Model | None = None
) -> HttpResponse:
    """Show the form, then the preview, then redirect to the imported row."""
    if request.method != "POST":
        return _form_page(admin, request, kind, row, kind.form())
    form = kind.form(request.POST, request.FILES)
    if not form.is_valid():
        return _form_page(admin, request, kind, row, form)
    try:
        document = kind.read(form, row)
        known = kind.known(document)
        if (stored := row or known) and not form.cleaned_data.get("replace"):
            document = kind.add_missing(stored, document)
        text = form.content()
    except BrokenDocument as error:
        return _form_page(admin, request, kind, row, form, error.problems)
    if encoding := form.assumed:
        messages.warning(request, f"The file was read as {encoding}. Check accented letters.")
    if row is not None and known is not None and known.pk != row.pk:
        return _form_page(admin, request, kind, row, form, [Problem(kind.taken)])
    used = [*kind.used(document), *([(known, True)] if known else ())]
    if problems := _refused_rows(admin, request, used):
        return _form_page(admin, request, kind, row, form, problems)
    return preview_page(admin, request, kind, stored, document, text)


def _refused_rows(
    admin: StudyAdmin, request: HttpRequest, rows: Iterable[tuple[Model, bool]]
) -> list[Problem]:
    """Return the problem of each row that the user may not see, or not change as the file does."""
    problems = []
    for row, changed in rows:
        page = admin.admin_site.get_model_admin(type(row))
        seen = page.get_queryset(request).filter(pk=row.pk).exists()
        if not seen or (changed and not page.has_change_permission(request, row)):
            name = f"another {row._meta.verbose_name} has this name or id"
            problems.append(Problem(f"{name}, and you may not change it"))
    return problems


def _check_permission(admin: StudyAdmin, request: HttpRequest, row: Model | None) -> None:
    allowed = admin.has_change_permission if row else admin.has_add_permission
    theirs = row is None or admin.get_queryset(request).filter(pk=row.pk).exists()
    if not (allowed(request, row) and theirs):
        raise PermissionDenied


def _form_page(
    admin: StudyAdmin,
    request: HttpRequest,
    kind: ImportKind,
    row: Model | None,
    form: ImportForm,
    problems: Sequence[Problem] = (),
) -> HttpResponse:
    _check_permission(admin, request, row)
    title = f"Update “{row}” from a file" if row else f"Import a {kind.name}"
    context = {"title": title, "form": form, "problems": problems, "kind": kind}
    return admin.page(request, "admin/plans/import.html", row, **context)


def preview_page(
    admin: StudyAdmin, request: HttpRequest, kind: ImportKind, row: Any, document: Any, text: str
) -> HttpResponse:
    """Show what the document would change, or apply it once that was seen."""
    _check_permission(admin, request, row)
    changes = kind.changes(row, document)
    # What is shown, so that nothing else is applied.
    seen = hashlib.sha256(repr(changes).encode()).hexdigest()[:32]
    if request.POST.get("seen") == seen:
        return _apply(admin, request, kind, row, document)
    if "seen" in request.POST:
        messages.warning(request, "Somebody else has changed it. Check the changes again.")
    kept = {name: getattr(document, name, "") for name in kind.form.head}
    sent = request.POST or {"replace": "on"}  # an earlier state comes by a link, and is whole
    kept |= {name: sent.get(name, "") for name in kind.form.carried}
    context = {
        "title": f"Changes to “{row}”" if row else f"A new {kind.name}",
        "kind": kind,
        "name": getattr(document, "title", "") or getattr(document, "name", ""),
        "document": document,
        "changes": changes,
        "text": text,
        "format": request.POST.get("format", ""),
        "kept": kept,
        "seen": seen,
    }
    return admin.page(request, "admin/plans/import_preview.html", row, **context)


def _apply(
    admin: StudyAdmin, request: HttpRequest, kind: ImportKind, row: Any, document: Any
) -> HttpResponse:
    stored = kind.apply(document, row)
    change = [{"changed": {"fields": ["import"]}}] if row else [{"added": {}}]
    (admin.log_change if row else admin.log_addition)(request, stored, change)
    messages.success(request, f"Imported “{stored}”.")
    return redirect(f"admin:plans_{stored._meta.model_name}_{kind.page}", stored.pk)
