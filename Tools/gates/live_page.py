"""Checks of the live page that are the same whether a server or the tab has its engine."""

import contextlib
import pathlib
from collections.abc import Callable

from browser import Browser, Firefox, Scripts


def check(condition: object, what: str) -> None:
    if not condition:
        raise SystemExit(f"FAIL: {what}")


class LivePage:
    """The page at an address; `pictures` is where its pictures go."""

    def __init__(self, address: str, pictures: pathlib.Path | None) -> None:
        self.address = address
        self.pictures = pictures

    @contextlib.contextmanager
    def open(self, camera: pathlib.Path | None, at: str | None = None):
        """The page with a camera that plays a clip or without any, and nothing said about errors in the end."""
        browser = Browser(camera)
        try:
            self.begin(browser, at)
            yield browser
            check(not browser.problems, f"the browser reports {browser.problems}")
        finally:
            browser.close()

    def begin(self, tab: Scripts, at: str | None = None) -> None:
        """Opens the page, or opens it anew."""
        tab.open(at or self.address)
        tab.until("hello", "the engine's first message")
        if tab.has_camera:
            tab.run("openCamera()")
            tab.until("stream && frameTimes.length", "the first answer to a picture")

    def picture(self, browser: Browser, name: str) -> None:
        """Pictures of the page on a desktop and on a phone held both ways, light and dark."""
        if not self.pictures:
            return
        self.pictures.mkdir(parents=True, exist_ok=True)
        for width, height in ((390, 844), (844, 390), (1400, 900)):
            for dark in (False, True):
                path = self.pictures / f"{name}-{width}x{height}{'-dark' if dark else ''}.png"
                browser.picture(path, dark=dark, width=width, height=height)

    def gestures(self, browser: Browser) -> None:
        """The demo is the camera: its gestures, what is shown of them, and the settings."""
        # The user sees a mirror: what the camera sees go left goes right.
        browser.until("events.filter((event) => event.event === 'begin').length >= 4", "four gestures", 20)
        self.picture(browser, "gestures")
        events = browser.value("events")
        begins = [event["label"] for event in events if event["event"] == "begin"][:4]
        # The fourth is near its threshold, so the pace of the camera decides it.
        check(begins[:3] == ["swipeDown", "swipeRight", "grab"], f"the demo's gestures are {begins}")
        latest = max(event["shownAfter"] for event in events)
        check(0 < latest < 300, f"an event is shown {latest:.0f} ms after its picture")
        shown = browser.value("[...document.querySelectorAll('#history strong')].map((name) => name.textContent)")
        check(shown[::-1][:3] == ["Swipe down", "Swipe right", "Grab"], f"the history shows {shown}")
        check(browser.value("[...document.querySelectorAll('#history li')].every((item) => item.dataset.label)"),
              "the history speaks of more than gestures")
        done = browser.value("[...document.querySelectorAll('#tiles [data-done=true]')].map((tile) => tile.dataset.label)")
        made = {event["label"] for event in browser.value("events") if event["event"] == "begin"}
        tiles = browser.value("document.querySelectorAll('#tiles li').length")
        check(tiles == 12 and set(begins) <= set(done) <= made, f"of {tiles} tiles {done} are done")
        check(0 < float(browser.value("byId('work').textContent")) < 100, "the engine's milliseconds are not shown")
        check(browser.value("document.querySelectorAll('#names li').length") == 13, "not every class has its scores")
        check(browser.value("skipped < 30 && latest.superseded < 30"), "the page leaves pictures out")
        print(f"gestures: {', '.join(begins)}; shown at most {latest:.0f} ms after their pictures")

        browser.run("const slider = byId('confidence'); slider.value = 0.91; slider.onchange();")
        browser.until("Math.abs(state.beginConfidence - 0.91) < 0.001", "the other confidence")
        browser.run("document.querySelector('#classes input').click()")
        browser.until("state.settings.deniedClasses.length === 1", "a class that is left out")
        self.begin(browser)
        browser.until("Math.abs(state?.beginConfidence - 0.91) < 0.001 && state.settings.deniedClasses.length === 1",
                      "the settings after a reload")
        browser.run("byId('reset').click()")
        browser.until("state.settings.deniedClasses.length === 0 && state.beginConfidence !== 0.91", "the model's settings")
        print("settings: confidence and classes changed while it ran, and survived a reload")

    def teaching(self, browser: Browser | Firefox, show: Callable[[], None] | None = None) -> None:
        """A hand that appears at 2.7 s of the clip that is shown and turns from 4.05 s on is taught, saved, forgotten and loaded.

        `show` shows the clip, if that is no camera. Browsers leave pictures of a video out on a busy machine, so it is tried three times.
        """
        for _ in range(3 if show else 1):
            if show:
                show()
            browser.run("byId('label').value = 'turn'")
            # When the clip has begun, the page cannot tell.
            browser.until("!latest.hands.length", "the clip's begin, without a hand")
            browser.until("latest.hands.length", "the hand")
            browser.run("byId('record').click()")
            browser.until("!byId('take').hidden", "the first take", 5)
            browser.until("byId('take').hidden && !byId('verdict').hidden", "the end of teaching", 25)
            verdict = browser.value("byId('verdict').textContent")
            if "Turn is learned" in verdict:
                break
        check("Turn is learned" in verdict, f"the page says: {verdict}")
        if show:
            show()
        browser.until("events.some((event) => event.event === 'begin' && event.label === 'turn')", "the new gesture", 20)
        check(browser.value("byId('shout').textContent") == "Turn!", "a taught gesture does nothing")
        if isinstance(browser, Browser):
            self.picture(browser, "taught")
        print(f"teaching: {verdict}")
        self.begin(browser)
        browser.until("state?.userGestures[0] === 'turn'", "the taught gesture after a reload")
        print("reload: the gesture is still there")

        browser.run("byId('save').click()")
        file = browser.downloads / "my-gestures.safetensors"
        browser.wait(file.exists, "the saved gestures", 10)
        browser.run("document.querySelector('#taught button').click()")
        browser.until("state.userGestures.length === 0 && byId('save').disabled", "a gesture that is forgotten")
        browser.choose("load", file)
        browser.until("state.userGestures[0] === 'turn'", "the gesture of the file")
        print(f"files: {file.stat().st_size} bytes saved, forgotten and loaded")

    def pointing(self, browser: Browser | Firefox, show: Callable[[], None] | None = None) -> None:
        """The clip shows hands that press a button, drag the card, draw, scroll by a fist, and pinch together.

        `show` shows the clip, if that is no camera.
        """
        browser.run("byId('pointMode').click()")
        browser.until("state.settings.pointer && state.maximumHands === 2", "the pointers")
        if show:
            show()
        check(browser.value("getComputedStyle(document.querySelector('.below')).display") == "none", "the other mode is still shown")
        counts = "[...document.querySelectorAll('#presses b')].map((count) => Number(count.textContent))"
        browser.until(f"{counts}.some(Boolean)", "a button that is pressed", 25)
        pressed = browser.value(counts)
        check(pressed == [0, 1, 0], f"the buttons were pressed {pressed} times")
        browser.until("byId('drag').style.transform", "the card to be dragged", 20)
        browser.until("""(() => {
          const canvas = document.querySelector("#air canvas"), pen = canvas.getContext("2d");
          return pen.getImageData(0, 0, canvas.width, canvas.height).data.some(Boolean);
        })()""", "a line in the air", 20)
        browser.until("document.querySelector('#lines ol').scrollTop > 20", "the list to be scrolled", 20)
        view = "document.querySelector('#view svg').style.transform"
        browser.until(f"/rotate\\(-0\\.[2-9].* scale\\((1\\.[2-9]|[2-4])/.test({view})", "two hands to zoom in and turn the picture", 30)
        check(browser.value("document.querySelectorAll('.cursor:not([hidden])').length") == 2, "two hands have not two cursors")
        view = browser.value(view)
        if isinstance(browser, Browser):
            self.picture(browser, "point")
        browser.press("Escape")
        browser.until("!state.settings.pointer && state.maximumHands === 1 && byId('play').hidden", "the other mode")
        check(browser.value("!stored('settings').pointer && stored('settings').maximumHands !== 2"), "the browser keeps the mode")
        print(f"pointing: buttons {pressed}, the card dragged, a line, the list scrolled, the picture {view}; Escape leaves")

    def held_pose(self, browser: Browser) -> None:
        """A fist that comes at 2.7 s of the camera's clip and goes at 8.7 s is taught."""
        browser.run("byId('label').value = 'mine'; document.querySelector('[value=pose]').click()")
        browser.until("latest.hands.length", "the hand")
        browser.until("!latest.hands.length", "the end of the hand")
        browser.run("byId('record').click()")
        browser.until("byId('takeText').textContent === '1 of 2: show the pose'", "the wait for a hand", 5)
        browser.until("byId('takeText').textContent === '1 of 2: hold still'", "the first take", 20)
        self.picture(browser, "teaching")
        browser.until("byId('take').hidden", "the end of teaching", 25)
        verdict = browser.value("byId('verdict').textContent")
        check(verdict == "Mine is learned as a held pose. Make it now.", f"the page says: {verdict}")
        browser.until("events.some((event) => event.event === 'begin' && event.label === 'mine')", "the new pose", 15)
        print(f"held pose: {verdict}")
