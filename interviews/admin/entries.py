from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.contrib.filters.admin import ChoicesDropdownFilter, RelatedDropdownFilter
from unfold.decorators import display

from interviews.admin.base import PartOfSession, session_link
from interviews.admin.querysets import containing
from interviews.models import TranscriptEntry
from plans.admin.base import moment


@admin.register(TranscriptEntry)
class EntryAdmin(PartOfSession):
    list_display = ["words", "role", "kind", "question", "bot", "when"]
    list_display_links = None
    list_filter = [
        ("session__bot", RelatedDropdownFilter),
        ("role", ChoicesDropdownFilter),
        ("kind", ChoicesDropdownFilter),
    ]
    search_fields = ["text"]
    search_help_text = "Searches what was said"
    ordering = ["-id"]
    how_to_begin = "What is said in interviews can be searched here."

    def get_queryset(self, request: HttpRequest) -> QuerySet[TranscriptEntry]:
        entries: QuerySet[TranscriptEntry] = super().get_queryset(request)
        return entries.select_related("session__bot", "turn").defer(
            "session__state", "session__params", "turn__readings", "turn__decision"
        )

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[TranscriptEntry], search_term: str
    ) -> tuple[QuerySet[TranscriptEntry], bool]:
        words = search_term.strip()
        return queryset.filter(containing("text", words)) if words else queryset, False

    @display(description="Said", ordering="text")
    def words(self, entry: TranscriptEntry) -> str:
        text = entry.text if len(entry.text) <= 160 else entry.text[:159].rstrip() + "…"
        return session_link(entry.session, text or "(skipped)", f"#e{entry.position}")

    @display(description="At", ordering="at")
    def when(self, entry: TranscriptEntry) -> str:
        return moment(entry.at)

    @display(description="Bot", empty_value="deleted")
    def bot(self, entry: TranscriptEntry) -> str | None:
        return str(entry.session.bot) if entry.session.bot else None
