"""Check the built site: every link leads to a file and an anchor, nothing is fetched from elsewhere.

    python -m docs.site.check build/docs/html              # links
    python -m docs.site.check build/docs/html --browser    # in headless Chromium, too

In Chromium, pages of each kind are opened from files at widths of a telephone and of a screen, in light and
in dark. They must write nothing to the console, be no wider than the window, and cut no text off. Texts
stand out from what is behind them as WCAG 2 asks at level AA. All that can be clicked is reached by the
keyboard, in the order of the page, and has a name; images have words. The search must find a name.
"""

from __future__ import annotations

import argparse
import html
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

# What a browser fetches by itself, rather than when a reader follows it.
FETCHED = {"script": "src", "img": "src", "link": "href", "source": "src", "iframe": "src"}
# Of these, only addresses that the browser does not fetch may be of other sites.
NOT_FETCHED = {"canonical", "next", "prev", "search", "index"}
# Whether pages have a menu, which a link at their beginning leads past.
MENU = True
SEARCHED, FOUND = "rotate", "pipeport.skimage.transform.rotate.html"
# One page of each kind.
OPENED = (
    "index.html",
    "docs/guides/index.html",
    "docs/guides/comparison.html",
    "docs/run.html",
    "docs/codes.html",
    "docs/rules.html",
    "docs/api/index.html",
    "docs/api/gallery.html",
    "docs/api/speed.html",
    "docs/api/pipeport.skimage.transform.rotate.html",
    "docs/api/pipeport.numpy._reductions.html",
    "recipes/rotation/README.html",
)
# All but what the theme tells of its own steps.
CONSOLE = re.compile(r"CONSOLE.*?\] (?!\"\[PST\]: )(.*)")


class _Page(HTMLParser):
    """The anchors and links of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag is called and where it leads."""
        given = dict(attrs)
        self.anchors.update(value for name in ("id", "name") if (value := given.get(name)))
        target = given.get(FETCHED.get(tag, "href"))
        if target and (tag in FETCHED or tag == "a"):
            self.links.append(target)
            if tag in FETCHED and not NOT_FETCHED & set((given.get("rel") or "").split()):
                self.fetched.append(target)


def pages(site: Path) -> list[Path]:
    """Return the pages of a site; what lies under `_static` is the theme's."""
    return sorted(file for file in site.rglob("*.html") if "_static" not in file.parts)


@cache
def _read(file: Path) -> _Page:
    found = _Page()
    found.feed(file.read_text(encoding="utf-8"))
    return found


