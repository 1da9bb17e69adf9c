"""The page of dynamic-grids, beside the numbers of the thesis (thesis_2024.csv)."""

import math
import statistics

import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from results import (YES, document, fold, jackknife, number, read_source, save, summed_up, table, tally, verdict,
                     with_error)

KINDS = {"rooms": "Room", "random": "Random"}
SIZES = ["128", "256", "512"]
CHANGES = ["2", "5", "10", "20"]
QUANTITIES = ["total_us", "recompute_us", "length", "nodes"]
IN_THESIS = {"total_us": "total_ms", "recompute_us": "recompute_ms", "length": "length", "nodes": "nodes"}
COLOURS = ["#4477aa", "#228833", "#ccbb44", "#ee6677", "#aa3377", "#66ccee", "#bbbbbb", "#000000"]
FIXED = ["AD* 2", "AD* 3", "AD* 5"]
LIMITS = ["32", "64", "128", "256", "512"]


class Thesis:
    """The same questions as to our results."""

    def __init__(self):
        rows = read_source("thesis_2024.csv")
        self.rows = {(row["scenario"], row["planner"]): row for row in rows}
        self.planners = list(dict.fromkeys(row["planner"] for row in rows))
        self.table_of = {row["scenario"]: row["table"] for row in rows}

    def has(self, scenario, planner):
        return (scenario, planner) in self.rows

    def mean(self, scenario, planner, quantity):
        value = float(self.rows[scenario, planner][IN_THESIS[quantity]])
        return value * 1000 if quantity.endswith("_us") else value

    def ratio(self, scenario, planner, reference, quantity):
        return self.mean(scenario, planner, quantity) / self.mean(scenario, reference, quantity)


def ratio_or_none(source, scenario, planner, quantity):
    """To A*."""
    if not source.has(scenario, planner) or not source.has(scenario, "A*"):
        return None
    return source.ratio(scenario, planner, "A*", quantity)


def title(scenario):
    kind, size, change = scenario.split("-")
    return f"{KINDS[kind]} {size}, {change} %"


# --- figures --------------------------------------------------------------------------------------

def overview(results, directory, kind, size):
    """Figures 5.1 to 5.18: total time, recompute time and length of every planner."""
    scenarios = [s for change in CHANGES if (s := f"{kind}-{size}-{change}") in results.scenarios]
    planners = [p for p in results.planners if any(results.has(s, p) for s in scenarios)]
    figure, axes = plt.subplots(1, 3, figsize=(11, 0.22 * len(planners) + 1.4), sharey=True)
    panels = [("total_us", 1e3, "total time (ms)", "log"), ("recompute_us", 1e3, "recompute time (ms)", "log"),
              ("length", 1, "path travelled (cells)", "linear")]
    for axis, (quantity, unit, label, scale) in zip(axes, panels):
        for colour, scenario in zip(COLOURS[:4], scenarios):
            points = [(results.mean(scenario, p, quantity) / unit, len(planners) - i)
                      for i, p in enumerate(planners) if results.has(scenario, p)]
            axis.plot(*zip(*points), "o", color=colour, markersize=5, alpha=0.85,
                      label=f"{scenario.split('-')[2]} % change")
        axis.set_xscale(scale)
        axis.set_xlabel(label)
        if scale == "log":
            low, high = axis.get_xlim()
            axis.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 100 * low else (1,)))
            axis.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
            axis.xaxis.set_minor_formatter(NullFormatter())
    # Who took part in fewer runs was in other worlds on average.
    runs = {p: sum(results.runs(s, p) for s in scenarios) for p in planners}
    most = max(runs.values())
    names = [p if runs[p] == most else f"{p} ({100 * runs[p] / most:.0f} % of the runs)" for p in planners]
    axes[0].set_yticks(range(len(planners), 0, -1), names)
    handles, labels = axes[0].get_legend_handles_labels()
    figure.tight_layout(rect=(0, 0, 1, 0.96))
    figure.legend(handles, labels, loc="upper center", ncols=4, frameon=False)
    figure.text(0.01, 0.965, f"{KINDS[kind]} {size}", fontsize=11)
    return save(figure, directory, f"{kind}-{size}")


