"""What Tools/gates/page checks in the browser: page.py ADDRESS ARMS DEMO TURNS POSE PERSON FOLDER [PICTURES]; ARMS is the
address of a server that watches arms."""

import contextlib
import pathlib
import sys
import urllib.parse

from browser import Browser, WebSocket

address, armed = sys.argv[1:3]
demo, turns, pose, person, folder = map(pathlib.Path, sys.argv[3:8])
pictures = pathlib.Path(sys.argv[8]) if len(sys.argv) > 8 and sys.argv[8] else None


def check(condition: object, what: str) -> None:
    if not condition:
        raise SystemExit(f"FAIL: {what}")


@contextlib.contextmanager
def page(camera: pathlib.Path | None, at: str = address):
    """The page with a camera that plays a clip or without any, and nothing said about errors in the end."""
    browser = Browser(camera)
    try:
        begin(browser, at)
        yield browser
        check(not browser.problems, f"the browser reports {browser.problems}")
    finally:
        browser.close()


def begin(browser: Browser, at: str = address) -> None:
    """Opens the page, or opens it anew."""
    browser.open(at)
    browser.until("hello", "the server's first message")
    if browser.has_camera:
        browser.run("openCamera()")
        browser.until("frameTimes.length", "the first answer to a picture")


def take_pictures(browser: Browser, name: str, heights: tuple[int, int] = (1500, 3000)) -> None:
    """Pictures of the page, wide and narrow, light and dark."""
    if not pictures:
        return
    pictures.mkdir(parents=True, exist_ok=True)
    for width, height in zip((1400, 390), heights):
        for dark in (False, True):
            browser.picture(pictures / f"{name}-{width}{'-dark' if dark else ''}.png", dark=dark, width=width, height=height)


def demonstration() -> None:
    with page(None) as browser:
        check(not browser.value("byId('demo').hidden"), "no button plays the demo")
        take_pictures(browser, "first")
        browser.run("byId('demo').click()")
        browser.until("made.size >= 3", "three gestures of the demo", 20)
        made = browser.value("[...made]")
        check(made == ["swipeDown", "swipeLeft", "grab"], f"the demo shows {made}")
        print(f"without a camera: the demo shows {', '.join(made)}")


def fifth_page() -> None:
    parts = urllib.parse.urlsplit(address)
    others = [WebSocket(parts.hostname, parts.port, "/session", {"Origin": f"http://{parts.netloc}"}) for _ in range(4)]
    browser = Browser(None)
    try:
        browser.open(address)
        browser.until("byId('connection').dataset.state === 'lost'", "the refusal")
        text = browser.value("byId('emptyText').textContent")
        check(text.startswith("4 pages use the program already"), f"a fifth page is told: {text}")
        take_pictures(browser, "fifth")
        others.pop().socket.close()
        browser.until("hello", "the place that another page left")
        print(f"fifth page: {text}")
    finally:
        browser.close()
        for other in others:
            other.socket.close()


