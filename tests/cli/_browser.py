"""Headless Chromium: pages as a reader sees them, measured by a script that is put into a copy."""
import html
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile

# Runs in the page and tells the page around it what it finds.
MEASURE = r"""
<script>
const box = e => { const r = e.getBoundingClientRect();
  return {left: r.left, top: r.top, right: r.right, bottom: r.bottom}; };
const seen = e => { const r = e.getBoundingClientRect();
  return r.width > 0 && r.height > 0 && getComputedStyle(e).visibility !== 'hidden'; };
const channels = text => (text.match(/[\d.]+/g) || []).map(Number);
const luminance = c => { const [r, g, b] = c.slice(0, 3).map(x => { x /= 255;
  return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4; });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const ground_of = e => { for (; e; e = e.parentElement) {
    const own = e.querySelector && e.tagName === 'svg' ? e.querySelector(':scope > .ground') : null;
    const c = channels(own ? getComputedStyle(own).fill : getComputedStyle(e).backgroundColor);
    if (c.length === 3 || c[3] > 0) return c; }
  return [255, 255, 255]; };
const contrast = (colour, ground) => { const a = luminance(colour), b = luminance(ground);
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); };
function measure() {
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; node = walker.nextNode();) {
    const e = node.parentElement;
    if (!node.data.trim() || !seen(e) || ['SCRIPT', 'STYLE', 'title', 'desc'].includes(e.tagName)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const size = parseFloat(getComputedStyle(e).fontSize);
    const inside = e instanceof SVGElement;
    const scale = inside ? e.getScreenCTM().a : 1;
    const look = getComputedStyle(e);
    texts.push({words: node.data.trim().slice(0, 60), size: size * scale,
      contrast: contrast(channels(inside ? look.fill : look.color), ground_of(e)),
      scrolls: !!e.closest('.scroll'), ...box(range)});
  }
  const pictures = [...document.querySelectorAll('svg.plaudit:not(.icon)')].filter(seen).map(svg => ({
    kind: svg.getAttribute('class'), ...box(svg), title: svg.querySelector('title').textContent,
    texts: [...svg.querySelectorAll('text')].map(e => ({words: e.textContent, ...box(e)})),
    axis: [...svg.querySelectorAll('.axis')].map(box),
    claims: [...svg.querySelectorAll('.mark.claim')].map(e => ({css: e.getAttribute('class'), ...box(e)})),
    marks: [...svg.querySelectorAll('.mark')].map(box),
    bands: [...svg.querySelectorAll('.band')].map(box),
    gaps: [...svg.querySelectorAll('.distance')].map(box)}));
  const dead = [...document.querySelectorAll('a[href^="#"]')].filter(
    a => !document.getElementById(a.getAttribute('href').slice(1))).map(a => a.getAttribute('href'));
  const broken = [];  // short words and numbers in the cells of a table that stand on two lines
  for (const cell of document.querySelectorAll('td, th')) {
    const inside = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let node; node = inside.nextNode();) {
      if (!seen(node.parentElement)) continue;
      for (const word of node.data.matchAll(/\S+/g)) {
        if (word[0].length > (/^[-+0-9.e]+$/.test(word[0]) ? 30 : 14)) continue;
        const range = document.createRange();
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        if (new Set([...range.getClientRects()].map(r => Math.round(r.top))).size > 1) broken.push(word[0]);
      }
    }
  }
  return {width: innerWidth, wide: document.documentElement.scrollWidth,
    height: document.body.offsetHeight, texts, pictures, dead, broken,
    ground: luminance(channels(getComputedStyle(document.body).backgroundColor).slice(0, 3).concat([255, 255, 255]).slice(0, 3))};
}
addEventListener('load', () => parent.postMessage(JSON.stringify(measure()), '*'));
</script>
"""

FRAME = """<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<style>body{{margin:0}}iframe{{border:0;display:block}}</style>
<iframe src="page.html" width="{width}" height="{height}"></iframe><pre id="found"></pre>
<script>addEventListener('message', e => {{ document.getElementById('found').textContent = e.data; }});</script>
"""


def browser():
    """The program, or nothing where there is none."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return shutil.which(name)
    return None


def _chromium(folder, dark, *arguments):
    command = [browser(), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
               f"--user-data-dir={folder}/profile", "--no-first-run", "--disable-extensions",
               f"--blink-settings=preferredColorScheme={0 if dark else 1}", *arguments,
               pathlib.Path(folder, "frame.html").as_uri()]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=180,
                          env={**os.environ, "HOME": folder}, check=True).stdout.decode()


def look_at(page, width, dark, picture=None):
    """What is measured in the page in a window that wide; with `picture`, also a PNG of all of it.

    A frame of that width stands for the window, since windows of Chromium are at least 500 wide."""
    with tempfile.TemporaryDirectory() as folder:
        page = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)  # ours alone
        if page.startswith("<svg"):
            page = ('<!doctype html><meta charset="utf-8"><meta name="color-scheme" '
                    'content="light dark"><body style="margin:0">' + page + "</body>")
        end = page.rindex("</body>")
        pathlib.Path(folder, "page.html").write_text(page[:end] + MEASURE + page[end:], "utf-8")

        def framed(height):
            pathlib.Path(folder, "frame.html").write_text(FRAME.format(width=width, height=height))

        framed(900)
        window = max(width, 500)
        dom = _chromium(folder, dark, f"--window-size={window},900", "--virtual-time-budget=5000",
                        "--dump-dom")
        found = re.search(r'<pre id="found">(.*?)</pre>', dom, re.S)
        result = json.loads(html.unescape(found.group(1)))
        if picture:
            height = min(int(result["height"]), 12000)
            framed(height)
            _chromium(folder, dark, f"--window-size={window},{height}", f"--screenshot={picture}")
            result["png"] = png_size(picture)
        return result


def png_size(name):
    data = pathlib.Path(name).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", name
    return struct.unpack(">II", data[16:24])


def overlap(a, b, slack=1.0):
    """Whether two boxes of text have a common area; lines are higher than what is written in them."""
    high = 0.15 * min(a["bottom"] - a["top"], b["bottom"] - b["top"])
    return (a["left"] + slack < b["right"] and b["left"] + slack < a["right"] and
            a["top"] + high < b["bottom"] and b["top"] + high < a["bottom"])
