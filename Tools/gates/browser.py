"""A headless Chromium whose camera plays a file, driven by the DevTools protocol, and a headless Firefox, driven by WebDriver
BiDi. Standard library alone."""

import base64
import contextlib
import json
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import urllib.request


class WebSocket:
    """A client of RFC 6455."""

    def __init__(self, host: str, port: int, path: str, headers: dict[str, str] | None = None) -> None:
        self.socket = socket.create_connection((host, port), timeout=30)
        lines = [f"GET {path} HTTP/1.1", f"Host: {host}:{port}", "Upgrade: websocket", "Connection: Upgrade",
                 "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: " + base64.b64encode(os.urandom(16)).decode()]
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        self.rest = b""
        while b"\r\n\r\n" not in self.rest:
            self.rest += self._more()
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise ConnectionError(head.split(b"\r\n")[0].decode())

    def _more(self) -> bytes:
        data = self.socket.recv(1 << 20)
        if not data:
            raise ConnectionError("the other side has closed")
        return data

    def _take(self, count: int) -> bytes:
        while len(self.rest) < count:
            self.rest += self._more()
        data, self.rest = self.rest[:count], self.rest[count:]
        return data

    def send(self, message: str | bytes) -> None:
        text = isinstance(message, str)
        self._send(1 if text else 2, message.encode() if text else message)

    def _send(self, opcode: int, data: bytes) -> None:
        mask = os.urandom(4)
        size = (bytes([0x80 | len(data)]) if len(data) < 126
                else b"\xfe" + struct.pack(">H", len(data)) if len(data) < 65536
                else b"\xff" + struct.pack(">Q", len(data)))
        # By one long number, which is faster than byte by byte.
        long_mask = (mask * (len(data) // 4 + 1))[:len(data)]
        masked = (int.from_bytes(data) ^ int.from_bytes(long_mask)).to_bytes(len(data))
        self.socket.sendall(bytes([0x80 | opcode]) + size + mask + masked)

    def listen(self) -> None:
        """Passes over messages and answers pings, as an open page does, until the connection ends."""
        with contextlib.suppress(OSError):
            while True:
                self.receive()

    def receive(self) -> str:
        message = b""
        while True:
            first, second = self._take(2)
            size = second & 0x7F
            if size >= 126:
                size = int.from_bytes(self._take(2 if size == 126 else 8))
            data = self._take(size)
            if first & 0x0F == 9:
                self._send(10, data)
            if first & 0x0F in (0, 1, 2):
                message += data
                if first & 0x80:
                    return message.decode(errors="replace")


class Scripts:
    """A page in which scripts run."""

    has_camera = False

    def value(self, expression: str):
        """The value of JavaScript, or of a promise, as JSON has it."""
        raise NotImplementedError

    def wait(self, condition, what: str, seconds: float = 30) -> None:
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise TimeoutError(f"{what} did not come within {seconds} s")
            time.sleep(0.05)

    def choose(self, element: str, file: pathlib.Path) -> None:
        """Has the user choose a file for the element of this id."""
        raise NotImplementedError

    def run(self, statements: str) -> None:
        self.value(f"(() => {{ {statements} }})()")

    def until(self, condition: str, what: str, seconds: float = 30) -> None:
        self.wait(lambda: self.value(f"Boolean({condition})"), what, seconds)


class Tab(Scripts):
    """A page of a Chromium."""

    def __init__(self, port: int, target: dict) -> None:
        self.port = port
        self.socket = WebSocket("127.0.0.1", port, target["webSocketDebuggerUrl"].split(str(port), 1)[1])
        self.count = 0
        self.problems: list[str] = []
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")

    def call(self, method: str, **parameters):
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.receive())
            if answer.get("method") == "Runtime.exceptionThrown":
                self.problems.append(json.dumps(answer["params"]["exceptionDetails"].get("exception", {})))
            if answer.get("method") == "Log.entryAdded" and answer["params"]["entry"]["level"] == "error":
                entry = answer["params"]["entry"]
                self.problems.append(f"{entry['text']} ({entry['source']}, {entry.get('url', 'no address')})")
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def open(self, address: str) -> None:
        self.call("Page.navigate", url=address)
        self.until("document.readyState === 'complete'", "the page")

    def value(self, expression: str):
        result = self.call("Runtime.evaluate", expression=f"(async () => JSON.stringify(await ({expression})))()",
                           awaitPromise=True, userGesture=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        text = result["result"].get("value")
        return None if text is None else json.loads(text)

    def choose(self, element: str, file: pathlib.Path) -> None:
        node = self.call("Runtime.evaluate", expression=f"document.getElementById('{element}')")["result"]["objectId"]
        self.call("DOM.setFileInputFiles", files=[str(file)], objectId=node)

    def press(self, key: str) -> None:
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key)

    def picture(self, path: pathlib.Path, *, dark: bool = False, width: int = 1280, height: int = 900) -> None:
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        time.sleep(0.3)
        data = self.call("Page.captureScreenshot", format="png")["data"]
        path.write_bytes(base64.b64decode(data))


class Browser(Tab):
    """A Chromium of its own, with a first page."""

    def __init__(self, camera: pathlib.Path | None, width: int = 1280, height: int = 900, *, allows: bool = True) -> None:
        self.has_camera = camera is not None
        self.folder = tempfile.mkdtemp()
        self.downloads = pathlib.Path(self.folder, "downloads")
        program = shutil.which("chromium")
        if program is None:
            raise FileNotFoundError("chromium is not installed")
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
                     "--disable-background-networking", "--disable-dev-shm-usage", "--remote-debugging-port=0",
                     f"--user-data-dir={self.folder}", f"--window-size={width},{height}"]
        if camera is not None:
            arguments += ["--use-fake-device-for-media-stream", f"--use-file-for-fake-video-capture={camera}"]
            if allows:
                arguments.append("--use-fake-ui-for-media-stream")
        self.process = subprocess.Popen([program, *arguments, "about:blank"], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        port_file = pathlib.Path(self.folder, "DevToolsActivePort")
        self.wait(lambda: port_file.exists() and len(port_file.read_text().split("\n")) > 1, "the browser")
        port = int(port_file.read_text().split("\n")[0])
        pages = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list"))
        super().__init__(port, next(page for page in pages if page["type"] == "page"))
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(self.downloads))

    def tab(self) -> Tab:
        """Another page, in front of the others."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/json/new?about:blank", method="PUT")
        tab = Tab(self.port, json.load(urllib.request.urlopen(request)))
        tab.has_camera = self.has_camera
        return tab

    def kilobytes(self) -> int:
        """The memory that the browser's pages and workers hold."""
        total = 0
        for status in pathlib.Path("/proc").glob("[0-9]*/status"):
            try:
                if f"--user-data-dir={self.folder}".encode() not in (status.parent / "cmdline").read_bytes():
                    continue
                if b"--type=renderer" in (status.parent / "cmdline").read_bytes():
                    lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
                    total += int(lines["RssAnon"].split()[0])
            except (FileNotFoundError, ProcessLookupError):
                continue
        return total

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Firefox(Scripts):
    """A Firefox of its own with one page. Its camera shows a pattern of colours."""

    has_camera = True

    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp()
        self.downloads = pathlib.Path(self.folder, "downloads")
        preferences = {"browser.download.folderList": 2, "browser.download.dir": str(self.downloads),
                       "browser.download.useDownloadDir": True, "browser.download.alwaysOpenPanel": False,
                       "media.navigator.permission.disabled": True, "media.navigator.streams.fake": True,
                       "datareporting.policy.dataSubmissionEnabled": False}
        pathlib.Path(self.folder, "user.js").write_text("".join(
            f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in preferences.items()))
        program = shutil.which("firefox-esr")
        if program is None:
            raise FileNotFoundError("firefox-esr is not installed")
        self.process = subprocess.Popen([program, "--headless", "--no-remote", "--profile", self.folder,
                                         "--remote-debugging-port", "0", "about:blank"], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        port_file = pathlib.Path(self.folder, "WebDriverBiDiServer.json")
        self.wait(lambda: port_file.exists() and port_file.read_text().endswith("}"), "the browser")
        self.socket = WebSocket("127.0.0.1", json.loads(port_file.read_text())["ws_port"], "/session")
        self.count = 0
        self.problems: list[str] = []
        self.call("session.new", capabilities={})
        self.call("session.subscribe", events=["log.entryAdded"])
        self.page = self.call("browsingContext.getTree")["contexts"][0]["context"]

    def call(self, method: str, **parameters):
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.receive())
            if answer.get("method") == "log.entryAdded" and answer["params"]["level"] == "error":
                self.problems.append(str(answer["params"]["text"]))
            if answer.get("id") == self.count:
                if answer["type"] == "error":
                    raise RuntimeError(f"{method}: {answer['message']}")
                return answer["result"]

    def open(self, address: str) -> None:
        self.call("browsingContext.navigate", context=self.page, url=address, wait="complete")

    def value(self, expression: str):
        answer = self.call("script.evaluate", expression=f"(async () => JSON.stringify(await ({expression})))()",
                           target={"context": self.page}, awaitPromise=True, userActivation=True)
        if answer["type"] == "exception":
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']['text']}")
        text = answer["result"].get("value")
        return None if text is None else json.loads(text)

    def choose(self, element: str, file: pathlib.Path) -> None:
        node = self.call("script.evaluate", expression=f"document.getElementById('{element}')", target={"context": self.page},
                         awaitPromise=False)["result"]
        self.call("input.setFiles", context=self.page, element={"sharedId": node["sharedId"]}, files=[str(file)])

    def press(self, key: str) -> None:
        # WebDriver names a key by a code point.
        value = {"Escape": "\ue00c"}[key]
        self.call("input.performActions", context=self.page, actions=[
            {"type": "key", "id": "keyboard", "actions": [{"type": kind, "value": value} for kind in ("keyDown", "keyUp")]}])

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
