#!/usr/bin/env python3
"""verify_page.py SITE [SCREENSHOTS]: the page "Verify anywhere" as people use it, in headless Chromium.

SITE is the folder that a static server would show (build-web/site, made by ./dev web). Asks for the number of the README,
the curve, a calibration and a certificate; has an honest certificate accepted and a forged one refused; stops a long
question. Says what it measured; fails where a number, a time or a size is not what the documentation promises.
Skipped (77) where there is no Chromium or no module.
"""
import base64
import functools
import gzip
import http.server
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

MOST_BYTES = 6_000_000  # compressed: all that the page loads to answer and to check in C++
MOST_SECONDS = 1.0      # of the README's run, after loading
README = "2.0858983612951"
PATIENCE = float(os.environ.get("PLAUDIT_WEB_PATIENCE", "300"))  # seconds for one thing to appear, on a busy machine


class Server(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm",
                      ".mjs": "text/javascript", ".js": "text/javascript"}
    asked = []

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.asked.append(self.path)
        super().do_GET()


class Browser:
    """Chromium, spoken to through pipes: one JSON text after the other, each ended by a zero byte."""

    def __init__(self, program, profile):
        to_read, self.to = os.pipe()
        self.back, to_write = os.pipe()
        wired = f"exec 3<&{to_read} 4>&{to_write}; exec \"$@\""
        self.process = subprocess.Popen(
            ["bash", "-c", wired, "bash", program, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--no-first-run", "--disable-background-networking", "--disable-component-update", f"--user-data-dir={profile}",
             "--remote-debugging-pipe"], pass_fds=(to_read, to_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.rest, self.count, self.session = b"", 0, None

    def say(self, method, **params):
        self.count += 1
        message = {"id": self.count, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.rest:
                more = os.read(self.back, 1 << 20)
                if not more:
                    raise RuntimeError("Chromium has ended")
                self.rest += more
            text, self.rest = self.rest.split(b"\0", 1)
            answer = json.loads(text)
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def open(self, address, width, height, phone=False):
        self.session = None
        target = self.say("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.say("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.say("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        self.say("Page.navigate", url=address)

    def do(self, script):
        found = self.say("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in found:
            raise RuntimeError(found["exceptionDetails"]["exception"].get("description", script))
        return found["result"].get("value")

    def wait(self, script, what):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = self.do(f"(value => document.readyState === 'complete' && (value instanceof Node || value))({script})")
            if found:
                return found
            time.sleep(0.1)
        raise RuntimeError(f"{what}: not within {PATIENCE} s; the page says: {self.do('document.body.innerText')}")

    def picture(self, path):
        height = self.do("document.documentElement.scrollHeight")
        width = self.do("innerWidth")
        shot = self.say("Page.captureScreenshot", captureBeyondViewport=True,
                        clip={"x": 0, "y": 0, "width": width, "height": height, "scale": 1})
        Path(path).write_bytes(base64.b64decode(shot["data"]))

    def end(self):
        try:
            self.session = None
            self.say("Browser.close")
        except (OSError, RuntimeError):
            pass
        self.process.wait(30)


failures = []


def expect(holds, what):
    if not holds:
        failures.append(what)
        print(f"FAILED: {what}")


def text(name):
    return f"document.getElementById('{name}')?.innerText"


def compressed(folder, paths):
    return sum(len(gzip.compress((folder / path).read_bytes(), 9)) for path in paths)


def fill(browser, **values):
    for name, value in values.items():
        browser.do(f"document.getElementById('{name}').value = {json.dumps(value)}")


def questions(browser, shots, name):
    browser.do("document.getElementById('tab-compute').click()")
    fill(browser, spec="poisson(gaussian(sigma=0.8), rate=0.004)^1000", delta="1e-7", digits="12")
    browser.do("document.getElementById('question').requestSubmit()")
    browser.wait(f"{text('epsilon')}", "epsilon")
    answer = browser.do(text("answer"))
    expect(README in answer and "ε ≤ 2.0859" in answer, f"the number of the README: {answer!r}")
    print(f"{name}: {' '.join(answer.split())}")
    browser.wait("document.querySelectorAll('#curve .dot').length === 25", "25 points of the curve")
    browser.do("document.getElementById('calibration').requestSubmit()")
    calibrated = browser.wait(text("suffices"), "calibration")
    expect("sigma = 0.9874796" in calibrated, f"the calibration of docs/calibration.md's kind: {calibrated!r}")
    if shots:
        browser.picture(f"{shots}/compute-{name}.png")


def times(browser):
    """Of the engine alone, again and again, as the page asks it."""
    milliseconds = browser.do("""(async () => {
      const {Engine} = await import('./threads.js');
      const engine = new Engine();
      await engine.load('plaudit.wasm');
      const found = [];
      for (let i = 0; i < 5; ++i) {
        const spec = `poisson(gaussian(sigma=0.8), rate=0.004)^${i === 0 ? 1000 : 1000 + i}`;
        found.push((await engine.ask('answer', JSON.stringify({spec, delta: '1e-7'}), 20)).milliseconds);
      }
      return [engine.seconds, engine.bytes, found];
    })()""")
    seconds, size, found = milliseconds
    print(f"the module: {size} bytes, loads in {seconds:.2f} s; the README's run takes {found[0]:.0f} ms, "
          f"others like it {', '.join(f'{each:.0f}' for each in found[1:])} ms")
    expect(found[0] <= 1000 * MOST_SECONDS, f"the README's run takes {found[0]} ms")


def certificates(browser, shots, name):
    browser.do("document.getElementById('certify').click()")
    browser.wait("document.querySelector('#actions a')", "a certificate")
    browser.do("document.querySelector('#actions button').click()")
    decided = "document.querySelector('.verdict.good, .verdict.bad') && !document.querySelector('#verdict .spin')"
    browser.wait(decided, "the verdict on a certificate made on the page")
    made = browser.do(text("verdict"))
    expect(made.startswith("Accepted") and "ε ≤ 2.0859" in made, f"what was made is accepted: {made!r}")
    browser.do("document.getElementById('forged').click()")
    browser.wait(decided, "the verdict on a forged certificate")
    forged = browser.do(text("verdict"))
    expect(forged.startswith("Refused"), f"a forged certificate is refused: {forged!r}")
    if shots:
        browser.picture(f"{shots}/refused-{name}.png")
    browser.do("document.getElementById('honest').click()")
    browser.wait(decided, "the verdict on an honest certificate")
    honest = browser.do(text("verdict"))
    print(f"{name}: {' '.join(honest.split())}")
    expect(honest.startswith("Accepted") and "ε ≤ 2.086" in honest and "Mixture" in honest, f"an honest certificate is accepted: {honest!r}")
    if shots:
        browser.picture(f"{shots}/accepted-{name}.png")
    return honest


def stopped(browser):
    browser.do("document.getElementById('tab-compute').click()")
    fill(browser, spec="with_replacement(gaussian(1, sensitivity=2), batch=16, population=1000)^128", delta="1e-6", digits="12")
    browser.do("document.getElementById('question').requestSubmit(); setTimeout(() => document.getElementById('stop').click(), 300)")
    browser.wait(f"{text('answer')}.includes('Stopped')", "a question that is stopped")
    fill(browser, spec="gaussian(sigma=0)", delta="1e-6", digits="6")
    browser.do("document.getElementById('question').requestSubmit()")
    browser.wait(f"{text('answer')}.includes('sigma must be a number > 0')", "what is wrong with a spec, after a stop")


def main():
    site, shots = Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None
    if shots:
        Path(shots).mkdir(parents=True, exist_ok=True)
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None or not (site / "verify/plaudit.wasm").exists():
        print("no Chromium, or no module (./dev web): skipped")
        return 77
    folder = site / "verify"
    engine = [path.name for path in folder.iterdir() if path.is_file()]
    size = compressed(folder, engine)
    print(f"the page with its engine: {size} bytes compressed by gzip -9")
    expect(size < MOST_BYTES, f"{size} bytes")
    if (folder / "python").exists():
        print(f"the checker in Python: {compressed(folder, [f'python/{path.name}' for path in (folder / 'python').iterdir()])} bytes "
              "compressed, loaded with the first certificate")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Server, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/verify/index.html"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(program, profile)
        try:
            for name, width, height in (("desktop", 1280, 800), ("phone", 390, 844)):
                browser.open(address, width, height, name == "phone")
                browser.wait("document.querySelector('.state.ready, .state.missing')", "the engine")
                questions(browser, shots, name)
                if name == "desktop":
                    times(browser)
                    honest = certificates(browser, shots, name)
                    expect(("Python" in honest) == (folder / "python").exists(), f"the checker in Python: {honest!r}")
                    stopped(browser)
                elif shots:
                    certificates(browser, shots, name)
                wide = browser.do("document.documentElement.scrollWidth")
                expect(wide <= width, f"{name}: the page is {wide} px wide")
        finally:
            browser.end()
    strange = [path for path in Server.asked if not path.startswith(("/verify/", "/favicon"))]
    expect(not strange, f"the page asks for {strange}")
    print("passed" if not failures else f"{len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
