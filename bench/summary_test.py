"""Held by hand: python3 bench/summary_test.py. Nothing is timed."""
import unittest
from dataclasses import dataclass

import summary


@dataclass
class Contestant:
    name: str
    is_ours: bool = False
    is_goal: bool = True
    place: str = "native"


CONTESTANTS = [Contestant("ours", is_ours=True), Contestant("a"), Contestant("b"), Contestant("slow", is_goal=False)]
LIMITS = [
    {"limit": "arithmetic", "of": "wide", "threads": 1, "gflops_max": 100.0},
    {"limit": "arithmetic", "of": "narrow", "threads": 1, "gflops_max": 50.0},
    {"limit": "triad", "of": "L2", "bytes": 1_000_000, "threads": 1, "gbytes_max": 80.0},
    {"limit": "triad", "of": "memory", "bytes": 100_000_000, "threads": 1, "gbytes_max": 2.0},
]
for each in LIMITS:
    each["case_name"] = "large"


def line(name, round_, us_min, us_median, **more):
    return {"name": name, "round": round_, "us_min": us_min, "us_median": us_median, "case_name": "large", "place": "native",
            "case": "1024x64x64", "threads": 1, "gflops_median": 294_000 / us_median, **more}


ROUNDS = [line("ours", 1, 2, 3), line("ours", 2, 2.5, 4), line("a", 1, 4, 5, mean_square=1.0), line("a", 2, 5, 12, mean_square=1.0),
          line("b", 1, 3, 9, mean_square=1.0), line("b", 2, 8, 9, mean_square=1.0), line("slow", 1, 1, 1, mean_square=1.0)]


def group_of(lines):
    return summary.groups_of(lines, CONTESTANTS)[0]


class Ratios(unittest.TestCase):
    def test_each_measure_takes_the_peer_that_is_best_by_it(self):
        group = group_of(ROUNDS)
        self.assertEqual(group.ratio(summary.least), 3 / 2)  # b has the least, 3
        self.assertEqual(group.ratio(summary.median), 8.5 / 3.5)  # a has the least median of 5 and 12

    def test_who_is_nobodys_goal_does_not_count(self):
        self.assertEqual(group_of(ROUNDS).ratio(summary.least, ["slow"]), 1 / 2)
        self.assertEqual(group_of(ROUNDS).ratios_by_round(), [5 / 3, 9 / 4])

    def test_without_ours_there_is_no_ratio(self):
        group = group_of([each for each in ROUNDS if each["name"] != "ours"])
        self.assertIsNone(group.ratio(summary.least))
        self.assertEqual(group.ratios_by_round(), [])

    def test_peers_that_did_other_work_are_told(self):
        self.assertEqual(group_of(ROUNDS).disagreement(), 0)
        other = group_of([*ROUNDS, line("b", 3, 3, 3, mean_square=1.5)])
        self.assertAlmostEqual(other.disagreement(), 0.5)


class Roofline(unittest.TestCase):
    def test_products_or_memory_whichever_takes_longer(self):
        # 294 MFLOP at 100 GFLOP/s are 2940 µs; scores and weights, 8.4 MB, at 2 GB/s 4194 µs.
        self.assertAlmostEqual(summary.roofline_us(group_of(ROUNDS), LIMITS), 2 * 4 * 1024 * 1024 / 2 / 1000)
        quick = [dict(each, gbytes_max=80.0) if each["limit"] == "triad" else each for each in LIMITS]
        self.assertAlmostEqual(summary.roofline_us(group_of(ROUNDS), quick), 2940)

    def test_the_greatest_of_the_rounds_counts_and_only_beside_the_case(self):
        later = [dict(LIMITS[0], gflops_max=10_000.0), dict(LIMITS[3], gbytes_max=4.0)]
        self.assertAlmostEqual(summary.roofline_us(group_of(ROUNDS), LIMITS + later), 2 * 4 * 1024 * 1024 / 4 / 1000)
        elsewhere = [dict(each, case_name="small") for each in later]
        self.assertAlmostEqual(summary.roofline_us(group_of(ROUNDS), LIMITS + elsewhere), 2 * 4 * 1024 * 1024 / 2 / 1000)

    def test_without_a_probe_there_is_none(self):
        self.assertIsNone(summary.roofline_us(group_of(ROUNDS), []))


if __name__ == "__main__":
    unittest.main()