def lines(axis, results, thesis, xs, series, quantity):
    """Ratios to A* over xs; ours in full, the thesis's dashed. Series: [(label, planner, scenarios)]."""
    for colour, (label, planner, scenarios) in zip(COLOURS, series):
        for source, style, whose in ((results, "o-", ""), (thesis, "x--", None)):
            points = [(x, value) for x, s in zip(xs, scenarios)
                      if (value := ratio_or_none(source, s, planner, quantity)) is not None]
            if points:
                axis.plot(*zip(*points), style, color=colour, markersize=5, linewidth=1.2,
                          label=f"{label}{whose}" if whose is not None else None)
    axis.axhline(1.0, color="black", linewidth=0.8)


def legend(figure, axis):
    handles, labels = axis.get_legend_handles_labels()
    handles += [plt.Line2D([], [], color="black", linestyle=style, marker=marker)
                for style, marker in (("-", "o"), ("--", "x"))]
    figure.legend(handles, labels + ["ours", "thesis"], loc="upper center", ncols=len(labels) + 2,
                  frameon=False)


def figure_by_change(results, thesis, directory, name, quantity, label, panels, scale="linear"):
    """One panel per (title, series), x is the change."""
    figure, axes = plt.subplots(1, len(panels), figsize=(5.2 * len(panels), 3.6), squeeze=False)
    for axis, (heading, series) in zip(axes[0], panels):
        lines(axis, results, thesis, CHANGES, series, quantity)
        axis.set_title(heading, fontsize=10, pad=4)
        axis.set_xlabel("change (%)")
        axis.set_ylabel(label)
        axis.set_yscale(scale)
    figure.tight_layout(rect=(0, 0, 1, 0.92))
    legend(figure, axes[0][0])
    return save(figure, directory, name)


def across(kind, size):
    return [f"{kind}-{size}-{change}" for change in CHANGES]


def by_size(planner, kind):
    return [(f"{size} x {size}", planner, across(kind, size)) for size in SIZES]


def figures(results, thesis, directory):
    parts = ["## Figures\n",
             "Figures 5.1 to 5.18 of the thesis, all planners: total time, recompute time, path travelled.\n"]
    for kind in KINDS:
        parts += [overview(results, directory, kind, size) for size in SIZES
                  if any(s.startswith(f"{kind}-{size}-") for s in results.scenarios)]
    def both(planner):
        return [(f"{KINDS[kind]} grids", by_size(planner, kind)) for kind in KINDS]
    parts.append("Figure 5.19, D\\* Lite's times relative to A\\*'s:\n")
    for quantity, label in (("total_us", "total time / A*"), ("recompute_us", "recompute time / A*")):
        parts.append(figure_by_change(results, thesis, directory, f"dstar-lite-{quantity[:-3]}", quantity,
                                      label, both("D* Lite")))
    parts.append("Figure 5.20, D\\* Lite's expansions relative to A\\*'s (5.21 is a drawing):\n")
    parts.append(figure_by_change(results, thesis, directory, "dstar-lite-nodes", "nodes", "nodes / A*",
                                  both("D* Lite")))
    parts.append("Figure 5.22, RTD\\*'s recompute time relative to A\\*'s on 512 x 512 cells:\n")
    limits = [(f"{KINDS[kind]} 512", [(f"RTD* {n}", f"RTD* {n}", across(kind, "512")) for n in LIMITS])
              for kind in KINDS]
    parts.append(figure_by_change(results, thesis, directory, "rtd-recompute", "recompute_us",
                                  "recompute time / A*", limits, "log"))
    parts.append("Figure 5.23, lengths relative to A\\*'s on 512 x 512 cells:\n")
    lengths = [(f"{KINDS[kind]} 512", [(p, p, across(kind, "512")) for p in ("RTD* 256", "RTD* 512", "D* Lite")])
               for kind in KINDS]
    parts.append(figure_by_change(results, thesis, directory, "rtd-length", "length", "length / A*", lengths))
    parts.append("Figure 5.24, AD\\*'s lengths relative to A\\*'s:\n")
    for kind in KINDS:
        panels = [(f"{KINDS[kind]} {size}", [(p, p, across(kind, size)) for p in FIXED + ["D* Lite"]])
                  for size in SIZES]
        parts.append(figure_by_change(results, thesis, directory, f"ad-length-{kind}", "length",
                                      "length / A*", panels))
    return parts


