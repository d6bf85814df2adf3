"""What Tools/gates/web checks in the browser: web.py WEB CLIPS [--pictures FOLDER] [--soak MINUTES]."""

import argparse
import contextlib
import functools
import hashlib
import http.server
import pathlib
import re
import statistics
import threading
import time

from browser import Browser, Firefox, Scripts
from live_page import LivePage, check

parser = argparse.ArgumentParser()
parser.add_argument("web", type=pathlib.Path)
parser.add_argument("clips", type=pathlib.Path)
parser.add_argument("--pictures", type=pathlib.Path)
parser.add_argument("--soak", type=float)
options = parser.parse_args()
demo, turns, pose, person, hands = (options.clips / f"{name}.mjpeg" for name in ("demo", "turns", "pose", "person", "pointing"))


class Files(http.server.SimpleHTTPRequestHandler):
    """A server of plain files, as any is, which says what was asked for."""

    asked: list[str] = []
    # A part of paths that are not there.
    missing: str | None = None
    # Files that are others than those of the folder, by their names.
    changed: dict[str, bytes] = {}

    def log_message(self, *_) -> None:
        pass

    def translate_path(self, path: str) -> str:
        return str(options.clips / path.removeprefix("/clips/")) if path.startswith("/clips/") else super().translate_path(path)

    def do_GET(self) -> None:
        self.asked.append(self.path)
        if self.missing and self.missing in self.path:
            return self.send_error(404)
        if (name := self.path.lstrip("/")) in self.changed:
            self.send_response(200)
            self.send_header("Content-Type", "text/html" if name == "" or name.endswith(".html") else "text/javascript")
            self.end_headers()
            return self.wfile.write(self.changed[name])
        super().do_GET()

    def end_headers(self) -> None:
        # A page of another origin gets all files.
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()


