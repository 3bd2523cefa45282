"""Controls headless Chromium through a pipe with the DevTools protocol: pages, keys and screenshots."""
import base64
import json
import os
import select
import subprocess
import tempfile
import time


class Browser:
    """A browser with one page. The end of a `with` block stops it."""

    def __init__(self, program="chromium"):
        self.profile = tempfile.TemporaryDirectory()
        to_browser, self.to_browser = os.pipe()
        self.from_browser, from_browser = os.pipe()

        # Chromium reads descriptor 3 and writes descriptor 4. Copies at 100 and 101 keep dup2 from overwriting one.
        def descriptors():
            os.dup2(to_browser, 100)
            os.dup2(from_browser, 101)
            os.dup2(100, 3)
            os.dup2(101, 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--hide-scrollbars",
             "--force-prefers-reduced-motion", f"--user-data-dir={self.profile.name}", "about:blank"],
            close_fds=False, preexec_fn=descriptors, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.number, self.session, self.events = b"", 0, None, []
        pages = [one for one in self.call("Target.getTargets")["targetInfos"] if one["type"] == "page"]
        self.session = self.call("Target.attachToTarget", targetId=pages[0]["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.to_browser)
        self.process.terminate()
        self.process.wait(20)
        self.profile.cleanup()

    def _message(self, deadline):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.from_browser], [], [], max(0, deadline - time.monotonic()))
            data = os.read(self.from_browser, 1 << 20) if ready else b""
            if not data:
                raise RuntimeError("the browser does not respond" if not ready else "the browser has exited")
            self.buffer += data
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        """Calls `method` and returns its result. Events that arrive before the result are kept."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_browser, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + 60
        while True:
            answer = self._message(deadline)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def load(self, url):
        """Opens `url`, and returns the milliseconds until it is loaded."""
        self.events.clear()
        self.call("Page.navigate", url=url)
        deadline = time.monotonic() + 60
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self.events.append(self._message(deadline))
        return self.value("performance.getEntriesByType('navigation')[0].loadEventStart")

    def value(self, expression):
        """Evaluates an expression in the page, and waits if it is a promise."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait(self, condition):
        """Waits until the expression is true. Returns false after a minute."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if self.value(condition):
                return True
            time.sleep(0.02)
        return False

    def press(self, key, code=0, text="", modifiers=0):
        """Presses and releases a key."""
        key_parts = {"key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **key_parts)
        self.call("Input.dispatchKeyEvent", type="keyUp", **key_parts)

    def tab(self, backwards=False):
        self.press("Tab", 9, modifiers=8 if backwards else 0)

    def enter(self):
        self.press("Enter", 13, "\r")

    def escape(self):
        self.press("Escape", 27)

    def type(self, text):
        for letter in text:
            self.press(letter, ord(letter.upper()), letter)

    def requests(self):
        """Returns the URLs that the page requested, except `data:` URLs."""
        asked = [one["params"]["request"]["url"] for one in self.events if one["method"] == "Network.requestWillBeSent"]
        return [url for url in asked if not url.startswith("data:")]

    def console_messages(self):
        """Returns all console messages, including exceptions and violations of the content security policy."""
        methods = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")
        return [one["params"] for one in self.events if one["method"] in methods]

    def set_window(self, width, height, scheme="light"):
        """Sets the window's size and the preferred color scheme."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def screenshot(self, path, whole=False):
        options = {"captureBeyondViewport": True, "clip": None} if whole else {}
        if whole:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            options["clip"] = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 8000), "scale": 1}
        data = self.call("Page.captureScreenshot", **options)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