# --- findings -------------------------------------------------------------------------------------

class Findings:
    """What the thesis says, and whether it holds in the numbers of either side. A case is (needs, f): the pairs of a
    scenario and a planner that it needs, and f(mean), a number that mean(scenario, planner, quantity) makes; it holds
    where that number lies within bounds."""

    def __init__(self, results, thesis):
        self.results = results
        self.thesis = thesis
        self.values = {}
        self.rows = []

    def scenarios(self, kinds=KINDS, sizes=SIZES, changes=CHANGES):
        return [s for kind in kinds for size in sizes for change in changes
                if (s := f"{kind}-{size}-{change}") in self.results.scenarios]

    def mean_over(self, runs):
        def mean(*key):
            if key not in self.values:
                self.values[key] = self.results.values(*key)
            values = self.values[key]
            return sum(values[run] for run in runs) / len(runs)
        return mean

    def ours(self, case):
        """Value and standard error."""
        needs, f = case
        common = set.intersection(*(set(self.results.values(s, p, "length")) for s, p in needs))
        return jackknife(common, lambda runs: f(self.mean_over(runs))) if common else (math.nan, math.nan)

    def theirs(self, cases):
        return [f(self.thesis.mean) for needs, f in cases if all(self.thesis.has(*need) for need in needs)]

    def claim(self, text, cases, low=-math.inf, high=math.inf, digits=3, note=""):
        cases = [case for case in cases if all(self.results.has(*need) for need in case[0])]
        theirs = self.theirs(cases)
        ours = [self.ours(case) for case in cases]
        verdicts = [verdict(*value, low, high) for value in ours]
        holds = summed_up(verdicts)
        self.rows.append([text, f"{sum(low <= v <= high for v in theirs)} of {len(theirs)}; {fold(theirs, digits)}",
                          f"{tally(verdicts)}; {fold([v for v, _ in ours], digits)}",
                          holds if holds == YES else holds + note])

    # Cases.

    def ratios(self, planners, quantity, references=("A*",), **which):
        """To the reference, or to the largest of several."""
        def of(scenario, planner):
            others = [r for r in references if r != planner]
            return ([(scenario, p) for p in (planner, *others)],
                    lambda mean: mean(scenario, planner, quantity) / max(mean(scenario, r, quantity) for r in others))
        return [of(s, p) for p in planners for s in self.scenarios(**which)]

    def growth(self, planner, quantity, pairs, relative=False):
        """From one scenario to another, of a mean or of its ratio to A*'s."""
        def of(before, after):
            def value(mean, scenario):
                return mean(scenario, planner, quantity) / (mean(scenario, "A*", quantity) if relative else 1.0)
            planners = [planner, "A*"] if relative else [planner]
            return ([(s, p) for s in (before, after) for p in planners],
                    lambda mean: value(mean, after) / value(mean, before))
        return [of(*pair) for pair in pairs]

    def by_change(self, kinds=KINDS):
        """The least and the largest change."""
        return [(f"{k}-{s}-2", f"{k}-{s}-20") for k in kinds for s in SIZES]

    def by_size(self, kind, change="2"):
        return [(f"{kind}-128-{change}", f"{kind}-512-{change}")]

    def versus(self, planner, other, quantity, **which):
        return self.ratios([planner], quantity, (other,), **which)