@contextlib.contextmanager
def files(port: int = 0):
    """Serves the folder, and gives the address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), functools.partial(Files, directory=str(options.web)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def count_frames(tab: Scripts) -> None:
    """Has the page keep the numbers of each frame."""
    tab.run("""
      if (window.kept) return;
      const before = frame;
      window.kept = [];
      frame = (report, latency) => {
        if (report.outcome !== "closed") kept.push([report.work / 1000, report.hands.length, latency, report.wait / 1000]);
        before(report, latency);
      };""")


def own_page() -> None:
    """The module in a page that is not this project's: every kind of picture, and a camera."""
    browser = Browser(demo)
    try:
        # A page without scripts and without a policy.
        browser.open(page.address + "page.css")
        kinds = browser.value("""(async () => {
          const { FilesetResolver, GestureRecognizer } = await import("/gesture.js");
          const recognizer = await GestureRecognizer.createFromOptions(await FilesetResolver.forVisionTasks("/"), { numHands: 2 });
          // As a whole, because this server gives no parts, without which a video cannot be wound.
          const clip = URL.createObjectURL(await (await fetch("/demo.mp4")).blob());
          const video = Object.assign(document.createElement("video"), { muted: true, src: clip });
          const codes = [];
          const refused = (picture) => { try { recognizer.recognize(picture); } catch (error) { codes.push(error.code); } };
          refused(video);
          refused(new Image());
          // A fist of the demo.
          video.currentTime = 7.7;
          await new Promise((resolve) => { video.onseeked = resolve; });
          const canvas = Object.assign(document.createElement("canvas"), { width: 480, height: 360 });
          canvas.getContext("2d").drawImage(video, 0, 0);
          const offscreen = new OffscreenCanvas(480, 360);
          offscreen.getContext("2d").drawImage(video, 0, 0);
          const image = Object.assign(new Image(), { src: canvas.toDataURL() });
          await image.decode();
          const frame = new VideoFrame(video), bitmap = await createImageBitmap(video);
          const pictures = {
            video, canvas, offscreen, image, frame, bitmap, data: canvas.getContext("2d").getImageData(0, 0, 480, 360),
          };
          const found = Object.entries(pictures).map(([name, picture]) => {
            const { landmarks: [points = []], gestures: [[category] = []] } = recognizer.recognize(picture);
            return [name, points.length, category?.categoryName];
          });
          frame.close();
          bitmap.close();
          refused(frame);
          refused(bitmap);
          const clear = new OffscreenCanvas(480, 360);
          clear.getContext("2d");
          const rest = recognizer.recognize(clear).landmarks.length;
          recognizer.close();
          return { found, codes, rest };
        })()""")
        check(all(points == 21 and name == "Closed_Fist" for _, points, name in kinds["found"]), f"of pictures: {kinds['found']}")
        check(kinds["codes"] == ["no-picture"] * 4, f"pictures without pixels are refused as {kinds['codes']}")
        check(kinds["rest"] == 0, "the picture before shows through a transparent one")
        wrong = browser.value("""(async () => {
          const { GestureCamera } = await import("/gesture.js");
          Object.assign(window, { begins: [], hands: 0 });
          window.camera = await GestureCamera.create({
            mirrored: true, onGesture: ({ type, label }) => { if (type === "begin") begins.push(label); },
            onResult: ({ landmarks, gestures }) => { if (landmarks[0]?.length === 21 && gestures[0].length) hands += 1; },
          });
          const said = (error) => `${error.name} ${error.code} ${error.message}`;
          const wrong = await Promise.all([{ width: { exact: 99999 } }, { deviceId: { exact: "none" } }].map(
            (constraints) => camera.start(constraints).then(() => "a camera", said)));
          wrong.push(await camera.watch(new Image()).then(() => "a picture", said));
          window.track = (await camera.start()).getVideoTracks()[0];
          return wrong;
        })()""")
        check(all(re.match(r"GestureError (camera|image) .*[^ :][.]$", sentence) for sentence in wrong),
              f"cameras that there are not are refused with {wrong}")
        browser.until("begins.length >= 3 && hands > 50", "gestures of a camera", 20)
        begins = browser.value("begins.slice(0, 3)")
        check(begins == ["swipeDown", "swipeRight", "grab"], f"the camera's gestures are {begins}")
        closed = browser.value("""(async () => {
          const failed = camera.teach("mine").catch((error) => error.code);
          await camera.setRecognition({ deniedClasses: ["tap"] });
          const { deniedClasses } = camera.recognition;
          camera.close();
          return [await failed, deniedClasses, track.readyState, await camera.forget("mine").catch((error) => error.code)];
        })()""")
        check(closed == ["closed", ["tap"], "ended", "closed"], f"a closed camera says {closed}")
        # The browser asks for an icon.
        strange = [problem for problem in browser.problems if "404" not in problem]
        check(not strange, f"the browser reports {strange}")
        print(f"own page: a fist in {', '.join(name for name, _, _ in kinds['found'])}; a camera's {', '.join(begins)}")
    finally:
        browser.close()


def no_worker() -> None:
    """A camera whose worker cannot be started: whatever the reason, `create` rejects with a sentence."""
    said = []
    policy = "<meta http-equiv='Content-Security-Policy' content=\"script-src 'self' 'wasm-unsafe-eval'; worker-src 'none'\">"
    origin = page.address.rstrip("/")
    foreign = f"<meta http-equiv='Content-Security-Policy' content=\"script-src {origin} 'wasm-unsafe-eval'; worker-src 'self'\">"
    browser = Browser(None)
    try:
        with files() as other:
            cases = [
                ("missing", page.address + "page.css", "/gesture.js", {}, "gesture-worker.js"),
                ("wrong", page.address + "page.css", "/gesture.js", {"gesture-worker.js": b"const = 1"}, None),
                ("policy", page.address + "strict.html", "/gesture.js", {"strict.html": policy.encode()}, None),
                ("another origin", other + "strict.html", origin + "/gesture.js", {"strict.html": foreign.encode()}, None),
            ]
            for name, address, module, changed, missing in cases:
                Files.changed, Files.missing = changed, missing
                browser.open(address)
                code, sentence = browser.value("""(async () => {
                  const { GestureCamera } = await import("%s");
                  const told = [];
                  return GestureCamera.create({ onError: (error) => told.push(error.message) })
                    .then(() => ["none", ""], (error) => [told.length ? "told twice" : error.code, error.message]);
                })()""" % module)
                check(code == "files" and sentence.endswith("."), f"with a worker kept out ({name}) the camera says {code}: {sentence}")
                said.append(f"{name}: {sentence}")
    finally:
        Files.changed, Files.missing = {}, None
        browser.close()
    print("no worker: " + " ".join(said))


