"""A headless Chromium that shows a page, through chromedriver; nothing but Python's own library."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.request

CHROMIUM = next((found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None)
DRIVER = shutil.which("chromedriver")


def available():
    return CHROMIUM is not None and DRIVER is not None


class Browser:
    """A context: `with Browser() as browser: browser.open(path)`."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.log = os.path.join(self.folder.name, "driver.log")
        with open(self.log, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen([DRIVER, "--port=0"], stdout=log, stderr=log)
        try:
            self.address = f"http://127.0.0.1:{self._port()}"
            arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--user-data-dir={self.folder.name}/profile"]
            capabilities = {"browserName": "chrome", "goog:chromeOptions": {"binary": CHROMIUM, "args": arguments}, "goog:loggingPrefs": {"browser": "ALL"}}
            self.session = f"/session/{self._ask('POST', '/session', {'capabilities': {'alwaysMatch': capabilities}})['sessionId']}"
        except BaseException:
            self.process.terminate()
            raise
        return self

    def __exit__(self, *_):
        try:
            self._ask("DELETE", self.session)
        finally:
            self.process.terminate()
            self.process.wait()
            self.folder.cleanup()

    def _port(self):
        for _ in range(100):
            with open(self.log, encoding="utf-8") as log:
                text = log.read()
            if "successfully on port " in text:
                return int(text.split("successfully on port ")[1].split(".")[0])
            time.sleep(0.1)
        raise RuntimeError("chromedriver did not start: " + text)

    def _ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def cdp(self, command, **parameters):
        return self._ask("POST", f"{self.session}/goog/cdp/execute", {"cmd": command, "params": parameters})

    def look(self, width, height, dark=False, scale=1):
        """Sets the size of the window in pixels, and whether the reader wants dark pages."""
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=width < 600)
        self.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def open(self, path, address=""):
        """Shows a file, with `address` behind its name, and waits until the page says that it is drawn."""
        self._ask("POST", f"{self.session}/url", {"url": "about:blank"})
        self._ask("POST", f"{self.session}/url", {"url": "file://" + os.path.abspath(path) + address})
        for _ in range(200):
            if self.run("return document.body.dataset.drawn") is not None:
                return
            time.sleep(0.05)
        raise RuntimeError(f"{path} was not drawn; the console says: {self.console()}")

    def run(self, script, *arguments):
        """What a function of this body returns."""
        return self._ask("POST", f"{self.session}/execute/sync", {"script": script, "args": list(arguments)})

    def frame(self, number):
        """From now on scripts run in this frame; None: in the page."""
        self._ask("POST", f"{self.session}/frame", {"id": number})

    def keys(self, text):
        """Types into what has the focus."""
        actions = [action for key in text for action in ({"type": "keyDown", "value": key}, {"type": "keyUp", "value": key})]
        self._ask("POST", f"{self.session}/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def console(self):
        """What was written to the console since the last call, errors of scripts included."""
        return [entry["message"] for entry in self._ask("POST", f"{self.session}/se/log", {"type": "browser"})]

    def screenshot(self, path, full=False):
        """The window, or all of the page, as PNG."""
        if full:
            height = self.run("return document.documentElement.scrollHeight")
            width = self.run("return document.documentElement.clientWidth")
            data = self.cdp("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip={"x": 0, "y": 0, "width": width, "height": height, "scale": 1})["data"]
        else:
            data = self._ask("GET", f"{self.session}/screenshot")
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
