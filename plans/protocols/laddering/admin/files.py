from plans.admin.imports import ImportKind
from plans.forms.imports import ImportForm
from plans.models.ladder import LadderFile
from plans.protocols.laddering.files import (
    KINDS,
    LadderDocument,
    LadderKind,
    apply_file,
    file_changes,
    read_file,
    stored_file,
)
from plans.protocols.laddering.forms import LadderImportForm


def _import_kind(kind: LadderKind) -> ImportKind:
    def read(form: ImportForm, row: LadderFile | None) -> LadderDocument:
        return read_file(kind, form.content(), form.cleaned_data["filename"], row)

    return ImportKind(kind.name, LadderImportForm, read, stored_file, file_changes, apply_file)


IMPORT_KINDS = {name: _import_kind(kind) for name, kind in KINDS.items()}