def another_origin(make) -> None:
    """A page of another server than that of the files: by a worker of a blob, or by a module of its own where its policy allows no blob."""
    origin = page.address.rstrip("/")
    policy = f"<meta http-equiv='Content-Security-Policy' content=\"script-src {origin} 'wasm-unsafe-eval'; worker-src {origin} %s\">"
    browser = make()
    try:
        with files() as other:
            Files.changed = {
                "blob.html": (policy % "blob:").encode(), "own.html": (policy % "'self'").encode(),
                "worker.js": f"import '{origin}/gesture-worker.js';".encode(),
            }
            for name, given in (("blob", ""), ("own", "worker: '/worker.js', ")):
                browser.open(other + name + ".html")
                begins = browser.value("""(async () => {
                  const { GestureCamera } = await import("%s/gesture.js"), begins = [];
                  let done;
                  const end = new Promise((resolve) => { done = resolve; });
                  const camera = await GestureCamera.create({ %s onGesture: ({ type, label }) => {
                    if (type === "begin") begins.push(label);
                    if (begins.includes("grab")) done();
                  } });
                  const clip = URL.createObjectURL(await (await fetch("%s/demo.mp4")).blob());
                  const video = Object.assign(document.createElement("video"), { muted: true, src: clip });
                  await video.play();
                  await camera.watch(video);
                  video.onended = done;
                  await end;
                  camera.close();
                  return begins;
                })()""" % (origin, given, origin))
                check({"swipeDown", "swipeLeft", "grab"} <= set(begins), f"a page of another origin ({name}) has {begins}")
        strange = [problem for problem in browser.problems if "404" not in problem]
        check(not strange, f"the browser reports {strange}")
        print(f"another origin: gestures by a worker of a blob and by one of the page's own, in {type(browser).__name__}")
    finally:
        Files.changed = {}
        browser.close()


def own_files() -> None:
    """A picture and a video of the visitor's own, by the button and by drop, and how the page stands on a phone."""
    with page.open(None) as browser:
        browser.until("latest?.hands.length", "the demo", 20)
        browser.choose("open", options.clips / "fist.png")
        browser.until("byId('hands').textContent.endsWith('hand: closed fist')", "the pose and the side of the hand in a picture", 20)
        page.picture(browser, "own")
        browser.call("Emulation.setDeviceMetricsOverride", width=844, height=390, deviceScaleFactor=1, mobile=True)
        browser.until("innerHeight === 390", "the phone")
        below = browser.value("""["picture", "gesture", "tiles"].filter((id) => {
          const { top, bottom, left, right } = byId(id).getBoundingClientRect();
          return top < 0 || bottom > innerHeight || left < 0 || right > innerWidth || bottom - top < 20;
        })""")
        check(not below, f"on a phone held wide {below} cannot be seen without scrolling")
        browser.call("Emulation.clearDeviceMetricsOverride")
        drop = """(async () => {
          const data = new DataTransfer(), answer = await fetch("/clips/%s");
          data.items.add(new File([await answer.blob()], "%s", { type: "%s" }));
          byId("picture").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        })()"""
        browser.value(drop % ("person.webm", "person.webm", "video/webm"))
        browser.until("video?.videoWidth && !video.srcObject && !latest?.hands.length", "a video that is dropped", 20)
        browser.run("byId('handCount').value = 2; byId('handCount').onchange()")
        browser.until("state.maximumHands === 2", "two hands at once")
        browser.value(drop % ("notes.txt", "notes.txt", "text/plain"))
        browser.until("byId('problem').textContent === 'That is neither a picture nor a video.'", "a word about a file of text")
        browser.problems[:] = [problem for problem in browser.problems if "404" not in problem]
        print("own files: a picture by the button, a video by drop, and all in view on a phone held wide")