def broken(site: Path) -> list[str]:
    """Return the links of a site that lead nowhere, and what it would fetch from other sites.

    Parameters
    ----------
    site : Path
        The folder of its pages.

    Returns
    -------
    list of str
        The page and the target of each.
    """
    _read.cache_clear()
    wrong = []
    for file in pages(site):
        page = _read(file)
        for target in page.links:
            parts = urllib.parse.urlsplit(target)
            if parts.scheme or parts.netloc:
                if target in page.fetched and parts.scheme != "data":
                    wrong.append(f"{file.relative_to(site)}: fetches {target}")
                continue
            to = (file.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else file
            to = to / "index.html" if to.is_dir() else to
            anchor = urllib.parse.unquote(parts.fragment)
            if not to.is_file() or (
                anchor and to.suffix == ".html" and anchor not in _read(to).anchors | {"top"}
            ):
                wrong.append(f"{file.relative_to(site)}: {target}")
    return wrong


# --- in a browser ----------------------------------------------------------------------------------

# Opens each page in a frame of each width and theme, and writes down how wide its contents are, which texts
# are hard to read, and what the keyboard does not reach.
_FRAMES = r"""<!doctype html><pre id="found"></pre><script>
const show = (text) => (document.getElementById("found").textContent += text + "\n");
const colour = (text) => {
  const [r, g, b, a = 1] = (text.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number);
  return { rgb: text.startsWith("color(srgb") ? [r, g, b].map((v) => 255 * v) : [r, g, b], a };
};
const over = (top, below) => top.rgb.map((v, i) => v * top.a + below[i] * (1 - top.a));
const behind = (one) => {
  const layers = [];
  for (; one; one = one.parentElement) {
    const style = getComputedStyle(one);
    if (style.backgroundImage !== "none") return null;
    layers.push(colour(style.backgroundColor));
    if (layers.at(-1).a === 1) break;
  }
  return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
};
const light = (rgb) => {
  const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const [r, g, b] = rgb.map((v) => linear(v / 255));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (one, rgb) => {
  const style = getComputedStyle(one);
  const [high, low] = [light(over(colour(style.color), rgb)), light(rgb)].sort((x, y) => y - x);
  const size = parseFloat(style.fontSize);
  const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
  return { ratio: (high + 0.05) / (low + 0.05), wanted: large ? 3 : 4.5 };
};
const faint = (inside) => {
  const worst = new Map();
  for (const one of inside.querySelectorAll("body *")) {
    const text = [...one.childNodes].find((n) => n.nodeType === 3 && n.data.trim())?.data.trim();
    if (!text || !one.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const rgb = behind(one);
    const { ratio, wanted } = rgb ? contrast(one, rgb) : { ratio: 21, wanted: 0 };
    const key = getComputedStyle(one).color + rgb + wanted;
    if (ratio < wanted && !worst.has(key)) worst.set(key, `${ratio.toFixed(2)}: ${text.slice(0, 40)}`);
  }
  return [...worst.values()];
};
const unreached = (inside) => {
  const wrong = [];
  const seen = [...inside.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")];
  for (const one of seen.filter((e) => e.checkVisibility({ visibilityProperty: true }))) {
    if (one.tabIndex > 0) wrong.push(`out of order: ${one.outerHTML.slice(0, 80)}`);
    const label = one.ariaLabel || one.title || one.textContent.trim() || one.querySelector("img[alt]");
    const named = one.labels?.length || label || one.getAttribute("aria-labelledby") || one.placeholder;
    if (!named && one.tabIndex === 0) wrong.push(`without a name: ${one.outerHTML.slice(0, 80)}`);
  }
  for (const one of inside.querySelectorAll("[onclick]:not(a, button, input), [role=button]:not(button)"))
    if (one.tabIndex < 0) wrong.push(`not reached: ${one.outerHTML.slice(0, 80)}`);
  for (const one of inside.querySelectorAll("img:not([alt])")) wrong.push(`without words: ${one.src}`);
  const first = seen.find((e) => e.tabIndex === 0)?.getAttribute("href") || "";
  if (MENU && !first.startsWith("#")) wrong.push("no link past the menu comes first");
  return [...new Set(wrong)];
};
const open = (page, width, theme) => new Promise((done) => {
  const frame = document.createElement("iframe");
  frame.style = `width:${width}px;height:900px;border:0`;
  frame.onload = () => {
    const inside = frame.contentDocument;
    inside.documentElement.dataset.theme = theme;
    setTimeout(() => {
      const wide = inside.documentElement.scrollWidth;
      const cut = [...inside.querySelectorAll("h1, h2, h3, p, dt")].find(
        (one) => one.clientWidth && one.scrollWidth > one.clientWidth + 1,
      );
      const found = wide > width ? "wide" : cut ? "cut" : "fits";
      const where = `${page} at ${width}, ${theme}`;
      for (const text of faint(inside)) show(`contrast ${where}: ${text}`);
      for (const text of unreached(inside)) show(`keyboard ${where}: ${text}`);
      show(`${found} ${where}: ${found === "cut" ? cut.textContent : wide}`);
      frame.remove();
      done();
    }, 500);
  };
  frame.src = page;
  document.body.append(frame);
});
(async () => { for (const one of PAGES) await open(...one); show("done"); })();
</script>"""
# Widths of a telephone and of a screen, and the theme's colours.
VIEWS = ((400, "light"), (1400, "light"), (1400, "dark"))


def _dom(browser: str, address: str, milliseconds: int) -> tuple[str, list[str]]:
    """Return a page as the browser has it after some time, and what it wrote to the console."""
    with tempfile.TemporaryDirectory() as profile:
        options = ("--headless=new", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files")
        done = subprocess.run(
            (
                browser,
                *options,
                "--enable-logging=stderr",
                f"--user-data-dir={profile}",
                f"--virtual-time-budget={milliseconds}",
                "--dump-dom",
                address,
            ),
            capture_output=True,
            text=True,
            check=True,
            timeout=300,
        )
    return done.stdout, CONSOLE.findall(done.stderr)


def in_browser(site: Path, browser: str) -> list[str]:
    """Return what is wrong with a site in Chromium.

    Parameters
    ----------
    site : Path
        The folder of its pages.
    browser : str
        The program.

    Returns
    -------
    list of str
        Messages of the console, pages wider than the window, texts that are hard to read, what the keyboard
        does not reach or no name tells, and a search that finds nothing.
    """
    opened = [[(site / page).resolve().as_uri(), *view] for page in OPENED for view in VIEWS]
    with tempfile.TemporaryDirectory() as folder:
        frames = Path(folder) / "frames.html"
        program = _FRAMES.replace("PAGES", repr(opened)).replace("MENU", str(MENU).lower())
        frames.write_text(program, encoding="utf-8")
        text, console = _dom(browser, frames.as_uri(), 2000 * len(opened))
    told = re.search(r'<pre id="found">(.*?)</pre>', text, flags=re.DOTALL)
    lines = html.unescape(told[1]).splitlines() if told else []
    wrong = [f"console: {line}" for line in console] + [
        line for line in lines if not line.startswith(("fits ", "done"))
    ]
    answers = sum(line.startswith(("fits ", "wide ", "cut ")) for line in lines)
    if answers != len(opened) or lines[-1:] != ["done"]:
        wrong.append(f"{len(opened)} pages were to be opened, and {answers} answers came back")
    text, console = _dom(browser, f"{(site / 'search.html').resolve().as_uri()}?q={SEARCHED}", 20_000)
    wrong += [f"console: {line}" for line in console]
    if FOUND not in text:
        wrong.append(f"the search for {SEARCHED} does not find {FOUND}")
    return wrong


def main() -> None:
    """Check a site; the exit code is 1 if something is wrong."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("site", type=Path)
    arguments.add_argument("--browser", action="store_true", help="open pages in Chromium, too")
    given = arguments.parse_args()
    wrong = broken(given.site)
    count = len(pages(given.site))
    if given.browser:
        browser = shutil.which("chromium")
        if browser is None:
            raise SystemExit("--browser: got no program `chromium` on the path; install it, or leave it out.")
        wrong += in_browser(given.site, browser)
    for line in wrong:
        sys.stderr.write(line + "\n")
    if not count:
        wrong.append("no page")
    sys.stderr.write(f"{count} pages, {len(wrong)} faults\n")
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