def findings(results, thesis):
    f = Findings(results, thesis)
    rtd = [f"RTD* {n}" for n in LIMITS]
    rooms, random = ["rooms"], ["random"]

    f.claim("A* travels least: D* Lite's length / A* is over 1", f.ratios(["D* Lite"], "length"), low=1, digits=4,
            note=" (1)")
    f.claim("... that of RTD* 256, 512 and AD* changing at least 0.99",
            f.ratios(["RTD* 256", "RTD* 512", "AD* changing"], "length"), low=0.99)
    f.claim("A*'s way grows from 2 % to 20 % of change in rooms: times", f.growth("A*", "length", f.by_change(rooms)), low=1)
    f.claim("... and hardly among random obstacles: by less than 2 %",
            f.growth("A*", "length", f.by_change(random)), high=1.02, digits=4)
    f.claim("D* Lite is faster than A* at 2 %: total time / A*", f.ratios(["D* Lite"], "total_us", changes=["2"]),
            high=1, note=" (2)")
    f.claim("... and slower at 20 %", f.ratios(["D* Lite"], "total_us", changes=["20"]), low=1)
    f.claim("D* Lite's time relative to A*'s grows with the change, from 2 % to 20 %: times",
            f.growth("D* Lite", "total_us", f.by_change(), relative=True), low=1)
    f.claim("... and with the map in rooms, at 2 %, from 128 to 512: times",
            f.growth("D* Lite", "total_us", f.by_size("rooms"), relative=True), low=1)
    f.claim("D* Lite's nodes relative to A*'s grow with the map in rooms, at 2 %: times",
            f.growth("D* Lite", "nodes", f.by_size("rooms"), relative=True), low=1)
    f.claim("... and fall with it among random obstacles, at 2 %: times",
            f.growth("D* Lite", "nodes", f.by_size("random"), relative=True), high=1)
    f.claim("RTD* answers a change sooner than A* in rooms: recompute time / A*",
            f.ratios(rtd, "recompute_us", kinds=rooms), high=1)
    f.claim("... and at 512 x 512 ten times sooner", f.ratios(rtd, "recompute_us", kinds=rooms, sizes=["512"]), high=0.1)
    f.claim("... and among random obstacles", f.ratios(rtd, "recompute_us", kinds=random), high=1)
    f.claim("There, RTD* 32's recompute time grows with the change, from 2 % to 20 %: times",
            f.growth("RTD* 32", "recompute_us", f.by_change(random)), low=1)
    f.claim("... and in rooms RTD*'s with the limit: RTD* 512 / RTD* 32",
            f.versus("RTD* 512", "RTD* 32", "recompute_us", kinds=rooms), low=1)
    f.claim("RTD*'s way gets shorter with its limit: RTD* 512 / RTD* 32", f.versus("RTD* 512", "RTD* 32", "length"), high=1)
    f.claim("In rooms RTD* 32 travels longest at the least change: 20 % / 2 %",
            f.growth("RTD* 32", "length", f.by_change(rooms)), high=1)
    f.claim("Among random obstacles RTD* 256 and 512 travel within 5 % of A*: length / A*",
            f.ratios(["RTD* 256", "RTD* 512"], "length", kinds=random), high=1.05)
    f.claim("AD* 2, 3, 5 travel farther than A*: length / A*", f.ratios(FIXED, "length"), low=1)
    f.claim("... and farther with epsilon 5 than with 2: AD* 5 / AD* 2", f.versus("AD* 5", "AD* 2", "length"), low=1)
    f.claim("AD* 2, 3, 5 recompute faster than D* Lite among random obstacles: / D* Lite",
            f.ratios(FIXED, "recompute_us", ["D* Lite"], kinds=random), high=1)
    f.claim("... and in rooms of 256 x 256 and more",
            f.ratios(FIXED, "recompute_us", ["D* Lite"], kinds=rooms, sizes=["256", "512"]), high=1)
    f.claim("In rooms AD*'s recompute time falls with epsilon: AD* 5 / AD* 2",
            f.versus("AD* 5", "AD* 2", "recompute_us", kinds=rooms), high=1)
    f.claim("... and among random obstacles it makes no difference: within 10 %",
            f.versus("AD* 5", "AD* 2", "recompute_us", kinds=random), low=0.9, high=1.1)
    f.claim("AD* changing travels about as far as D* Lite: within 4 %", f.versus("AD* changing", "D* Lite", "length"),
            low=0.96, high=1.04, note=" (1)")
    f.claim("... and takes the most time of all: total time / the slowest of the others",
            f.ratios(["AD* changing"], "total_us", thesis.planners), low=1, note=" (3)")
    f.claim("... and recomputes slower than D* Lite among random obstacles: / D* Lite",
            f.versus("AD* changing", "D* Lite", "recompute_us", kinds=random), low=1, note=" (3)")
    return f.rows


# --- tables ---------------------------------------------------------------------------------------

