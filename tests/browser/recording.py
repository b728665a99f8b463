"""A first interview as a moving picture for the README: from the home page to the transcript.

    python -m tests.browser.recording docs/images/first-interview.webp [FOLDER]

The site is a fresh one, as `make run` serves it. Each frame is a photograph of the page, also
stored in FOLDER as a PNG. Chromium makes WebP pictures of them, which are put one after another
into one file: https://developers.google.com/speed/webp/docs/riff_container
"""

import base64
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Locator, Page, sync_playwright

from tests.browser.conftest import CHROMIUM
from tests.browser.participant import Participant
from tests.services.processes import environment, python, run
from tests.services.sites import Site
from tests.services.worlds import ended

SIZE = {"width": 1200, "height": 750}
SCALE, QUALITY = 1.25, 0.72  # of the participant's page, whose window is smaller by it
PASSWORD = "of-the-recording"
ANSWERS = (
    "In Trieste, in the winter of 1962, in the flat above my grandparents' bakery.",
    "A harbour town full of sailors. Our kitchen was its warmest place: my grandmother let me "
    "knead the dough and told me where all the ships came from.",
)
ENCODE = """async ([picture, quality]) => {
    const image = await createImageBitmap(await (await fetch(picture)).blob());
    const canvas = Object.assign(document.createElement('canvas'), image);
    [canvas.width, canvas.height] = [image.width, image.height];
    canvas.getContext('2d', {alpha: false}).drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', quality);
}"""
POINT = """target => {
    const box = target.getBoundingClientRect(), dot = document.createElement('div');
    Object.assign(dot.style, {position: 'fixed', width: '26px', height: '26px', zIndex: 99,
        left: `${box.x + box.width * 0.9 - 13}px`, top: `${box.y + box.height / 2 - 13}px`,
        borderRadius: '50%', background: '#d9480f99', border: '2px solid #fff'});
    dot.id = 'pointer';
    document.body.append(dot);
}"""


@dataclass
class Film:
    page: Page
    frames: list[tuple[bytes, int]] = field(default_factory=list)  # PNG, milliseconds

    def show(self, seconds: float) -> None:
        self.frames.append((self.page.screenshot(), round(1000 * seconds)))

    def click(self, target: Locator) -> None:
        target.scroll_into_view_if_needed()
        target.evaluate(POINT)
        self.show(0.8)
        self.page.evaluate("document.getElementById('pointer').remove()")
        target.click()

    def write(self, target: Locator, text: str) -> None:
        """As people write, a few words at a time."""
        words = text.split()
        for end in range(3, len(words), 4):
            target.fill(" ".join(words[:end]))
            self.show(0.25)
        target.fill(text)
        self.show(1)


def play(film: Film, url: str) -> None:
    page = film.page
    person = Participant(page, url)
    page.goto(url)
    film.show(2)
    film.click(page.get_by_role("link", name="A short life story").first)
    page.locator("#name").fill("Anna")
    film.show(2)
    film.click(page.locator("form.begin button[value=agreed]"))
    person.yours()
    film.show(2.5)
    for answer in ANSWERS:
        film.write(person.box, answer)
        person.answer(answer)
        person.yours()
        film.show(3)


def read(film: Film, url: str) -> None:
    page = film.page
    page.goto(f"{url}/admin/")
    page.fill("[name=username]", "admin")
    page.fill("[name=password]", PASSWORD)
    page.press("[name=password]", "Enter")
    page.wait_for_url("**/admin/")
    page.goto(f"{url}/admin/interviews/session/")
    film.show(2)
    film.click(page.locator("#result_list tbody tr").get_by_role("link").first)
    transcript = page.get_by_role("list", name="Transcript")
    transcript.wait_for()
    transcript.evaluate("list => scrollTo(0, list.getBoundingClientRect().y + scrollY - 90)")
    film.show(4)


def animated(frames: list[tuple[bytes, int]], page: Page) -> bytes:
    """Put pictures one after another into one WebP file, which is shown again and again."""
    size = _24(SIZE["width"] - 1) + _24(SIZE["height"] - 1)
    body = _chunk(b"VP8X", b"\x02\0\0\0" + size) + _chunk(b"ANIM", b"\xff\xff\xff\xff\0\0")
    for png, milliseconds in frames:
        picture = "data:image/png;base64," + base64.b64encode(png).decode()
        encoded = page.evaluate(ENCODE, [picture, QUALITY])
        webp = base64.b64decode(encoded.partition(",")[2])
        drawn = b"".join(_chunk(*one) for one in _chunks(webp) if one[0] in (b"VP8 ", b"VP8L"))
        body += _chunk(b"ANMF", _24(0) * 2 + size + _24(milliseconds) + b"\x02" + drawn)
    return _chunk(b"RIFF", b"WEBP" + body)


def _chunks(webp: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 12
    while at < len(webp):
        length = int.from_bytes(webp[at + 4 : at + 8], "little")
        yield webp[at : at + 4], webp[at + 8 : at + 8 + length]
        at += 8 + length + length % 2


def _chunk(name: bytes, content: bytes) -> bytes:
    return name + len(content).to_bytes(4, "little") + content + b"\0" * (len(content) % 2)


def _24(number: int) -> bytes:
    return number.to_bytes(3, "little")


def main(to: Path, folder: Path | None) -> None:
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        env = environment(Path(data), ADMIN_PASSWORD=PASSWORD)
        done = run(python("manage.py", "setup", "--static"), env)
        assert done.returncode == 0, done.stderr
        site = Site(env)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        with ended(site):
            site.start()
            smaller = {side: round(length / SCALE) for side, length in SIZE.items()}
            film = Film(browser.new_page(viewport=smaller, device_scale_factor=SCALE))
            play(film, site.url)
            film.page = browser.new_page(viewport=SIZE)
            read(film, site.url)
        to.write_bytes(animated(film.frames, browser.new_page()))
        browser.close()
    for number, (png, _) in enumerate(film.frames if folder else ()):
        (folder / f"{number:02}.png").write_bytes(png)
    print(f"{to}: {len(film.frames)} frames, {to.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None)
