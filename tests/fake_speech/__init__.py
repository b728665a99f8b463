"""A fake of Deepgram's streaming recognition that speaks its wire format, with faults on demand.

    with FakeSpeech("By the river.", "In a small house.") as fake:
        settings.DEEPGRAM_URL = fake.url
        fake.fault = "cut"

It listens to nobody: a tenth of a second of sound is worth a word of what it was told to hear.
"""

from tests.fake_speech.server import KEY, MANY, FakeSpeech

__all__ = ["KEY", "MANY", "FakeSpeech"]