def throwing() -> None:
    """Functions of a page that throw: the console has it, and the engine goes on. Teaching that options interrupt settles."""
    browser = Browser(None)
    try:
        browser.open(page.address + "page.css")
        count = browser.value("""(async () => {
          const { GestureRecognizer } = await import("/gesture.js");
          const recognizer = await GestureRecognizer.createFromOptions({ runningMode: "VIDEO" }), picture = new ImageData(320, 240);
          recognizer.onReport = ({ kind }) => { if (kind === "frame") throw new RangeError("mine"); };
          let count = 0;
          addEventListener("error", (event) => { count += event.error.message === "mine"; });
          for (let index = 1; index <= 300; index++) recognizer.recognizeForVideo(picture, 33 * index);
          recognizer.onReport = null;
          recognizer.recognizeForVideo(picture, 1e5);
          return count;
        })()""")
        check(count == 300, f"of 300 errors of the page {count} come to it")
        shown = [problem for problem in browser.problems if "mine" in problem]
        # The browser asks for an icon.
        strange = [problem for problem in browser.problems if problem not in shown and "404" not in problem]
        check(len(shown) == 300 and not strange, f"the console has {len(shown)} errors of the page, and {strange}")
        print(f"functions that throw: {count} errors on the console, and the engine goes on")
    finally:
        browser.close()


def first_visit() -> None:
    """A camera that is denied, and a machine without a camera."""
    with page.open(None) as browser:
        check(browser.value("document.title") == "swift-gesture", "the page has another title")
        check(browser.value("byId('privacy').textContent") == "The camera's pictures never leave this tab.",
              "the page does not say where the pictures go")
        browser.until("video && latest?.hands.length", "the demo, which begins by itself", 20)
        check(not browser.value("byId('invitation').hidden"), "the demo does not ask for the camera")
        page.picture(browser, "first")
        browser.until("made.size >= 3", "three gestures of the demo", 20)
        made = browser.value("[...made]")
        check(made == ["swipeDown", "swipeLeft", "grab"], f"the demo shows {made}")
        late = max(event["shownAfter"] for event in browser.value("events"))
        check(0 < late < 300, f"an event of the demo is shown {late:.0f} ms after its picture")
        browser.run("byId('invited').click()")
        browser.until("!byId('problem').hidden", "a word about the camera that is missing")
        said = browser.value("byId('problem').textContent")
        check(said == "No camera was found. Connect one, or play the demo.", f"of a missing camera the page says: {said}")
        browser.until("!byId('empty').hidden", "the end of the demo", 20)
        page.picture(browser, "end")
        print(f"without a camera: the demo shows {', '.join(made)}, at most {late:.0f} ms after their pictures")
    check(not [path for path in Files.asked if "pose" in path], "weights of bodies are loaded without being asked for")


def denied() -> None:
    """There is a camera, and the user denies it."""
    browser = Browser(demo, allows=False)
    try:
        browser.call("Browser.setPermission", permission={"name": "camera"}, setting="denied")
        browser.open(page.address)
        browser.until("latest?.hands.length", "the demo", 20)
        browser.run("byId('invited').click()")
        browser.until("!byId('problem').hidden", "a word about the camera that is denied")
        said = browser.value("byId('problem').textContent")
        check(said.startswith("The camera is not allowed."), f"of a denied camera the page says: {said}")
        check(browser.value("byId('empty').hidden && !byId('invitation').hidden"), "the demo does not go on")
        page.picture(browser, "denied")
        check(not browser.problems, f"the browser reports {browser.problems}")
        print(f"camera denied: {said}")
    finally:
        browser.close()


