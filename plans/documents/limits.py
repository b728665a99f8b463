MEGABYTE = 1024 * 1024

BYTES = 20 * MEGABYTE  # of the file
EXPANDED = 64 * MEGABYTE  # of all that a ZIP container says it holds, and that is unpacked
MEMBERS = 2_000
PAGES = 500
CELLS = 100_000
SPAN = 5_000_000  # cells, with the empty ones before and between them
PARAGRAPHS = 20_000  # and rows of tables
CHARACTERS = 2_000_000
PARTS = 3_000
PART_CHARACTERS = 8_000  # longer parts are cut
NAME_CHARACTERS = 120
SECONDS = 30
CPU_SECONDS = 20
MEMORY = 1024 * MEGABYTE
OUTPUT = 32 * MEGABYTE