def scenario_table(results, thesis, scenario):
    header = ["", "runs", "total ms", "recompute ms", "length", "nodes"]
    for what in ("length", "nodes", "total", "recompute"):
        header += [f"{what} / A*", "thesis"]
    rows = []
    for planner in results.planners:
        if not results.has(scenario, planner):
            continue
        row = [planner, results.runs(scenario, planner)]
        row += [number(results.mean(scenario, planner, "total_us") / 1e3),
                number(results.mean(scenario, planner, "recompute_us") / 1e3),
                number(results.mean(scenario, planner, "length"), 4),
                f"{results.mean(scenario, planner, 'nodes'):,.0f}"]
        for quantity in ("length", "nodes", "total_us", "recompute_us"):
            row += [number(ratio_or_none(results, scenario, planner, quantity)),
                    number(ratio_or_none(thesis, scenario, planner, quantity))]
        rows.append(row)
    return table(header, rows)


def side_by_side(results, thesis):
    """All 24 tables in one: the median over the scenarios of a kind of each planner's ratios to A*."""
    rows = []
    for planner in results.planners:
        if planner == "A*":
            continue
        row = [planner]
        for kind in KINDS:
            for quantity in ("length", "nodes", "total_us", "recompute_us"):
                for source in (results, thesis):
                    values = [r for s in results.scenarios if s.startswith(kind)
                              and (r := ratio_or_none(source, s, planner, quantity)) is not None]
                    row.append(number(statistics.median(values)) if values else "–")
        rows.append(row)
    header = [""]
    for kind in KINDS:
        for what in ("length", "nodes", "total", "recompute"):
            header += [f"{kind}: {what}", "thesis"]
    return table(header, rows)


def mean_of_ratios(results, kind, planner, reference, quantity):
    """Over the scenarios of a kind, and its standard error."""
    f = Findings(results, None)
    each = [f.ours(case) for case in f.versus(planner, reference, quantity, kinds=[kind])
            if all(results.has(*need) for need in case[0])]
    if not each:
        return math.nan, math.nan
    return (statistics.fmean(value for value, _ in each),
            math.sqrt(sum(error ** 2 for _, error in each)) / len(each))


def tie_table(results):
    """How far optimal planners travel, by the end from which they search."""
    rows = []
    for where, planners in (("from the robot", ["Adaptive A*", "MPAA*", "LPA*"]),
                            ("from the goal", ["A* from the goal", "D* Lite", "D*", "D* Extra Lite"])):
        for planner in planners:
            name = planner if planner.endswith(where) else f"{planner}, {where}"
            rows.append([name] + [with_error(*mean_of_ratios(results, kind, planner, "A*", "length"))
                                  for kind in KINDS])
    return table(["length / A*", "rooms", "random"], rows)


def which_end(results):
    """What the table of ties says."""
    parts = []
    for kind in KINDS:
        same = verdict(*mean_of_ratios(results, kind, "D* Lite", "A* from the goal", "length"), 0.99, 1.01)
        other = verdict(*mean_of_ratios(results, kind, "A* from the goal", "A*", "length"), 0.995, 1.005)
        parts.append(f"In {kind} "
                     + ("the end makes a difference of more than 0.5 % to A* itself" if other == "no" else
                        "A* itself travels as far from either end, within 0.5 %" if other == YES else
                        "it is open whether the end makes a difference of 0.5 % to A* itself")
                     + (", and D* Lite travels as far as A* from its end, within 1 %" if same == YES else
                        ", and D* Lite does not travel as far as A* from its end" if same == "no" else
                        ", and whether D* Lite travels as far as A* from its end, within 1 %, is open"))
    return ". ".join(parts).replace("*", "\\*") + "."


def node_table(results, thesis):
    """What a node takes as a multiple of what it takes A*."""
    rows = []
    ends = [("rooms", "2"), ("rooms", "20"), ("random", "2"), ("random", "20")]
    for planner in ["D* Lite", "AD* 2", "AD* changing", "RTD* 32", "RTD* 512"]:
        row = [planner]
        for kind, change in ends:
            for source in (results, thesis):
                values = [time / nodes for s in results.scenarios
                          if s.startswith(f"{kind}-") and s.endswith(f"-{change}")
                          if (time := ratio_or_none(source, s, planner, "total_us")) is not None
                          and (nodes := ratio_or_none(source, s, planner, "nodes"))]
                row.append(number(statistics.median(values), 2) if values else "–")
        rows.append(row)
    return table([""] + [h for kind, change in ends for h in (f"{kind}, {change} %", "thesis")], rows)


