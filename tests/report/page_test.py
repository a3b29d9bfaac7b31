#!/usr/bin/env python3
"""page_test.py TOOLS FOLDER SUBJECT: pages in Chromium. 77: it is not installed."""

import pathlib
import sys
import unittest

import browser
import pages

TOOLS, FOLDER = (pathlib.Path(argument).resolve() for argument in (sys.argv.pop(1), sys.argv.pop(1)))
SCREENSHOTS = FOLDER / "screenshots"


def count(page, selector):
    return page.evaluate(f"document.querySelectorAll({selector!r}).length")


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        cls.browser = browser.Browser().__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()

    def check(self, file, sections, name):
        """Opens a page in light and dark, wide and narrow. Returns the first."""
        opened = []
        for dark, width in ((False, 1500), (True, 1500), (False, 700)):
            page = self.browser.open(file, dark=dark, width=width)
            opened.append(page)
            self.assertEqual(page.evaluate("[...document.querySelectorAll('section')].map(node => node.id)"), sections)
            self.assertEqual(page.evaluate("document.documentElement.dataset.theme"), "dark" if dark else "light")
            self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width, "nothing sticks out")
            for section in sections:
                self.assertGreater(page.evaluate(f"document.getElementById('{section}').innerText.length"), 20, section)
            picture = SCREENSHOTS / f"{name}-{'dark' if dark else 'light'}-{width}.png"
            page.screenshot(picture)
            self.assertGreater(picture.stat().st_size, 30000, "there is something on the picture")
            # Letters can be read on what they stand on.
            self.assertGreater(page.evaluate(CONTRAST), 7)
            self.assertEqual(page.errors, [])
            self.assertEqual([url for url in page.requests if not url.startswith(("file:", "data:"))], [])
            self.assertEqual(len([url for url in page.requests if url.startswith("file:")]), 1)
        return opened[0]


CONTRAST = """(() => {
  const light = colour => { const parts = colour.match(/[\\d.]+/g).slice(0, 3).map(x => x / 255).map(x => x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4); return .2126 * parts[0] + .7152 * parts[1] + .0722 * parts[2]; };
  const style = getComputedStyle(document.body), [a, b] = [light(style.color), light(style.backgroundColor)];
  return (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
})()"""


class Matmul(PageTest):
    def test_page(self):
        file = pages.write_matmul(TOOLS, FOLDER)
        (unit,) = pages.read_data(file)
        data = unit["compilation"]
        page = self.check(file, ["overview", "run", "source", "schedule", "memory", "registers", "instructions", "clock", "passes",
                                 "options"], "matmul")
        self.assertEqual(page.evaluate("document.querySelector('#run').innerText.includes('clean')"), True)
        # Remarks stand at their lines.
        located = [remark for remark in data["remarks"] if remark.get("line")]
        self.assertEqual(count(page, "#source .remark"), len(located))
        self.assertEqual(page.evaluate("document.querySelector('#source .remark').previousElementSibling.querySelector('.number').textContent"),
                         str(min(remark["line"] for remark in located)))
        # A line of the source marks its PTX, and the other way round.
        page.click("#source .pane:first-child .row", 30)  # line 31: the MMA
        marked = page.evaluate("[...document.querySelectorAll('.pane:last-child .row.picked .text')].map(node => node.textContent)")
        self.assertTrue(any("wgmma.mma_async" in line for line in marked), marked[:5])
        page.click("#source .pane:last-child .row.picked")
        self.assertEqual(page.evaluate("document.querySelector('.pane:first-child .row.picked .number').textContent"), "31")
        # The schedule says lines of the source under the pointer, and marks what else is of that line.
        self.assertEqual(count(page, "#schedule rect.part") > 0, True)
        page.move_to("#schedule rect.part", page.evaluate("[...document.querySelectorAll('#schedule rect.part')].findIndex(node => node.getBBox().width > 40)"))
        self.assertIn("kernel.mlir:", page.evaluate("document.getElementById('tip').textContent"))
        self.assertGreater(count(page, "#schedule .part.lit"), 1)
        # Parts of shared memory are as many, and what they say is what there is.
        parts = data["memory"][0]["parts"]
        self.assertEqual(page.evaluate("[...document.querySelectorAll('#memory svg rect.part')].length"),
                         len(parts) + len(data["memory"][0]["landmarks"]))
        self.assertIn("agent 0: loads (1 warp)", page.evaluate("document.querySelector('#memory .flow').innerText"))
        # Shares of the clock stand at lines; the roofline has its point.
        self.assertTrue(page.evaluate("[...document.querySelectorAll('.heat')].some(node => node.textContent.includes('%'))"))
        self.assertEqual(count(page, "#clock svg circle"), 1)
        self.check_passes(page, data)
        self.check_theme(page)
        self.assertEqual(page.errors, [])

    def check_passes(self, page, data):
        changed = [each for each in data["passes"] if each["added"] + each["removed"]]
        self.assertEqual(count(page, "#passes details"), len(changed))
        self.assertEqual(count(page, "#passes .diff"), 0)
        page.click("#passes details summary", 2)
        page.evaluate("new Promise(resolve => setTimeout(resolve, 100))")
        self.assertEqual(count(page, "#passes .diff .plus"),
                         sum(line[0] == "+" for hunk in changed[2]["hunks"] for line in hunk["lines"]))
        page.click("#passes button")
        self.assertEqual(count(page, "#passes .idle"), len(data["passes"]) - len(changed))
        page.evaluate("(() => { const box = document.querySelector('#passes input'); box.value = 'allocate-memory'; box.dispatchEvent(new Event('input')); })()")
        self.assertEqual(page.evaluate("[...document.querySelectorAll('#passes details .name')].map(node => node.textContent)"),
                         ["tileas-allocate-memory"])

    def check_theme(self, page):
        before = page.evaluate("getComputedStyle(document.body).backgroundColor")
        page.click("header button")
        self.assertNotEqual(page.evaluate("getComputedStyle(document.body).backgroundColor"), before)