def times() -> None:
    """Milliseconds of frames in which a hand is followed, and in which one is looked for."""
    with page.open(demo) as browser:
        count_frames(browser)
        browser.until("kept.length >= 520", "a whole demo", 30)
        kept = browser.value("kept")
        # Without a hand, most frames only see whether anything has changed: the network of palms takes more than 5 ms.
        for name, works in (("tracked", [frame[0] for frame in kept if frame[1]]),
                            ("looked for", [frame[0] for frame in kept if not frame[1] and frame[0] > 5])):
            works.sort()
            check(works, f"no frames in which a hand is {name}")
            print(f"a hand is {name}: {len(works)} frames, median {statistics.median(works):.1f} ms, "
                  f"p95 {works[int(0.95 * len(works))]:.1f} ms, most {works[-1]:.1f} ms")
        latencies = sorted(frame[2] for frame in kept)
        counts = browser.value("camera.counts")
        print(f"from a picture to its report on the page: median {statistics.median(latencies):.1f} ms, p95 "
              f"{latencies[int(0.95 * len(latencies))]:.1f} ms; {counts['superseded']} of {counts['received']} pictures superseded")


def hidden() -> None:
    """Another tab is in front for a while."""
    with page.open(demo) as browser:
        browser.until("made.size >= 1", "a gesture", 20)
        other = browser.tab()
        browser.until("document.hidden", "the page to be hidden", 5)
        time.sleep(0.5)
        before = browser.value("camera.counts.received")
        time.sleep(3)
        check(browser.value("camera.counts.received") - before <= 1, "a hidden page looks at pictures")
        browser.call("Page.bringToFront")
        browser.until(f"camera.counts.received > {before} + 30", "pictures once the page is shown again", 10)
        browser.run("events.length = 0")
        browser.until("events.filter((event) => event.event === 'begin').length >= 3", "gestures once the page is shown again", 20)
        late = max(event["shownAfter"] for event in browser.value("events"))
        check(0 < late < 300, f"after a hidden time an event is shown {late:.0f} ms after its picture")
        other.call("Page.close")
        print(f"hidden for 3 s: no pictures, then gestures at most {late:.0f} ms after theirs")


def resized() -> None:
    """The camera changes the size and the orientation of its pictures while it runs."""
    with page.open(demo) as browser:
        seen = []
        for width, height in ((320, 240), (240, 320), (480, 360)):
            browser.value("stream.getVideoTracks()[0].applyConstraints({ width: { exact: %d }, height: { exact: %d }, "
                          "resizeMode: 'crop-and-scale' })" % (width, height))
            browser.until(f"picture.width === {width} && picture.height === {height}", f"pictures of {width}x{height}", 10)
            browser.until("latest.hands.length", f"a hand in pictures of {width}x{height}", 20)
            seen.append(f"{width}x{height}")
            if width < height:
                page.picture(browser, "upright")
        browser.run("events.length = 0")
        browser.until("events.some((event) => event.event === 'begin')", "a gesture after the changes", 20)
        print(f"sizes: {', '.join(seen)} while it ran")