def node_ratio(source, scenarios_of=None):
    """How long a node of AD* changing takes among random obstacles, as a multiple of one of D* Lite."""
    values = [ratio_or_none(source, s, "AD* changing", "total_us") / ratio_or_none(source, s, "AD* changing", "nodes")
              * ratio_or_none(source, s, "D* Lite", "nodes") / ratio_or_none(source, s, "D* Lite", "total_us")
              for s in (scenarios_of or source).scenarios if s.startswith("random")]
    return number(statistics.median(values), 2) if values else "–"


def restart_table(results):
    """After how many of the changes a planner begins anew."""
    rows = []
    for planner in ("AD* 2", "AD* changing", "D* Lite"):
        row = [planner]
        for kind in KINDS:
            for change in CHANGES:
                scenarios = [s for size in SIZES if results.has(s := f"{kind}-{size}-{change}", planner)]
                changes = sum(sum(results.values(s, planner, "changes").values()) for s in scenarios)
                anew = sum(sum(results.values(s, planner, "restarts").values()) for s in scenarios)
                row.append(f"{100 * anew / changes:.0f} %" if changes else "–")
        rows.append(row)
    return table(["begins anew after"] + [f"{kind}, {c} %" for kind in KINDS for c in CHANGES], rows)


def informed_table(results, thesis):
    """RTD*: how long it knows no complete path, and what that takes."""
    rows = []
    size = next((size for size in reversed(SIZES) if any(f"-{size}-" in s for s in results.scenarios)), None)
    for kind in KINDS:
        for change in ("2", "20"):
            for limit in ("32", "128", "512"):
                planner = f"RTD* {limit}"
                row = [f"{kind} {size}, {change} %, {planner}"]
                scenario = f"{kind}-{size}-{change}"
                if not results.has(scenario, planner):
                    continue
                steps = results.mean(scenario, planner, "length") + results.mean(scenario, planner, "waited")
                row.append(f"{100 * results.mean(scenario, planner, 'uninformed') / steps:.0f} %")
                for quantity in ("nodes", "recompute_us", "total_us"):
                    row += [number(ratio_or_none(source, scenario, planner, quantity)) for source in (results, thesis)]
                rows.append(row)
    return table(["", "steps without a complete path", "nodes / A*", "thesis", "recompute / A*", "thesis", "total / A*",
                  "thesis"], rows)


def way_table(results, thesis):
    """How far A* travels in both."""
    rows = []
    for kind in KINDS:
        for size in SIZES:
            row = [f"{kind} {size}"]
            for change in CHANGES:
                scenario = f"{kind}-{size}-{change}"
                if not results.has(scenario, "A*"):
                    row += ["–", "–"]
                    continue
                lengths = list(results.values(scenario, "A*", "length").values())
                error = statistics.stdev(lengths) / math.sqrt(len(lengths)) if len(lengths) > 1 else math.nan
                row += [f"{statistics.fmean(lengths):.0f}" + (f" ± {error:.0f}" if math.isfinite(error) else ""),
                        number(ratio_of_ways(results, thesis, scenario))]
            rows.append(row)
    return table(["A*'s way"] + [h for c in CHANGES for h in (f"{c} %", "/ thesis")], rows)


def ratio_of_ways(results, thesis, scenario):
    return results.mean(scenario, "A*", "length") / thesis.mean(scenario, "A*", "length")


