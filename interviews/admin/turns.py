from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.contrib.filters.admin import ChoicesDropdownFilter
from unfold.decorators import display

from interviews.admin.access_log import WORDS_SEEN
from interviews.admin.base import PartOfSession, RecordedAdmin, session_link
from interviews.exports.reasons import reason_text
from interviews.models import TranscriptEntry, Turn
from interviews.search.queries import saying, snippets
from plans.admin.base import TeamDropdownFilter, time_column
from plans.text import shorten

HELP = 'Finds words as they begin, "exact words", one or another, and -not these'


@admin.register(Turn)
class TurnAdmin(PartOfSession):
    list_display = [
        "place",
        "bot",
        "trigger",
        "status",
        "why",
        "source",
        "first_word_ms",
        "total_ms",
        "attempts",
        "received",
    ]
    list_display_links = None
    exclude = ["readings", "decision"]  # shown on the interview's page, with permissions
    list_filter = [
        ("session__bot", TeamDropdownFilter),
        ("status", ChoicesDropdownFilter),
        ("trigger", ChoicesDropdownFilter),
        "source",
    ]
    ordering = ["-id"]
    how_to_begin = "An answer and the reply to it make a turn."

    def get_queryset(self, request: HttpRequest) -> QuerySet[Turn]:
        turns: QuerySet[Turn] = super().get_queryset(request)
        return turns.select_related("session__bot").defer(
            "session__state", "session__params", "readings"
        )

    @display(description="Turn", ordering="number")
    def place(self, turn: Turn) -> str:
        name = f"{str(turn.session_id)[:8]}, {turn.number}"
        return session_link(turn.session, name, f"#t{turn.number}")

    received = time_column("Received", "received_at")

    @display(description="Reason")
    def why(self, turn: Turn) -> str:
        return reason_text(turn.decision.get("reason", ""))


@admin.register(TranscriptEntry)
class EntryAdmin(RecordedAdmin, PartOfSession):
    list_display = ["words", "role", "kind", "question", "bot", "when"]
    list_display_links = None
    list_filter = [
        ("session__bot", TeamDropdownFilter),
        ("role", ChoicesDropdownFilter),
        ("kind", ChoicesDropdownFilter),
    ]
    search_fields = ["text"]
    search_help_text = HELP
    ordering = ["-id"]
    how_to_begin = "Search what is said in interviews here."

    def get_queryset(self, request: HttpRequest) -> QuerySet[TranscriptEntry]:
        entries: QuerySet[TranscriptEntry] = super().get_queryset(request)
        return entries.select_related("session__bot", "turn").defer(
            "session__state", "session__params", "turn__readings", "turn__decision"
        )

    def seen(self, request: HttpRequest) -> str:
        return WORDS_SEEN

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[TranscriptEntry], search_term: str
    ) -> tuple[QuerySet[TranscriptEntry], bool]:
        return saying(queryset, search_term) if search_term.strip() else queryset, False

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        """Add to what was found the words around it, in one query for the page."""
        found: ChangeList = super().get_changelist_instance(request)
        around = snippets(found.result_list)
        for entry in found.result_list:
            entry.snippet = around.get(entry.pk, "")
        return found

    @display(description="Said", ordering="text")
    def words(self, entry: TranscriptEntry) -> str:
        text = getattr(entry, "snippet", "") or shorten(entry.text, 160) or "(skipped)"
        return session_link(entry.session, text, f"#e{entry.position}")

    when = time_column("At", "at")