def ended() -> None:
    """The camera goes."""
    with page.open(demo) as browser:
        browser.run("const [track] = stream.getVideoTracks(); track.stop(); track.dispatchEvent(new Event('ended'))")
        browser.until("!byId('empty').hidden", "a word about the camera that went")
        said = browser.value("byId('emptyText').textContent")
        check(said == "The camera was disconnected.", f"of a camera that went the page says: {said}")
        time.sleep(1.5)
        left = browser.value("[!byId('hint').hidden, !byId('cue').hidden, !byId('speed').hidden, byId('rate').textContent]")
        check(left == [False, False, False, "–"], f"of a camera that went there stays {left}")
        browser.run("byId('allow').click()")
        browser.until("stream && !stream.getVideoTracks()[0].muted && byId('empty').hidden", "the camera again")
        before = browser.value("camera.counts.received")
        browser.until(f"camera.counts.received > {before} + 10", "its pictures")
        print(f"camera gone: {said}")


def two_tabs() -> None:
    with page.open(demo) as browser:
        other = browser.tab()
        page.begin(other)
        # The first is hidden and rests; in turn, both see gestures.
        for tab, name in ((other, "second"), (browser, "first")):
            tab.call("Page.bringToFront")
            tab.run("events.length = 0")
            tab.until("events.filter((event) => event.event === 'begin').length >= 2", f"gestures in the {name} tab", 20)
        check(not other.problems, f"the second tab reports {other.problems}")
        print("two tabs: gestures in both")


def gestures_of_tabs(browser: Browser) -> None:
    """What one tab teaches or forgets the other one does, too, so neither undoes what the other one keeps."""
    other = browser.tab()
    page.begin(other)
    other.until("state?.userGestures[0] === 'turn'", "the other tab's gesture")
    other.run("document.querySelector('#taught button').click()")
    browser.until("state.userGestures.length === 0", "the first tab to forget what the second one has forgotten")
    check(not other.problems, f"the second tab reports {other.problems}")
    print("two tabs: a gesture that one forgets is gone in the other")


def people() -> None:
    """The networks of bodies come when they are asked for."""
    with page.open(person) as browser:
        check(not [path for path in Files.asked if "pose" in path], "weights of bodies are loaded without being asked for")
        browser.run("byId('bodies').value = 'squat'; byId('bodies').onchange()")
        browser.until("latest.bodies?.people.length", "a person", 30)
        browser.until("latest.bodies.repetitions >= 2", "two squats", 30)
        page.picture(browser, "people")
        points = browser.value("latest.bodies.people[0].points.length / 5")
        check(points == 33, f"a person has {points} points")
        check(browser.value("byId('connection').textContent").startswith("Version"), "the page is still loading")
        print(f"people: {points:.0f} points; {browser.value('byId(`repetitions`).textContent')}")
        arms(browser)
        # Another visit has the networks, and watches arms from its beginning.
        browser.until("await caches.match('weights/pose-landmark-full.safetensors')", "the networks to be kept")
        browser.run("byId('bodies').value = ''; byId('bodies').onchange()")
        browser.until("!state.settings.bodies", "no people")
        page.begin(browser)
        check(browser.value("state.watchesArms && !state.settings.bodies"), "another visit does not watch arms")
        browser.until("latest.arms", "arms on another visit", 20)
        browser.run("byId('watchArms').click()")
        browser.until("!state.watchesArms && !latest.arms", "arms that are turned off")
        page.begin(browser)
        check(browser.value("!state.watchesArms"), "arms that are turned off are on again after a reload")


def arms(browser: Scripts) -> None:
    """The arms of a person who is shown."""
    browser.until("latest?.arms", "arms", 30)
    points = browser.value("[...latest.arms.points]")
    check(len(points) == 18 and points[0] > points[3], "the left shoulder of a person who faces the camera is not right")
    said = browser.value("byId('armsBox').hidden ? '' : byId('arms').textContent")
    check(said in ("Watched, left leads", "Watched, right leads"), f"of the arms the page says: {said}")
    print(f"arms: {said}, in {type(browser).__name__}")