def meanings(results, thesis, switched):
    """What it may mean that P percent of the obstacles change: (tables, how far off each is)."""
    measures = [("A*'s way", lambda source, s: source.mean(s, "A*", "length"), lambda v: f"{v:.0f}"),
                ("D* Lite's nodes / A*", lambda source, s: source.ratio(s, "D* Lite", "A*", "nodes"), number),
                ("D* Lite's total time / A*", lambda source, s: source.ratio(s, "D* Lite", "A*", "total_us"), number)]
    rows = []
    off = {(name, reading): [] for name, _, _ in measures for reading in ("redrawn", "switched")}
    for scenario in switched:
        plain = scenario.removesuffix(SWITCHED)
        row = [title(plain)]
        for name, value, text in measures:
            theirs = value(thesis, plain)
            for reading, s in (("redrawn", plain), ("switched", scenario)):
                ours = value(results, s)
                off[name, reading].append(abs(math.log(ours / theirs)))
                row.append(text(ours))
            row.append(text(theirs))
        rows.append(row)
    last = ["off the thesis by"]
    for name, _, _ in measures:
        last += [f"{100 * (math.exp(statistics.fmean(off[name, reading])) - 1):.0f} %" for reading in ("redrawn", "switched")]
        last.append("")
    rows.append(last)
    return table([""] + [h for name, _, _ in measures for h in (f"{name}: redrawn", "switched", "thesis")], rows)


def waits(results):
    """How long robots stood under a closed obstacle, all planners together."""
    parts = []
    for kind in KINDS:
        values = [v for s in results.scenarios if s.startswith(kind) for p in results.planners
                  if results.has(s, p) for v in results.values(s, p, "waited").values()]
        if values:
            parts.append(f"{100 * sum(1 for v in values if v) / len(values):.1f} % of the runs "
                         f"({number(sum(values) / len(values))} steps on average) in {kind}")
    return " and ".join(parts)


SWITCHED = "-switched"


def page(results, directory, docs):
    thesis = Thesis()
    results.keep_common_runs(lambda scenario: scenario.split("-")[1])
    switched = [s for s in results.scenarios if s.endswith(SWITCHED)]
    results.scenarios = [s for s in results.scenarios if s not in switched]
    runs = ", ".join(f"{results.runs(s)} of {size} x {size}" for size in SIZES
                     for s in [s for s in results.scenarios if s.split("-")[1] == size][:1])
    late = [[p, f"{n} of {all_}"] for p in results.planners for n, all_ in [results.shortfall(p)] if n]
    parts = [f"""# Dynamic grids

J. Mäntysalo, "Graph search-based pathfinding in dynamic environments", master's thesis, University of Turku, 2024,
chapters 4 and 5 and appendix A, repeated with our planners. A robot crosses rooms whose doors, or a field whose
obstacles, open and close every 10 steps, and knows the whole map at any time.

    ./run bench dynamic-grids

Runs per scenario on this page: {runs} cells (the thesis: 100).
A run of the command that is stopped has more of the small maps, which take less time; here are the runs that all
scenarios of a size have. Times are of the processor, one planner right after the other in one thread; they compare
within a table, and with the thesis's only as ratios to A\\*.

## Does it hold

"n of m": in so many scenarios, planners or pairs of them, and the least and the largest value. A case counts on our
side when it holds by two standard errors (leaving out one run after the other, all planners of a run together); it is
open when it is within two. A claim holds when three of four cases do, and does not when more than one of four fail.
The numbers in brackets are of the explanations below.
""",
             table(["the thesis found", "in its tables", "in ours", "holds"], findings(results, thesis)),
             DIFFERENCES.format(ties=tie_table(results), which_end=which_end(results),
                                per_node=node_table(results, thesis), restarts=restart_table(results),
                                per_node_ours=node_ratio(results), per_node_thesis=node_ratio(thesis, results),
                                informed=informed_table(results, thesis), ways=way_table(results, thesis),
                                anytime=document("anytime.md", docs), real_time=document("real_time.md", docs)),
             CHOICES.format(waits=waits(results), program=document("program.md", docs, "#record"),
                            meanings=meanings(results, thesis, switched)),
             "## All tables in one\n",
             "The medians over the twelve scenarios of a kind of each planner's ratios to A\\*.\n",
             side_by_side(results, thesis)]
    parts += figures(results, thesis, directory)
    parts += ["## Tables A.1 to A.24\n",
              "Means over the runs. Ratios to A\\* are of the means over the runs in which both took part; beside "
              "them those of the thesis, but for the cell of A.6 that repeats A.8.\n"]
    for scenario in results.scenarios:
        where = thesis.table_of.get(scenario)
        parts += [f"### {f'{where}: ' if where else ''}{title(scenario)}\n", scenario_table(results, thesis, scenario)]
    parts += ["## Who did not arrive\n", table(["", "runs"], late) if late else "All did, in every run.\n"]
    return "\n".join(parts)


