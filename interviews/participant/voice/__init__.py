"""Dictation: speech from a page becomes text in its text box. Sound is never stored or logged.

`options` says what a bot's pages offer, `consumers` has the websocket that receives sound,
`dictation` passes it to a `Transcriber` and returns the text, `providers` chooses who transcribes.
"""
