#!/usr/bin/env python3
"""Tests of quality_bounds.py: which row counts, what is a mistake, what a recording writes; and of the files themselves."""

import pathlib
import tempfile
import unittest

import quality
import quality_bounds

TEXT = """# What must hold.

[limits]
.     global <= 0  because threads load nothing
long  global <= 4  because they do
.     wgmma  >= 1  because warpgroups multiply

[not yet]
# Some day.
narrow_1  global <= 8  because its rows are gathered
narrow_2  wgmma  >= 0  because it is narrow

[measured]
long(_x)?     instructions <= 102  because its loop is bare
short_(a|b)   instructions <= 204  because an order is in descriptors
"""


class Bounds(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "some-bounds.txt"
        self.path.write_text(TEXT)

    def read(self, old="", new=""):
        self.assertIn(old, TEXT)
        self.path.write_text(TEXT.replace(old, new, 1) if old else TEXT)
        return quality_bounds.Bounds(self.path, {"wgmma"})

    def judge(self, name, figure, value, **options):
        _, status, mistakes = self.read().judge(name, figure, value, **options)
        return status, mistakes

    def record(self, results, allowed=(), bounds=None):
        """What is said, and the bounds that are read back."""
        bounds = bounds or self.read()
        changes = quality_bounds.sort_changes(bounds.record(results, allowed))
        bounds.write()
        return [str(change) for change in changes], quality_bounds.Bounds(self.path, {"wgmma"})


class Judging(Bounds):
    def test_the_last_limit_that_fits_counts(self):
        self.assertEqual(self.judge("long", "global", 3), ("holds", []))
        status, mistakes = self.judge("short", "global", 3)
        self.assertEqual((status, mistakes), ("FAILS", ["global is 3, the limit 0 because threads load nothing"]))

    def test_of_some_figures_more_is_better(self):
        self.assertEqual(self.judge("short", "wgmma", 1), ("holds", []))
        self.assertEqual(self.judge("short", "wgmma", 0)[0], "FAILS")

    def test_what_does_not_keep_to_a_limit_yet_may_not_get_worse(self):
        self.assertEqual(self.judge("narrow_1", "global", 8), ("not yet", []))
        status, mistakes = self.judge("narrow_1", "global", 9)
        self.assertEqual((status, mistakes), ("FAILS", ["global is 9, the bound 8 because its rows are gathered"]))
        self.assertEqual(self.judge("narrow_10", "global", 8)[0], "FAILS")  # a name, no pattern

    def test_what_begins_to_hold_must_be_promoted(self):
        self.assertIn("take it out of [not yet] of some-bounds.txt", self.judge("narrow_1", "global", 0)[1][0])

    def test_a_limit_may_not_be_meant(self):
        self.assertEqual(self.judge("short", "global", 3, is_limited=False), ("", []))

    def test_what_was_measured_may_not_get_worse(self):
        self.assertEqual(self.judge("short_a", "instructions", 204), ("", []))
        self.assertEqual(self.judge("short_b", "instructions", 205),
                         ("FAILS", ["instructions is 205, the bound 204 because an order is in descriptors"]))
        self.assertEqual(self.judge("long_x_y", "instructions", 999), ("", []))  # a pattern is for whole names

    def test_a_kernel_has_one_bound(self):
        bounds = self.read("short_(a|b) ", "long|short_a ")
        self.assertIn("has 2 rows", bounds.judge("long", "instructions", 1)[2][0])
        self.assertEqual(bounds.judge("short_a", "instructions", 1)[2], [])


class Files(Bounds):
    def test_what_is_no_row_is_refused_with_its_place(self):
        for old, new, error in (("because threads load nothing", "", "some-bounds.txt:4: not KERNELS FIGURE"),
                                ("<= 4", "<= ?", "some-bounds.txt:5: not KERNELS FIGURE"),
                                ("<= 204", "= 204", "some-bounds.txt:15: not KERNELS FIGURE"),
                                ("wgmma  >= 0", "wgmma  <= 0", "some-bounds.txt:11: of wgmma, more is better"),
                                ("[measured]", "[counted]", "some-bounds.txt:13: none of the sections")):
            with self.subTest(new), self.assertRaises(ValueError) as raised:
                self.read(old, new)
            self.assertIn(error, str(raised.exception))

    def test_a_row_without_number_or_reason_is_a_mistake(self):
        self.assertEqual(self.read().find_mistakes(), [])
        self.assertIn("has no number yet", self.read("<= 204", "<= ?").find_mistakes()[0])
        self.assertIn("has no reason yet", self.read("because its rows are gathered", "because ?").find_mistakes()[0])

    def test_rows_are_sorted_and_there_once(self):
        self.assertIn("[measured] is not sorted", self.read("long(_x)?", "zzz").find_mistakes()[0])
        self.assertIn("a row twice", self.read("narrow_2  wgmma  >= 0", "narrow_1  global <= 0").find_mistakes()[0])

    def test_a_row_is_about_a_kernel(self):
        names = ["long", "narrow_1", "narrow_2", "short_b"]
        self.assertEqual(self.read().find_mistakes(names), [])
        self.assertEqual(self.read().find_mistakes(names[1:]),
                         [f"some-bounds.txt: long{row} is about no kernel"
                          for row in (" global of [limits]", "(_x)? instructions of [measured]")])
        self.assertEqual(self.read().find_mistakes(names[:1] + names[2:]),
                         ["some-bounds.txt: narrow_1 global of [not yet] is about no kernel"])

    def test_those_of_the_repository_are_right(self):
        for table in quality.TABLES.values():
            self.assertEqual(quality_bounds.Bounds(table.path, table.at_least).find_mistakes(), [])


class Recording(Bounds):
    SAME = {"narrow_1": {"global": 8, "wgmma": 1}, "narrow_2": {"global": 0, "wgmma": 0},
            "long": {"instructions": 100}, "short_a": {"instructions": 200}, "short_b": {"instructions": 150}}

    def change(self, **figures):
        return {name: {**values, **figures.get(name, {})} for name, values in self.SAME.items()}

    def test_a_margin_is_left_once(self):
        bounds = self.read()
        self.assertEqual([bounds.leave_margin("global", value) for value in (100, 27, 48, 16.9, 0)], [102, 27, 48, 17, 0])
        self.assertEqual([bounds.leave_margin("wgmma", value) for value in (100, 3, 0)], [98, 3, 0])
        said, bounds = self.record(self.SAME)
        self.assertEqual(said, [])
        self.assertEqual([row.number for row in bounds.rows["measured"]], [102, 204])
        self.assertEqual(self.record(self.change(long={"instructions": 101.9}))[0], [])  # still within it

    def test_nothing_else_is_written(self):
        _, bounds = self.record(self.SAME)
        text = self.path.read_text()
        self.assertEqual(text[:text.index("[not yet]")], TEXT[:TEXT.index("[not yet]")])
        self.assertIn("[not yet]\n# Some day.\nnarrow_1 ", text)
        self.assertIn("<=    204 because an order is in descriptors\n", text)
        self.record(self.SAME, bounds=bounds)
        self.assertEqual(self.path.read_text(), text)

    def test_the_worst_kernel_of_a_row_counts(self):
        said, bounds = self.record(self.change(short_a={"instructions": 50}))
        self.assertEqual(said, ["better by 25.0 %: some-bounds.txt: short_(a|b) instructions 204 -> 153"])
        self.assertEqual(bounds.rows["measured"][1].number, 153)
        self.assertEqual(bounds.rows["measured"][1].reason, "an order is in descriptors")

    def test_what_gets_worse_is_refused(self):
        worse = self.change(long={"instructions": 150}, narrow_2={"global": 2})
        said, bounds = self.record(worse)
        self.assertEqual(said, ["refused by 200.0 %: some-bounds.txt: narrow_2 global 0 -> 2",
                                "refused by 50.0 %: some-bounds.txt: long(_x)? instructions 102 -> 153"])
        self.assertEqual(bounds.rows["measured"][0].number, 102)
        self.assertEqual(len(bounds.rows["not yet"]), 2)

    def test_what_is_named_may_get_worse(self):
        said, bounds = self.record(self.change(long={"instructions": 150}, short_a={"instructions": 300}), ["long(_x)?"])
        self.assertEqual([line.split()[0] for line in said], ["refused", "worse"])
        self.assertEqual([row.number for row in bounds.rows["measured"]], [153, 204])

    def test_a_new_exception_wants_a_reason(self):
        said, bounds = self.record(self.change(narrow_2={"global": 2}), ["narrow_2"])
        self.assertEqual(said, ["worse by 200.0 %: some-bounds.txt: narrow_2 global 0 -> 2"])
        self.assertEqual([(row.kernels, row.figure) for row in bounds.rows["not yet"]],
                         [("narrow_1", "global"), ("narrow_2", "global"), ("narrow_2", "wgmma")])
        self.assertEqual(bounds.find_mistakes(), ["some-bounds.txt: narrow_2 global has no reason yet"])

    def test_an_exception_goes_when_the_limit_holds(self):
        said, bounds = self.record(self.change(narrow_2={"wgmma": 1}))
        self.assertEqual(said, ["better: some-bounds.txt: narrow_2 wgmma keeps to its limit, 0 before"])
        self.assertEqual([row.kernels for row in bounds.rows["not yet"]], ["narrow_1"])

    def test_exceptions_get_better_and_worse_as_rows_do(self):
        self.assertIn("better by 50.0 %", self.record(self.change(narrow_1={"global": 4}))[0][0])
        self.assertIn("refused by 12.5 %", self.record(self.change(narrow_1={"global": 9}))[0][0])

    def test_a_new_row_gets_its_number(self):
        said, bounds = self.record(self.SAME, bounds=self.read("<= 204", "<= ?"))
        self.assertEqual(said, ["new: some-bounds.txt: short_(a|b) instructions is bounded by 204"])
        self.assertEqual(bounds.find_mistakes(), [])

    def test_what_was_not_measured_stays(self):
        said, bounds = self.record({"long": {"instructions": 100}})
        self.assertEqual(said, [])
        self.assertEqual((len(bounds.rows["not yet"]), len(bounds.rows["measured"])), (2, 2))

    def test_no_digit_is_lost(self):
        _, bounds = self.record({"long": {"instructions": 1}, "short_a": {"instructions": 1234567}}, ["short_(a|b)"])
        self.assertEqual(bounds.rows["measured"][1].number, 1259258)

    def test_the_most_of_each_kind_comes_first(self):
        said, _ = self.record({"long": {"instructions": 50}, "short_a": {"instructions": 20}, "narrow_1": {"global": 16}})
        self.assertEqual([line.split(":")[0] for line in said], ["refused by 100.0 %", "better by 90.2 %", "better by 50.0 %"])


if __name__ == "__main__":
    unittest.main()
