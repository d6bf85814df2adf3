"""What Tools/gates/page checks in the browser: page.py ADDRESS DEMO TURNS FOLDER [PICTURES]."""

import contextlib
import pathlib
import sys
import time

from browser import Browser

address, demo, turns, folder = sys.argv[1], *map(pathlib.Path, sys.argv[2:5])
pictures = pathlib.Path(sys.argv[5]) if len(sys.argv) > 5 and sys.argv[5] else None


def check(condition: object, what: str) -> None:
    if not condition:
        raise SystemExit(f"FAIL: {what}")


@contextlib.contextmanager
def page(camera: pathlib.Path):
    """The page with a camera that plays a clip, and nothing said about errors in the end."""
    browser = Browser(camera)
    try:
        browser.open(address)
        browser.until("hello", "the server's first message")
        browser.run("openCamera()")
        browser.until("frameTimes.length", "the first answer to a picture")
        yield browser
        check(not browser.problems, f"the browser reports {browser.problems}")
    finally:
        browser.close()


def gestures() -> None:
    with page(demo) as browser:
        # The user sees a mirror: what the camera sees go left goes right.
        browser.until("events.filter((event) => event.event === 'begin').length >= 4", "four gestures", 20)
        if pictures:
            pictures.mkdir(parents=True, exist_ok=True)
            for name, dark, width, height in [("wide", False, 1280, 1240), ("wide-dark", True, 1280, 1240),
                                              ("narrow", False, 390, 2300), ("narrow-dark", True, 390, 2300)]:
                browser.picture(pictures / f"{name}.png", dark=dark, width=width, height=height)
        events = browser.value("events")
        begins = [event["label"] for event in events if event["event"] == "begin"][:4]
        check(begins == ["swipeDown", "swipeRight", "grab", "swipeUp"], f"the demo's gestures are {begins}")
        latest = max(event["shownAfter"] for event in events)
        check(0 < latest < 300, f"an event is shown {latest:.0f} ms after its picture")
        shown = browser.value("[...document.querySelectorAll('#history strong')].map((name) => name.textContent)")
        check(shown[::-1][:4] == ["Swipe down", "Swipe right", "Grab", "Swipe up"], f"the history shows {shown}")
        check(browser.value("document.querySelectorAll('#names li').length") == 13, "not every class has its scores")
        check(browser.value("skipped < 30 && latest.superseded < 30"), "the page leaves pictures out")
        print(f"gestures: {', '.join(begins)}; shown at most {latest:.0f} ms after their pictures")

        browser.run("const slider = byId('confidence'); slider.value = 0.91; slider.onchange();")
        browser.until("Math.abs(state.beginConfidence - 0.91) < 0.001", "the other confidence")
        browser.run("document.querySelector('#classes input').click()")
        browser.until("state.settings.denied.length === 1", "a class that is left out")
        browser.run("byId('reset').click()")
        browser.until("state.settings.denied.length === 0 && state.beginConfidence !== 0.91", "the model's settings")
        print("settings: confidence and classes changed while it ran")

        browser.run("byId('clipLabel').value = 'wave'; byId('clipRecord').click()")
        clip = browser.downloads / "wave-1.webm"
        browser.wait(clip.exists, "the recorded clip", 10)
        (folder / clip.name).write_bytes(clip.read_bytes())
        print(f"clips: {clip.stat().st_size} bytes of webm")


def teaching() -> None:
    with page(turns) as browser:
        browser.run("byId('label').value = 'turn'")
        # The hand appears at 2.7 s of the clip and turns from 4.05 s on. When the clip has begun, the page cannot tell.
        browser.until("!latest.hands.length", "the clip's begin, without a hand")
        browser.until("latest.hands.length", "the hand")
        browser.run("byId('record').click()")
        browser.until("!byId('take').hidden", "the first take", 5)
        if pictures:
            time.sleep(1.2)
            browser.picture(pictures / "teaching.png", width=1280, height=1240)
        browser.until("byId('take').hidden && !byId('verdict').hidden", "the end of teaching", 25)
        verdict = browser.value("byId('verdict').textContent")
        check("turn is learned" in verdict, f"the page says: {verdict}")
        browser.until("events.some((event) => event.event === 'begin' && event.label === 'turn')", "the new gesture", 15)
        if pictures:
            browser.picture(pictures / "taught.png", width=1280, height=1240)
        print(f"teaching: {verdict}")

        browser.run("byId('save').click()")
        file = browser.downloads / "my-gestures.safetensors"
        browser.wait(file.exists, "the saved gestures", 10)
        browser.run("document.querySelector('#taught button').click()")
        browser.until("state.taught.length === 0 && byId('save').disabled", "a gesture that is forgotten")
        node = browser.call("Runtime.evaluate", expression="byId('load')")["result"]["objectId"]
        browser.call("DOM.setFileInputFiles", files=[str(file)], objectId=node)
        browser.until("state.taught[0] === 'turn'", "the gesture of the file")
        print(f"files: {file.stat().st_size} bytes saved, forgotten and loaded")


gestures()
teaching()
