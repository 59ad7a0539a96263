#!/usr/bin/env python3
"""Runs ours and the peers in turn, case by case, and writes a table of how they compare: bench/README.md says how to read it.

    bench/compare.py --rounds 5                                all cases, one thread and two
    bench/compare.py --rounds 1 --cases tiny6,large --threads 1 --peers onednn,openblas
"""
import argparse
import datetime
import json
import sys
from pathlib import Path

import machine
import summary
from contestants import REPOSITORY, contestants, measure

# Repeats are fewer where a pass takes long; each is the mean of at least two milliseconds.
CASES = {
    "tiny6": ("6x3x2", 50),
    "small": ("64x64x64", 50),
    "medium": ("512x64x64", 25),
    "large": ("1024x64x64", 25),
    "xlarge": ("4096x64x64", 7),
    "wide": ("1024x768x64x12", 7),
}


def words(known):
    def read(text):
        unknown = [word for word in text.split(",") if word not in known]
        if unknown:
            raise argparse.ArgumentTypeError(f"there is no {unknown[0]}; there are {', '.join(known)}")
        return text.split(",")
    return read


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cases", type=words(CASES), default=list(CASES), help="by name, with commas between")
    parser.add_argument("--threads", type=lambda text: [int(n) for n in text.split(",")], default=[1, 2])
    parser.add_argument("--peers", type=lambda text: text.split(","), help="by name, with commas between; ours always run")
    parser.add_argument("--build", type=Path, default=REPOSITORY / "build" / "native", help="where attention_bench was built")
    parser.add_argument("--program", type=Path, help="ours, if not attention-lab in that folder")
    parser.add_argument("--results", type=Path, default=REPOSITORY / "bench" / "results")
    options = parser.parse_args()
    options.program = options.program or options.build / "attention-lab"
    return options


def chosen(options):
    everyone = contestants(options)
    peers = [each.name for each in everyone if not each.is_ours]
    wanted = words(peers)(",".join(options.peers)) if options.peers else peers
    places = {each.place for each in everyone if each.name in wanted}
    return [each for each in everyone if each.name in wanted or (each.is_ours and each.place in places)]


class Comparison:
    def __init__(self, options):
        self.options = options
        self.contestants = chosen(options)
        self.left_out = {}
        self.lines, self.limits = [], []
        now = datetime.datetime.now()
        self.facts = {"date": now.strftime("%Y-%m-%d %H:%M"), **machine.description(REPOSITORY)}
        self.stem = options.results / now.strftime("%Y-%m-%dT%H%M%S")

    def record(self, line):
        with open(self.stem.with_suffix(".jsonl"), "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def leave_out(self, name, why):
        self.left_out[name] = why
        print(f"{name} is left out: {why}", file=sys.stderr)

    def measure_one(self, each, round_, case_name, threads):
        size, repeats = CASES[case_name]
        outcome = measure(each, size=size, threads=threads, repeats=repeats)
        if outcome.left_out:
            return self.leave_out(each.name, outcome.left_out)
        if outcome.error:
            self.record({"name": each.name, "case": size, "threads": threads, "round": round_, "error": outcome.error})
            return print(f"{each.name} failed on {case_name}: {outcome.error}", file=sys.stderr)
        line = {"name": each.name, "place": each.place, "case_name": case_name, "round": round_, **outcome.line,
                "load": machine.load()}
        self.lines.append(line)
        self.record(line)
        print(f"round {round_}  {case_name:7} {threads} thr  {each.name:22} {line['us_min']:12.2f} {line['us_median']:12.2f} µs")

    def measure_limits(self, round_, case_name, threads):
        places = {each.place for each in self.contestants if each.name not in self.left_out}
        found = machine.limits(self.options.build, threads) if "native" in places else []
        found += machine.page_limits(REPOSITORY, threads) if "page" in places else []
        for line in found:
            self.limits.append({"round": round_, "case_name": case_name, **line})
            self.record(self.limits[-1])

    def run_round(self, round_):
        for case_name in self.options.cases:
            for threads in self.options.threads:
                self.measure_limits(round_, case_name, threads)
                # Every other round the other way round: what the machine was doing before is nobody's advantage.
                for each in self.contestants if round_ % 2 else reversed(self.contestants):
                    if each.name not in self.left_out:
                        self.measure_one(each, round_, case_name, threads)

    def add_facts(self):
        self.facts["load_after"] = machine.load()
        self.facts["rounds"] = self.options.rounds
        versions = dict.fromkeys(line["version"] for line in self.lines if "version" in line)
        self.facts["versions"] = "; ".join(versions)
        if self.left_out:
            self.facts["left_out"] = "; ".join(f"{name} ({why})" for name, why in self.left_out.items())

    def run(self):
        self.options.results.mkdir(parents=True, exist_ok=True)
        self.record(self.facts)
        for round_ in range(1, self.options.rounds + 1):
            self.run_round(round_)
        self.add_facts()
        table = self.stem.with_suffix(".md")
        table.write_text(summary.markdown(self.lines, self.limits, self.contestants, self.facts), encoding="utf-8")
        print(f"\n{table.read_text(encoding='utf-8')}\n{table}")


if __name__ == "__main__":
    try:
        Comparison(read_options()).run()
    except (argparse.ArgumentTypeError, KeyboardInterrupt) as reason:
        sys.exit(f"compare: {reason}")
