#!/usr/bin/env python3
"""Checks reports in a browser: `check.py REPORTS DIR`, where REPORTS has samples.html, large.html and long.html.

Writes screenshots to DIR.
"""
import pathlib
import sys

from browser import Browser

failures = []


def expect(what, is_so, found=""):
    print(f"{'ok  ' if is_so else 'FAIL'} {what}{f': {found}' if not is_so else ''}")
    if not is_so:
        failures.append(what)


FOCUS = "document.activeElement"
FIRST = "document.querySelector('.list tbody th').textContent"
STATUS = "document.querySelector('.pages [role=status]').textContent"


def opens(browser, page):
    milliseconds = browser.load(page.as_uri())
    print(f"     {page.name}: {page.stat().st_size} bytes, loaded in {milliseconds:.0f} ms")
    expect("the page requests nothing but itself", browser.requests() == [page.as_uri()], browser.requests())
    expect("the console has no messages", browser.console_messages() == [], browser.console_messages())
    expect("the page has at most 20 MB", page.stat().st_size <= 20_000_000)


def reaches(browser, condition, limit=60):
    """Presses Tab until the condition holds. Returns whether it does within `limit` presses."""
    for _ in range(limit):
        browser.tab()
        if browser.value(condition):
            return True
    return False


def headline(browser, expected):
    found = browser.value("document.querySelector('h1').textContent")
    expect(f"the headline is \"{expected}\"", found == expected, found)


def filters(browser, text, rows):
    expect("the keyboard reaches the filter", reaches(browser, f"{FOCUS}.type === 'search'", 400))
    before = browser.value(STATUS)
    browser.type(text)
    expect("typing filters the list", browser.wait(f"{STATUS} !== {before!r}"), before)
    # The list is updated some time after each letter.
    seen = "[...document.querySelectorAll('.list tbody tr')]"
    has_it = f"{seen}.every(row => row.textContent.toLowerCase().includes({text!r}))"
    expect(f"{rows} rows are visible, and each has the text", browser.wait(f"{seen}.length === {rows} && {has_it}"),
           browser.value(STATUS))
    for _ in text:
        browser.press("Backspace", 8)
    expect("clearing the filter restores the list", browser.wait(f"{STATUS} === {before!r}"), browser.value(STATUS))


def sorts(browser, title, directions):
    expect(f"the keyboard reaches the column header {title}", reaches(browser, f"{FOCUS}.textContent === '{title}'"))
    for direction in directions:
        browser.enter()
        expect(f"{title} is {direction}", browser.value(f"{FOCUS}.parentElement.ariaSort") == direction)
        cells = browser.value(
            "[...document.querySelectorAll('.list tbody tr')].map(row => row.children["
            f"[...{FOCUS}.closest('tr').children].indexOf({FOCUS}.parentElement)].textContent)")
        sizes = [size(cell) for cell in cells if cell]
        expect("the rows are in that order", sizes == sorted(sizes, reverse=direction == "descending"), sizes[:9])


def rejects(browser):
    """Checks the filter for images that a rule would reject. One of the measured images is gray, so has no cast."""
    before = browser.value(STATUS)
    menu = "[...document.querySelectorAll('.filters select')].find(menu => menu.options[0].text === 'no rule')"
    limit = "document.querySelector('.filters input[type=number]')"

    def found(rule, value):
        browser.value(f"(menu => {{ menu.value = [...menu.options].find(one => one.text === '{rule}').value; "
                      f"menu.dispatchEvent(new Event('change')); }})({menu})")
        browser.value(f"(limit => {{ limit.value = '{value}'; limit.dispatchEvent(new Event('input')); }})({limit})")
        status = browser.value(STATUS)
        return 0 if status.startswith("No ") else int(status.split(" ")[2])

    measured = found("Shorter side is below", 100_000)
    expect("images are filtered by their shorter side", found("Shorter side is below", 1) == 0
           and 0 < found("Shorter side is below", 800) < measured)
    gray = measured - found("Color cast is below", 100_000)
    expect("an image without a color cast breaks no rule about it", gray == 1, gray)
    for title in ("5th percentile", "95th percentile", "Black", "White"):
        expect(f"images are filtered by {title}", found(f"{title} is below", 100_000) == measured)
    titles = browser.value("[...document.querySelectorAll('.measures strong')].map(title => title.textContent)")
    expect("each measure has a distribution", {"Black", "Color cast", "Shorter side"} <= set(titles), titles)
    found("no rule", "")
    expect("without a rule all files are listed", browser.value(STATUS) == before)


def size(cell):
    number, unit = cell.split(" ")
    return float(number.replace(",", "")) * {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}[unit]


