"""Debian's Chromium without a window, by the DevTools protocol through a pipe."""

import base64
import itertools
import json
import os
import shutil
import subprocess
import tempfile
import time

PATIENCE = 60  # seconds that an answer may take


def find():
    """The program; None where it is not installed."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Browser:
    """with Browser() as browser: page = browser.open(file)"""

    def __enter__(self):
        self.profile = tempfile.mkdtemp(prefix="tileiras-report-test-")
        ours, theirs = os.pipe(), os.pipe()  # what Chromium reads, and what it writes
        command = [find(), "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                   "--no-first-run", "--disable-extensions", "--disable-background-networking", "--disable-dev-shm-usage",
                   f"--user-data-dir={self.profile}", "--window-size=1500,1000", "about:blank"]

        def arrange():
            os.dup2(ours[0], 30)
            os.dup2(theirs[1], 31)
            os.dup2(30, 3)
            os.dup2(31, 4)

        self.process = subprocess.Popen(command, preexec_fn=arrange, close_fds=False, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(ours[0])
        os.close(theirs[1])
        self.writer, self.reader = os.fdopen(ours[1], "wb", buffering=0), theirs[0]
        os.set_blocking(self.reader, False)
        self.rest, self.numbers, self.answers, self.events = b"", itertools.count(1), {}, []
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
        except (OSError, RuntimeError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.writer.close()
        os.close(self.reader)
        shutil.rmtree(self.profile, ignore_errors=True)

    def receive(self):
        try:
            read = os.read(self.reader, 1 << 20)
        except BlockingIOError:
            time.sleep(0.005)
            return
        if not read:
            raise RuntimeError("Chromium has ended")
        *messages, self.rest = (self.rest + read).split(b"\0")
        for message in map(json.loads, messages):
            if "id" in message:
                self.answers[message["id"]] = message
            else:
                self.events.append(message)

    def call(self, method, session=None, **parameters):
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters, **({"sessionId": session} if session else {})}
        self.writer.write(json.dumps(message).encode() + b"\0")
        end = time.monotonic() + PATIENCE
        while number not in self.answers:
            self.receive()
            if time.monotonic() > end:
                raise RuntimeError(f"Chromium does not answer {method}")
        answer = self.answers.pop(number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def open(self, file, dark=False, width=1500, height=1000):
        return Page(self, file, dark, width, height)


class Page:
    """An opened page. `requests`: what it has loaded; `errors`: what went wrong in it."""

    def __init__(self, browser, file, dark, width, height):
        self.browser = browser
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Page.navigate", url=f"file://{file}")
        end = time.monotonic() + PATIENCE
        while self.evaluate("document.documentElement && document.documentElement.dataset.ready") != "true":
            if self.errors or time.monotonic() > end:
                raise RuntimeError(f"{file} does not become ready: {self.errors}")
            time.sleep(0.02)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def evaluate(self, script):
        """The value of a JavaScript expression, as JSON has it."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def _events(self, method):
        return [event["params"] for event in self.browser.events
                if event.get("sessionId") == self.session and event["method"] == method]

    @property
    def errors(self):
        told = [event["exceptionDetails"].get("exception", {}).get("description", "an exception")
                for event in self._events("Runtime.exceptionThrown")]
        told += [str([argument.get("value") for argument in event["args"]])
                 for event in self._events("Runtime.consoleAPICalled") if event["type"] in ("error", "warning", "assert")]
        return told + [event["entry"]["text"] for event in self._events("Log.entryAdded")
                       if event["entry"]["level"] in ("error", "warning")]

    @property
    def requests(self):
        return [event["request"]["url"] for event in self._events("Network.requestWillBeSent")]

    def move_to(self, selector, index=0):
        """The pointer to an element, near its left side, which is brought into view. Returns the place."""
        self.call("Page.bringToFront")
        x, y = self.evaluate(f"""(() => {{
          const node = document.querySelectorAll({json.dumps(selector)})[{index}];
          node.scrollIntoView({{block: "center"}});
          const box = node.getBoundingClientRect();
          return [box.left + Math.min(box.width / 2, 40), box.top + box.height / 2];
        }})()""")
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        return x, y

    def click(self, selector, index=0):
        x, y = self.move_to(selector, index)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def screenshot(self, file):
        """Of the whole page."""
        height = min(self.evaluate("document.documentElement.scrollHeight"), 12000)
        width = self.evaluate("innerWidth")
        data = self.call("Page.captureScreenshot", captureBeyondViewport=True,
                         clip={"x": 0, "y": 0, "width": width, "height": height, "scale": 1})["data"]
        with open(file, "wb") as out:
            out.write(base64.b64decode(data))
