"""Dictation: speech from a page becomes text in its text box. No sound is kept, here or in a log.

`offering` says what a bot's pages offer, `consumers` has the websocket that takes sound,
`listening` carries it to a `Transcriber` and brings back what was heard, `providers` knows who
transcribes.
"""