def enlarges(browser):
    browser.value("document.activeElement.blur(), scrollTo(0, 0)")
    browser.value("document.querySelector('.skip').focus()")
    expect("the keyboard reaches an image", reaches(browser, f"{FOCUS}.className === 'pair'"))
    browser.enter()
    expect("it is enlarged", browser.value("document.querySelector('dialog').open"))
    expect("before and after are shown", browser.value(
        "[...document.querySelectorAll('dialog img')].filter(image => image.naturalWidth > 0).length > 0"))
    browser.press("ArrowRight", 39)
    browser.press("ArrowLeft", 37)
    browser.escape()
    expect("Escape closes it", not browser.value("document.querySelector('dialog').open"))
    expect("the focus is back on the image", browser.value(f"{FOCUS}.className === 'pair'"))


def pages(browser):
    first = browser.value(FIRST)
    expect("the keyboard reaches the next page", reaches(browser, f"{FOCUS}.textContent === 'Next'", 400))
    browser.enter()
    expect("it shows other rows", browser.value(FIRST) != first)
    expect("a page has 100 rows", browser.value("document.querySelectorAll('.list tbody tr').length") == 100)


def fits(browser, name):
    """Checks that nothing is wider than the window."""
    found = browser.value("document.documentElement.scrollWidth - innerWidth")
    expect(f"{name}: nothing is wider than the window", found <= 0, found)


def contrasts(browser, scheme):
    """Checks the WCAG contrast of every text with its nearest opaque background."""
    found = browser.value("""(() => {
        const channels = (color) => color.match(/[\\d.]+/g).map(Number);
        const light = (color) => channels(color).slice(0, 3).map((value) => value / 255)
          .map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
          .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
        const ground = (element) => {
          for (let one = element; one; one = one.parentElement) {
            const color = getComputedStyle(one).backgroundColor;
            if ((channels(color)[3] ?? 1) === 1) return color;
          }
          return "rgb(255, 255, 255)";
        };
        const poor = new Set();
        for (const element of document.body.querySelectorAll("*")) {
          const isText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
          if (!isText || element.disabled || !element.checkVisibility()) continue;
          const [a, b] = [light(getComputedStyle(element).color), light(ground(element))].sort((x, y) => y - x);
          const ratio = (a + 0.05) / (b + 0.05);
          if (ratio < 4.5) poor.add(`${element.tagName}.${element.className} ${ratio.toFixed(2)}`);
        }
        return [...poor];
    })()""")
    expect(f"{scheme}: every text has a contrast of 4.5 or more", found == [], found)


def check_layouts(browser, name, directory):
    for scheme, width, height in [("light", 1280, 900), ("dark", 1280, 900), ("light", 390, 844), ("dark", 390, 844)]:
        browser.set_window(width, height, scheme)
        browser.value("document.activeElement.blur(), scrollTo(0, 0)")
        kind = f"{name}-{scheme}{'-narrow' if width < 500 else ''}"
        browser.screenshot(directory / f"{kind}.png")
        browser.screenshot(directory / f"{kind}-whole.png", whole=True)
        fits(browser, kind)
        contrasts(browser, kind)
    browser.set_window(1280, 900)


def without_script(browser, page, directory):
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.load(page.as_uri())
    expect(
        "without scripts the failures are listed", browser.value("document.querySelectorAll('.problems li').length") > 0
    )
    browser.screenshot(directory / "samples-no-script.png", whole=True)
    browser.call("Emulation.setScriptExecutionDisabled", value=False)


def main():
    reports, directory = (pathlib.Path(name).resolve() for name in sys.argv[1:])
    samples, large, long = (reports / f"{name}.html" for name in ("samples", "large", "long"))
    directory.mkdir(parents=True, exist_ok=True)
    with Browser() as browser:
        browser.set_window(1280, 900)
        opens(browser, samples)
        headline(browser, "22 of 26 files are ready, 4 are not")
        filters(browser, "throat", 6)
        sorts(browser, "Before", ["descending", "ascending"])
        rejects(browser)
        enlarges(browser)
        browser.value("document.querySelector('.pair').click()")
        browser.screenshot(directory / "samples-enlarged.png")
        browser.escape()
        check_layouts(browser, "samples", directory)
        without_script(browser, samples, directory)

        opens(browser, large)
        headline(browser, "98,817 of 100,000 files are ready, 1,183 are not")
        filters(browser, "patient-01234", 40)
        sorts(browser, "After", ["descending", "ascending"])
        browser.value("document.querySelector('.skip').focus()")
        pages(browser)
        opens(browser, large)
        check_layouts(browser, "large", directory)

        opens(browser, long)
        headline(browser, "5,931 of 6,000 files are ready, 69 are not")
        note = browser.value("document.querySelector('#files .note:not(noscript *)').textContent")
        listed = int(browser.value(STATUS).split(" of ")[1].split(" ")[0].replace(",", ""))
        expected = f"{6000 - listed:,} files are not listed"
        expect("the page states how many files are not listed", note.startswith(expected), note)
        check_layouts(browser, "long", directory)
    if failures:
        sys.exit(f"{len(failures)} expectations were not met")


main()