def missing() -> None:
    """Files that the server does not have."""
    browser = Browser(None)
    try:
        Files.missing = "hand-landmark"
        browser.open(page.address)
        browser.until("byId('connection').dataset.state === 'lost'", "a word about the missing weights")
        said = browser.value("byId('emptyText').textContent")
        check("hand-landmark-lite.safetensors cannot be loaded: the server says 404." in said, f"the page says: {said}")
        Files.missing = "pose-detection"
        browser.open(page.address)
        browser.until("latest?.hands.length", "the demo once the weights are there", 20)
        browser.run("byId('bodies').value = 'points'; byId('bodies').onchange()")
        browser.until("!byId('problem').hidden", "a word about the missing weights of bodies")
        check("pose-detection.safetensors" in browser.value("byId('problem').textContent"), "the page does not say which file")
        check(browser.value("byId('bodies').value === '' && !state.settings.bodies"), "the page looks for people without networks")
        Files.missing = None
        browser.run("byId('bodies').value = 'points'; byId('bodies').onchange()")
        browser.until("latest.bodies", "people once the weights are there")
        strange = [problem for problem in browser.problems if "404" not in problem]
        check(not strange, f"the browser reports {strange}")
        print(f"missing files: {said}")
    finally:
        Files.missing = None
        browser.close()


def offline() -> None:
    """A second visit, whose server is gone."""
    with files() as address:
        browser = Browser(demo)
        port = int(address.rsplit(":", 1)[1].strip("/"))
        page.begin(browser, address)
        browser.value("navigator.serviceWorker.ready.then(() => true)")
        browser.until("caches.keys().then((names) => names.length === 1)", "the files to be kept")
        browser.until("navigator.serviceWorker.controller", "the worker that keeps them")
    try:
        Files.asked.clear()
        page.begin(browser, address)
        browser.until("made.size >= 1", "a gesture without a network", 20)
        check(not Files.asked, f"without a network, {Files.asked} was asked for")
        check(not browser.problems, f"without a network, the browser reports {browser.problems}")
        with files(port) as again:
            page.begin(browser, again)
            check("/" in Files.asked, "with the network again, the page is not asked for")
            check("/gesture.wasm" not in Files.asked, "with the network again, the engine is loaded once more")
            unfinished(browser, again)
        page.begin(browser, address + "index.html")
        browser.until("made.size >= 1", "a gesture of index.html without a network", 20)
        print("offline: a second visit without a server shows gestures; half of a new build leaves the old one, and all of it comes")
    finally:
        browser.close()


def unfinished(browser: Browser, address: str) -> None:
    """A new build is being copied to the server: its page and its list are there before the engine's module, then all of it."""
    index, css = ((options.web / name).read_bytes() for name in ("index.html", "page.css"))
    old = (options.web / "version.js").read_text().split('"')[1]
    new = "0" * 16
    index, css = index.replace(old.encode(), new.encode()), css + b"/* new */"
    lines = (options.web / "version.js").read_text().replace(old, new)
    for name, data in (("./", index), ("page.css", css)):
        lines = re.sub(rf'("{re.escape(name)}"): "\w+"', rf'\1: "{hashlib.sha256(data).hexdigest()}"', lines)
    version = "document.querySelector('meta[name=engine]').content"
    # The other one goes when its worker does.
    kept = "(await caches.keys().then((names) => names.length === 1 ? names : ['']))"
    try:
        Files.changed = {"": index, "version.js": lines.encode()}
        page.begin(browser, address)
        browser.value("navigator.serviceWorker.getRegistration().then((all) => all.update()).then(() => 0, () => 0)")
        browser.wait(lambda: browser.value("navigator.serviceWorker.getRegistration().then((one) => !one.installing && !one.waiting)"),
                     "the end of the installation")
        page.begin(browser, address)
        check(browser.value(version) == old, "half of a new build takes the place of the old one")
        browser.until("made.size >= 1", "a gesture while half of a new build is there", 20)
        Files.changed["page.css"] = css
        browser.value("navigator.serviceWorker.getRegistration().then((all) => all.update()).then(() => 0, () => 0)")
        browser.until(kept + f"[0].endsWith('{new}')", "the new build to be kept", 20)
        page.begin(browser, address)
        check(browser.value(version) == new, "the new build does not come")
    finally:
        Files.changed = {}
    # And back, as the server has it.
    browser.value("navigator.serviceWorker.getRegistration().then((all) => all.update()).then(() => 0, () => 0)")
    browser.until(kept + f"[0].endsWith('{old}')", "the old build again", 20)


