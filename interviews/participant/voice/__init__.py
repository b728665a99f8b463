"""Dictation: speech from a page becomes text in its text box. Sound is never stored or logged.

`providers` says what pages offer and who transcribes, `consumers` has the websocket for sound,
`dictation` passes it to a `Transcriber` and returns the text.
"""
