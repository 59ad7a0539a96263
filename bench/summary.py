"""From the lines of all rounds to a table per case and number of threads."""
import math
import statistics
from collections import defaultdict

LARGEST_DISAGREEMENT = 1e-3  # of the mean square of the result: more means that peers did not do the same work


def greatest_rate(limits, kind, threads):
    """Of the widest instructions; in a page, of multiplication and addition apart, which every engine has."""
    rates = [each["gflops_max"] for each in limits
             if each["limit"] == kind and each["threads"] == threads and not each["of"].startswith("relaxed")]
    return max(rates, default=None)


def bandwidth_for(limits, threads, n_bytes):
    """Of the smallest level of memory that holds as many bytes, all threads' share together; the last where none does."""
    greatest = {}
    for each in limits:
        if each["limit"] == "triad" and each["threads"] == threads:
            size = each["bytes"] * threads
            greatest[size] = max(each["gbytes_max"], greatest.get(size, 0))
    fitting = [size for size in sorted(greatest) if size >= n_bytes] or sorted(greatest)[-1:]
    return greatest[fitting[0]] if fitting else None


def sizes_of(case):
    n, d_in, d_k, *heads = (int(number) for number in case.split("x"))
    return n, d_in, d_k, heads[0] if heads else 1


def roofline_us(group, limits):
    """The time that the products take at the arithmetic limit, or natively writing scores and weights once at the limit of the
    memory that holds both, whichever is longer. Exponentials are not counted. Limits count that were measured beside the case."""
    limits = [each for each in limits if each["case_name"] == group.case_name]
    peak = greatest_rate(limits, "arithmetic" if group.place == "native" else "page", group.threads)
    if peak is None:
        return None
    n, _, _, n_heads = sizes_of(group.case)
    n_bytes = 2 * 4 * n * n * n_heads
    bandwidth = bandwidth_for(limits, group.threads, n_bytes) if group.place == "native" else None
    return max(group.kilo_operations() / peak, n_bytes / bandwidth / 1000 if bandwidth else 0)


def least(lines):
    return min(line["us_min"] for line in lines)


def median(lines):
    return statistics.median(line["us_median"] for line in lines)


class Group:
    """One case, one number of threads, one place: the lines of ours and of each peer, a line per round."""

    def __init__(self, key, lines, contestants):
        self.case_name, self.case, self.threads, self.place = key
        self.by_name = defaultdict(list)
        for line in lines:
            self.by_name[line["name"]].append(line)
        here = [each for each in contestants if each.name in self.by_name]
        self.ours = next((each.name for each in here if each.is_ours), None)
        self.goals = [each.name for each in here if each.is_goal and not each.is_ours]
        self.others = [each.name for each in here if not each.is_goal]

    def ratio(self, of, peers=None):
        """How many times our time the best peer takes: of all that are a goal, or of those named."""
        peers = self.goals if peers is None else peers
        if not self.ours or not peers:
            return None
        return min(of(self.by_name[name]) for name in peers) / of(self.by_name[self.ours])

    def ratios_by_round(self):
        rounds = defaultdict(dict)
        for name in [self.ours, *self.goals] if self.ours else []:
            for line in self.by_name[name]:
                rounds[line["round"]][name] = line["us_median"]
        ratios = []
        for times in rounds.values():
            ours = times.pop(self.ours, None)
            if ours and times:
                ratios.append(min(times.values()) / ours)
        return sorted(ratios)

    def disagreement(self):
        """The greatest relative difference of the results' mean squares, of those who tell."""
        squares = [line["mean_square"] for lines in self.by_name.values() for line in lines if "mean_square" in line]
        if not squares:
            return 0
        return max(squares) / min(squares) - 1 if min(squares) > 0 else math.nan

    def kilo_operations(self):
        """GFLOP/s times µs of any line."""
        line = next(iter(self.by_name.values()))[0]
        return line["gflops_median"] * line["us_median"]


def groups_of(lines, contestants):
    """In the order in which cases were measured."""
    by_key = defaultdict(list)
    for line in lines:
        by_key[(line["case_name"], line["case"], line["threads"], line["place"])].append(line)
    return [Group(key, of_key, contestants) for key, of_key in by_key.items()]


def number(value, digits=2):
    return "–" if value is None else f"{value:.{digits}f}"


def microseconds(value):
    return f"{value:.2f}" if value < 100 else f"{value:.0f}"


def ratio_row(group, limits):
    by_round = group.ratios_by_round()
    spread = f"{by_round[0]:.2f} … {by_round[-1]:.2f}" if by_round else "–"
    limit_us = roofline_us(group, limits) if group.ours else None
    share = limit_us / least(group.by_name[group.ours]) if limit_us else None
    best = min(group.goals, key=lambda name: median(group.by_name[name]), default="–")
    return (f"| {group.case_name} {group.case} | {group.threads} | {group.place} | {number(group.ratio(least))} "
            f"| {number(group.ratio(median))} | {spread} | {best} | {number(share)} |")


def other_rows(groups):
    return [f"| {group.case_name} | {group.threads} | {name} | {number(group.ratio(least, [name]))} "
            f"| {number(group.ratio(median, [name]))} |" for group in groups for name in group.others]


def time_table(groups, names):
    rows = ["| case | threads | " + " | ".join(names) + " |", "|---|---|" + "---|" * len(names)]
    for group in groups:
        cells = [f"{microseconds(least(group.by_name[name]))} / {microseconds(median(group.by_name[name]))}"
                 if name in group.by_name else "" for name in names]
        rows.append(f"| {group.case_name} | {group.threads} | " + " | ".join(cells) + " |")
    return rows


def limit_rows(limits):
    greatest = {}
    for each in limits:
        unit, value = ("GB/s", each["gbytes_max"]) if each["limit"] == "triad" else ("GFLOP/s", each["gflops_max"])
        key = (f"{each['limit']}: {each['of']}", each["threads"], unit)
        greatest[key] = max(value, greatest.get(key, 0))
    return [f"| {name} | {threads} | {value:.0f} {unit} |" for (name, threads, unit), value in greatest.items()]


def markdown(lines, limits, contestants, facts):
    groups = groups_of(lines, contestants)
    text = [f"# {facts['date']}: ours and the peers, in turn", ""]
    text += [f"- {name.replace('_', ' ')}: {value}" for name, value in facts.items() if name != "date"]
    text += ["", "## How many times as fast as the best peer", "",
             "| case | threads | where | by the least | by the median | round by round | best peer | share of the roofline |",
             "|---|---|---|---|---|---|---|---|"]
    text += [ratio_row(group, limits) for group in groups]
    others = other_rows(groups)
    if others:
        text += ["", "| case | threads | as fast as, times | by the least | by the median |", "|---|---|---|---|---|", *others]
    for place in dict.fromkeys(group.place for group in groups):
        names = [each.name for each in contestants if each.place == place and any(each.name in g.by_name for g in groups)]
        text += ["", f"## Microseconds, {place}: least / median of the rounds' medians", ""]
        text += time_table([group for group in groups if group.place == place], names)
    for group in groups:
        if not group.disagreement() < LARGEST_DISAGREEMENT:
            text += ["", f"**{group.case_name}: the peers' results differ by {group.disagreement():.1e}.**"]
    if limits:
        text += ["", "## What the machine can do at most, in the same minutes", "", "| limit | threads | |", "|---|---|---|"]
        text += limit_rows(limits)
    return "\n".join(text) + "\n"