def gestures() -> None:
    with page(demo) as browser:
        # The user sees a mirror: what the camera sees go left goes right.
        browser.until("events.filter((event) => event.event === 'begin').length >= 4", "four gestures", 20)
        take_pictures(browser, "gestures")
        events = browser.value("events")
        begins = [event["label"] for event in events if event["event"] == "begin"][:4]
        check(begins == ["swipeDown", "swipeRight", "grab", "swipeUp"], f"the demo's gestures are {begins}")
        latest = max(event["shownAfter"] for event in events)
        check(0 < latest < 300, f"an event is shown {latest:.0f} ms after its picture")
        shown = browser.value("[...document.querySelectorAll('#history strong')].map((name) => name.textContent)")
        check(shown[::-1][:4] == ["Swipe down", "Swipe right", "Grab", "Swipe up"], f"the history shows {shown}")
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
        browser.until("state.settings.denied.length === 1", "a class that is left out")
        begin(browser)
        browser.until("Math.abs(state?.beginConfidence - 0.91) < 0.001 && state.settings.denied.length === 1",
                      "the settings after a reload")
        browser.run("byId('reset').click()")
        browser.until("state.settings.denied.length === 0 && state.beginConfidence !== 0.91", "the model's settings")
        print("settings: confidence and classes changed while it ran, and survived a reload")

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
        browser.until("byId('take').hidden && !byId('verdict').hidden", "the end of teaching", 25)
        verdict = browser.value("byId('verdict').textContent")
        check("Turn is learned" in verdict, f"the page says: {verdict}")
        browser.until("events.some((event) => event.event === 'begin' && event.label === 'turn')", "the new gesture", 15)
        check(browser.value("byId('shout').textContent") == "Turn!", "a taught gesture does nothing")
        take_pictures(browser, "taught")
        print(f"teaching: {verdict}")
        begin(browser)
        browser.until("state?.taught[0] === 'turn'", "the taught gesture after a reload")
        print("reload: the gesture is still there")

        browser.run("byId('save').click()")
        file = browser.downloads / "my-gestures.safetensors"
        browser.wait(file.exists, "the saved gestures", 10)
        browser.run("document.querySelector('#taught button').click()")
        browser.until("state.taught.length === 0 && byId('save').disabled", "a gesture that is forgotten")
        node = browser.call("Runtime.evaluate", expression="byId('load')")["result"]["objectId"]
        browser.call("DOM.setFileInputFiles", files=[str(file)], objectId=node)
        browser.until("state.taught[0] === 'turn'", "the gesture of the file")
        print(f"files: {file.stat().st_size} bytes saved, forgotten and loaded")


def held_pose() -> None:
    with page(pose) as browser:
        browser.run("byId('label').value = 'mine'; document.querySelector('[value=pose]').click()")
        # The hand comes at 2.7 s of the clip and goes at 8.7 s.
        browser.until("latest.hands.length", "the hand")
        browser.until("!latest.hands.length", "the end of the hand")
        browser.run("byId('record').click()")
        browser.until("byId('takeText').textContent === '1 of 2: show the pose'", "the wait for a hand", 5)
        browser.until("byId('takeText').textContent === '1 of 2: hold still'", "the first take", 20)
        take_pictures(browser, "teaching")
        browser.until("byId('take').hidden", "the end of teaching", 25)
        verdict = browser.value("byId('verdict').textContent")
        check(verdict == "Mine is learned. Make it now.", f"the page says: {verdict}")
        browser.until("events.some((event) => event.event === 'begin' && event.label === 'mine')", "the new pose", 15)
        print(f"held pose: {verdict}")


def arms() -> None:
    with page(person, armed) as browser:
        browser.until("latest.arms", "the arms of a person")
        said = browser.value("byId('armsBox').hidden ? '' : byId('arms').textContent")
        check(said in ("Watched, left leads", "Watched, right leads"), f"of the arms the page says: {said}")
        points = browser.value("latest.arms.points")
        check(len(points) == 18 and points[0] > points[3], "the left shoulder of a person who faces the camera is not right")
        # The colour of the arms, within a few pixels of the thick one's elbow.
        drawn = browser.value("""(() => {
          const { points, gesturing } = latest.arms, place = 3 * (2 + gesturing);
          const share = points[place] / 10000, x = (isMirrored() ? 1 - share : share) * picture.width;
          const data = pen.getImageData(x - 4, points[place + 1] * picture.height / 10000 - 4, 9, 9).data;
          return [...data.keys()].some((at) => at % 4 === 0 &&
            Math.abs(data[at] - 199) + Math.abs(data[at + 1] - 139) + Math.abs(data[at + 2] - 240) < 12);
        })()""")
        check(drawn, "no arm is drawn")
        take_pictures(browser, "arms")
        browser.run("byId('poses').click()")
        browser.until("state.settings.hasHeldPoses", "held poses")
        browser.until("latest.arms", "arms after a change of the settings")
        begin(browser, armed)
        browser.until("latest?.arms && state.settings.hasHeldPoses", "arms and settings after a reload")
        print(f"arms: {said}")
    with page(None) as browser:
        check(browser.value("byId('armsBox').hidden"), "without --arms the page speaks of arms")


demonstration()
arms()
fifth_page()
gestures()
teaching()
held_pose()
