"""What Tools/gates/page checks in the browser: page.py ADDRESS ARMS DEMO TURNS POSE PERSON FOLDER [PICTURES]; ARMS is the
address of a server that watches arms."""

import pathlib
import socket
import sys
import threading
import urllib.parse

from browser import Browser, WebSocket
from live_page import LivePage, check

address, armed = sys.argv[1:3]
demo, turns, pose, person, folder = map(pathlib.Path, sys.argv[3:8])
page = LivePage(address, pathlib.Path(sys.argv[8]) if len(sys.argv) > 8 and sys.argv[8] else None)


def demonstration() -> None:
    with page.open(None) as browser:
        check(not browser.value("byId('demo').hidden"), "no button plays the demo")
        page.picture(browser, "first")
        browser.run("byId('demo').click()")
        browser.until("made.size >= 3", "three gestures of the demo", 20)
        made = browser.value("[...made]")
        check(made == ["swipeDown", "swipeLeft", "grab"], f"the demo shows {made}")
        print(f"without a camera: the demo shows {', '.join(made)}")


def fifth_page() -> None:
    parts = urllib.parse.urlsplit(address)
    others = [WebSocket(parts.hostname, parts.port, "/session", {"Origin": f"http://{parts.netloc}"}) for _ in range(4)]
    for other in others:
        threading.Thread(target=other.listen, daemon=True).start()
    browser = Browser(None)
    try:
        browser.open(address)
        browser.until("byId('connection').dataset.state === 'lost'", "the refusal")
        text = browser.value("byId('emptyText').textContent")
        check(text.startswith("4 pages use the program already"), f"a fifth page is told: {text}")
        page.picture(browser, "fifth")
        others.pop().socket.shutdown(socket.SHUT_RDWR)
        browser.until("hello", "the place that another page left")
        print(f"fifth page: {text}")
    finally:
        browser.close()
        for other in others:
            other.socket.close()


def clips(browser: Browser) -> None:
    browser.run("byId('clipLabel').value = 'wave'; byId('clipRecord').click()")
    clip = browser.downloads / "wave-1.webm"
    browser.wait(clip.exists, "the recorded clip", 10)
    (folder / clip.name).write_bytes(clip.read_bytes())
    print(f"clips: {clip.stat().st_size} bytes of webm")


def arms() -> None:
    with page.open(person, armed) as browser:
        browser.until("latest.arms", "the arms of a person")
        said = browser.value("byId('armsBox').hidden ? '' : byId('arms').textContent")
        check(said in ("Watched, left leads", "Watched, right leads"), f"of the arms the page says: {said}")
        points = browser.value("latest.arms.points")
        check(len(points) == 18 and points[0] > points[3], "the left shoulder of a person who faces the camera is not right")
        # The colour of the arms, within a few pixels of the thick one's elbow.
        drawn = browser.value("""(() => {
          const { points, gesturing } = latest.arms, place = 3 * (2 + gesturing);
          const share = points[place], x = (isMirrored() ? 1 - share : share) * picture.width;
          const data = pen.getImageData(x - 4, points[place + 1] * picture.height - 4, 9, 9).data;
          return [...data.keys()].some((at) => at % 4 === 0 &&
            Math.abs(data[at] - 199) + Math.abs(data[at + 1] - 139) + Math.abs(data[at + 2] - 240) < 12);
        })()""")
        check(drawn, "no arm is drawn")
        page.picture(browser, "arms")
        browser.run("byId('poses').click()")
        browser.until("state.settings.hasHeldPoses", "held poses")
        browser.until("latest.arms", "arms after a change of the settings")
        page.begin(browser, armed)
        browser.until("latest?.arms && state.settings.hasHeldPoses", "arms and settings after a reload")
        print(f"arms: {said}")
    with page.open(None) as browser:
        check(browser.value("byId('armsBox').hidden"), "with --no-arms the page speaks of arms")


demonstration()
arms()
fifth_page()
with page.open(demo) as browser:
    page.gestures(browser)
    clips(browser)
with page.open(turns) as browser:
    page.teaching(browser)
with page.open(pose) as browser:
    page.held_pose(browser)
with page.open(folder / "pointing.mjpeg") as browser:
    page.pointing(browser)
