"""How much of a document is read at most."""

MEGABYTE = 1024 * 1024

BYTES = 20 * MEGABYTE
"""Of the file as it comes."""

EXPANDED = 64 * MEGABYTE
"""Of all that a ZIP container says it holds, and of all that is unpacked from it."""

MEMBERS = 2_000
PAGES = 500
CELLS = 100_000
SPAN = 5_000_000
"""Cells with the empty ones before and between them."""

PARAGRAPHS = 20_000
"""And rows of tables."""

CHARACTERS = 2_000_000
PARTS = 3_000
PART_CHARACTERS = 8_000
"""A longer part is cut into several of the same place."""

NAME_CHARACTERS = 120

SECONDS = 30
CPU_SECONDS = 20
MEMORY = 1024 * MEGABYTE
OUTPUT = 32 * MEGABYTE