DIFFERENCES = """## What is different, and why

1. **Which of two equally long ways.** The thesis explains why its D\\* Lite travels farther than its A\\* though both
   paths are the shortest: its D\\* Lite takes a detour early and its A\\* late, and a detour not yet taken may become
   unnecessary. In ours, paths keep their direction where several ways are as good, beginning at the end from which
   they are traced: the robot for the planners that search from the goal, which so put off their detours; the goal for
   those that search from the robot, which so take them first. To see whether it is the end or the algorithm, "A\\* from
   the goal" is our A\\* with the ends exchanged. Means over the scenarios, with standard errors:

{ties}
   {which_end}
2. **Expansions are cheap, changes less so.** To take in a changed cell is no node, and A\\* need not do it. What a node
   takes, all included, as a multiple of what it takes A\\* (total time over nodes; the medians over the sizes): where
   it grows with the change, it is the changes that are paid for, and where ours is above the thesis's, they weigh more
   beside our expansions than beside those of the thesis.

{per_node}
3. **AD\\* keeps its keys.** Among random obstacles a node of AD\\* changing takes {per_node_thesis} times as long as one of
   D\\* Lite in the thesis, and {per_node_ours} times in ours (the table above, the median over the changes): it is less
   the number of nodes than what is done beside them. The thesis's pseudocode makes all keys of the open list anew when
   epsilon changes, which is with every step. Ours keeps them, and begins anew where a repair does not pay ({anytime});
   how often, this table says. That the times differ for these two reasons is supposed.

{restarts}
4. **RTD\\*'s limit is for everything.** The thesis's RTD\\* takes in all changes at once, outside of the limit: among
   random obstacles its recompute time hardly depends on the limit, and grows with the change. Ours takes them in
   portions, within the limit ({real_time}), so that a change is answered sooner. In return, more steps may
   pass until a complete path is known again, in each of which the local search thinks. That nodes and total time are
   larger for this reason is supposed. How long no complete path is known, on the largest maps:

{informed}
5. **How far it is.** A\\*'s way, its standard error, and as a multiple of the thesis's. Where the two differ by more
   than that error, as they may in rooms, we do not know why: mazes are as the thesis describes them, as far as it does.

{ways}"""

CHOICES = """## Where the thesis leaves a choice

- Walls are 16 cells apart, so 128 x 128 cells are 8 x 8 rooms. The depth-first search begins in the start's room.
- **What changes.** The thesis's share is "the portion of the dynamic obstacles that were changed" at a time, which
  "randomly change their state into an obstacle or an empty cell", while the ratio "was maintained at around 80 : 20".
  Here, so many of the obstacles (not of their cells) are chosen, and each of these then is an obstacle with a chance of
  80 %, whatever it was: 0.32 of them really change, and the ratio is kept on average. One could also read that so many
  become what they were not, half of them opening and half closing, as {program} does: at 20 % that closes
  half of all that is open at every event. What the two readings make, beside the thesis; in the last row, by which
  factor they are off on average:

{meanings}
- A random map on which the start cannot reach the goal is thrown away and drawn again.
- An obstacle may close where the robot is. The thesis does not say what happens then; here the robot waits until it
  opens again: in {waits}. Waiting is no way travelled, and such moments do not count as recomputing.
- A world ends after 40 steps for each cell of its side in rooms, and 4000 + 8 for each among random obstacles; who has
  not arrived then has not arrived, and its length is what it has travelled.
- Total time is of all calls of a planner, the first included, and so of what it takes to read a path off the search.
  Recompute time is of the calls right after something has really changed: the mean of a run, then of the runs.
- AD\\* changing: epsilon begins at 2, falls by 0.1 with every step, to below what is proven already, and rises by 0.5
  with every change, up to 2. It is asked before every step until its path is proven to be the best.
- D\\* Lite, D\\* and D\\* Extra Lite give up a repair that turns out to be more work than the last search from scratch.
- Theta\\* and Field D\\* plan at any angle, and the robot follows their lines from cell to cell. They take part in
  every tenth run. Of LRTA\\* and LSS-LRTA\\* there is one each, with the largest limit.
"""
