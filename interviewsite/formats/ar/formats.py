"""Arabic: the day before the month, its own comma, and hours of one clock of 24."""

DATE_FORMAT = "j F Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j F Y، H:i"