class Attention(PageTest):
    def test_pages(self):
        file, timed = pages.write_attention(TOOLS, FOLDER)
        page = self.check(file, ["overview", "source", "schedule", "memory", "registers", "instructions", "passes", "options"], "attention")
        data = pages.read_data(file)[0]["compilation"]
        self.assertEqual(count(page, "#memory .flow"), len(data["memory"][0]["pipelines"]))
        self.assertIn("tensor cores", page.evaluate("document.querySelector('#instructions .legend').innerText"))
        # Of the PTX alone there are its source, by its line table, and the estimate.
        page = self.check(timed, ["overview", "source", "instructions", "clock"], "attention-time")
        self.assertIn(f"entry @{pages.LONG_NAME}", page.evaluate("document.querySelector('.pane:first-child').innerText"))


class Launches(PageTest):
    def test_page(self):
        file = pages.write_launches(TOOLS, FOLDER, "launches", "programs.py", "vector_add", "matmul_f16")
        units = pages.read_data(file)
        self.assertEqual({unit["title"] for unit in units} >= {"vector_add", "matmul_f16"}, True)
        self.assertTrue(all("compilation" in unit and unit["estimates"] and unit["run"]["runs"][0]["clean"] for unit in units))
        page = self.browser.open(file)
        titles = []
        for index in range(len(units)):
            page.evaluate(f"(() => {{ const choice = document.querySelector('header select'); choice.value = {index}; choice.dispatchEvent(new Event('change')); }})()")
            titles.append(page.evaluate("document.querySelector('h1').textContent"))
            self.assertIn("1 launch", page.evaluate("document.getElementById('run').innerText"))
        self.assertEqual(titles, [unit["title"] for unit in units])
        page.screenshot(SCREENSHOTS / "launches.png")
        self.assertEqual(page.errors, [])

    def test_mistakes(self):
        """What was found is on the page, and said to be a mistake."""
        file = pages.write_launches(TOOLS, FOLDER, "mistakes", "faults.py", "race")
        page = self.browser.open(file)
        found = page.evaluate("document.getElementById('run').innerText")
        self.assertIn("has mistakes", found)
        self.assertIn("app.py:22", found)
        self.assertEqual(page.errors, [])


if __name__ == "__main__":
    if not browser.find():
        print("SKIPPED: Debian's chromium is not installed (scripts/install-dependencies does)")
        sys.exit(77)
    unittest.main()
