"""What can go wrong, written as `kind[:argument][@Schema]`.

Before the reply
    status:503            that HTTP status, with an error body (any status)
    rate_limit:2          429; retry-after in seconds, or `date:2` for an HTTP date, or nothing
    overloaded            529
    spend_limit           a 429 that says that a spend limit was reached
    credit                a 400 that says that there is no credit left
    no_schema             a 400 for structured output
    close                 the connection closed before any header
In mid-stream
    silent                headers, then nothing
    stall:4               nothing any more after so many events
    error_event:4         an error event after so many events, status 200
    cut:4                 the connection closed after so many events
    cut_bytes:200         … after so many bytes of the body
    garbage:4             after so many events, one that is not JSON
    drip:0.5              so many seconds between tokens
In the reply itself
    broken                JSON that is none
    wrong                 JSON of another form
    fenced                JSON in fences, with prose around it
    truncate:40           cut off after so many characters, with the stop reason for length
    refusal · empty
    leak                  the reply gives its instructions away and obeys the participant
    html                  markup and hx- attributes in every text
    nul                   NUL characters in every text
"""

from dataclasses import dataclass

OK = "ok"
HTTP = {"status", "rate_limit", "overloaded", "spend_limit", "credit", "no_schema"}
STREAM = {"silent", "stall", "error_event", "cut", "cut_bytes", "garbage", "drip"}
REPLY = {"broken", "wrong", "fenced", "truncate", "refusal", "empty", "leak", "html", "nul"}
KINDS = {OK, "close", *HTTP, *STREAM, *REPLY}


@dataclass(frozen=True)
class Fault:
    """One thing that goes wrong; `schema` limits it to requests for that result."""

    kind: str = OK
    argument: str = ""
    schema: str = ""

    @property
    def number(self) -> float:
        """The argument as a number, 0 if there is none."""
        return float(self.argument or 0)

    def fits(self, schema: str) -> bool:
        """Whether it is meant for a request of that schema."""
        return self.schema in ("", schema)


NONE = Fault()


def fault(written: str) -> Fault:
    """Read one; ValueError for an unknown kind."""
    what, _, schema = written.strip().partition("@")
    kind, _, argument = what.partition(":")
    if kind not in KINDS:
        raise ValueError(f"There is no fault {kind!r}; known are {', '.join(sorted(KINDS))}")
    return Fault(kind, argument, schema)


def rates(written: str) -> list[tuple[Fault, float]]:
    """Read `overloaded=0.05,cut:3@LifeStoryLed=0.02`."""
    pairs = [part.rpartition("=") for part in written.split(",") if part.strip()]
    return [(fault(name), float(rate)) for name, _, rate in pairs]