def show(browser: Scripts, name: str) -> None:
    """Shows the page a clip as a video of the visitor's own."""
    browser.value("""(async () => {
      await openFile(new File([await (await fetch("/clips/%s")).blob()], "%s", { type: "video/webm" }));
    })()""" % (name, name))


def firefox() -> None:
    """Another browser, which has no MediaStreamTrackProcessor: the demo, and a camera that shows no hand."""
    browser = Firefox()
    try:
        browser.open(page.address)
        browser.until("hello", "the engine's first message")
        count_frames(browser)
        # Firefox gives the pictures in RGB, which moves a score a little: a hand at rest may be an open palm.
        wanted = ["swipeDown", "swipeLeft", "grab"]
        browser.until(f"{wanted}.every((label) => made.has(label))", "three gestures of the demo", 25)
        made = browser.value("[...made]")
        check([label for label in made if label != "openPalm"] == wanted, f"the demo shows {made}")
        late = max(event["shownAfter"] for event in browser.value("events"))
        check(0 < late < 300, f"an event is shown {late:.0f} ms after its picture")
        works = browser.value("kept.filter((frame) => frame[1]).map((frame) => frame[0])")
        browser.run("openCamera()")
        browser.until("stream && !latest.hands.length", "the camera", 10)
        before = browser.value("camera.counts.received")
        browser.until(f"camera.counts.received > {before} + 30", "the camera's pictures", 10)
        print(f"Firefox: the demo shows {', '.join(made)}, at most {late:.0f} ms after their pictures; "
              f"a hand is tracked in {statistics.median(works):.1f} ms")
        page.teaching(browser, lambda: show(browser, "turns.webm"))
        show(browser, "person.webm")
        browser.run("byId('watchArms').click()")
        arms(browser)
        page.pointing(browser, lambda: show(browser, "pointing.webm"))
        check(not browser.problems, f"the browser reports {browser.problems}")
    finally:
        browser.close()


def memory(minutes: float) -> None:
    """Memory of the page, in the least of each tenth of the time."""
    with page.open(demo) as browser:
        def least(seconds: float) -> float:
            end, samples = time.monotonic() + seconds, []
            while time.monotonic() < end:
                browser.call("HeapProfiler.collectGarbage")
                samples.append(browser.kilobytes() / 1024)
                time.sleep(1)
            return min(samples)

        # Arenas, tables and the compiler of the browser come to rest.
        time.sleep(20)
        parts = [least(6 * minutes) for _ in range(10)]
        growth = min(parts[-3:]) - min(parts[1:4])
        print(f"memory over {minutes:g} minutes: {', '.join(f'{part:.0f}' for part in parts)} MiB")
        check(growth < 8, f"memory has grown by {growth:.1f} MiB")
        check(browser.value("latest.received") > 1000 * minutes, "pictures do not come at their rate")


with files() as address:
    page = LivePage(address, options.pictures)
    if options.soak:
        memory(options.soak)
    else:
        own_page()
        no_worker()
        another_origin(lambda: Browser(None))
        throwing()
        first_visit()
        denied()
        times()
        with page.open(demo) as browser:
            page.gestures(browser)
        hidden()
        resized()
        ended()
        two_tabs()
        with page.open(turns) as browser:
            page.teaching(browser)
            gestures_of_tabs(browser)
        with page.open(pose) as browser:
            page.held_pose(browser)
        with page.open(hands) as browser:
            page.pointing(browser)
        people()
        own_files()
        missing()
        offline()
        firefox()
        another_origin(Firefox)
        memory(1)
