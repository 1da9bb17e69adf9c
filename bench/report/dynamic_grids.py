"""The page of dynamic-grids, beside the numbers of the thesis (thesis_2024.csv)."""

import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from results import number, read_source, save, table

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


def fold(values, digits=3):
    """The least and the largest of some values."""
    values = [value for value in values if value is not None]
    return f"{number(min(values), digits)} to {number(max(values), digits)}" if values else "–"


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
    """What the thesis says, and whether it holds in the numbers of either side."""

    def __init__(self, results, thesis):
        self.results = results
        self.thesis = thesis
        self.rows = []

    def scenarios(self, kinds=KINDS, sizes=SIZES, changes=CHANGES):
        return [s for kind in kinds for size in sizes for change in changes
                if (s := f"{kind}-{size}-{change}") in self.results.scenarios]

    def ratios(self, source, planner, quantity, reference="A*", **which):
        """[(scenario, ratio)] where both are there."""
        return [(s, source.ratio(s, planner, reference, quantity)) for s in self.scenarios(**which)
                if source.has(s, planner) and source.has(s, reference)]

    def count(self, claim, holds, planners, quantity, reference="A*", digits=3, note="", **which):
        """In how many scenarios a ratio is as claimed, on both sides; it holds where it does in at
        least three of four."""
        cells = []
        for source in (self.thesis, self.results):
            ratios = [r for p in planners for _, r in self.ratios(source, p, quantity, reference, **which)]
            good = sum(1 for r in ratios if holds(r))
            cells.append((good, len(ratios), f"{good} of {len(ratios)}; {fold(ratios, digits)}"))
        good, all_, _ = cells[1]
        self.rows.append([claim, cells[0][2], cells[1][2],
                          "yes" if all_ and 4 * good >= 3 * all_ else f"no{note}"])

    def trend(self, claim, pairs, digits=3, note=""):
        """In how many pairs (before, after) of values the second one is larger. `pairs` makes them
        of a source."""
        cells = []
        for source in (self.thesis, self.results):
            made = [(a, b) for a, b in pairs(source) if a is not None and b is not None]
            good = sum(1 for a, b in made if b > a)
            cells.append((good, len(made), f"{good} of {len(made)}"))
        good, all_, _ = cells[1]
        self.rows.append([claim, cells[0][2], cells[1][2],
                          "yes" if all_ and 4 * good >= 3 * all_ else f"no{note}"])


def mean_or_none(source, scenario, planner, quantity):
    return source.mean(scenario, planner, quantity) if source.has(scenario, planner) else None


def findings(results, thesis):
    f = Findings(results, thesis)
    faster = lambda r: r < 1
    slower = lambda r: r > 1
    rtd = [f"RTD* {n}" for n in LIMITS]
    others = [p for p in thesis.planners if p != "A*"]
    here = set(results.scenarios)

    def steps(kinds, sizes, planner, quantity, low="2", high="20", relative=False):
        """Pairs of the least and the largest change."""
        def pairs(source):
            get = ratio_or_none if relative else mean_or_none
            return [(get(source, f"{k}-{s}-{low}", planner, quantity), get(source, f"{k}-{s}-{high}", planner, quantity))
                    for k in kinds for s in sizes
                    if {f"{k}-{s}-{low}", f"{k}-{s}-{high}"} <= here]
        return pairs

    def growing(kind, planner, quantity, change="2", falling=False):
        """Pairs of the smallest and the largest map."""
        def pairs(source):
            ends = [f"{kind}-128-{change}", f"{kind}-512-{change}"]
            if not set(ends) <= here:
                return []
            a, b = (ratio_or_none(source, s, planner, quantity) for s in ends)
            return [(b, a)] if falling else [(a, b)]
        return pairs

    f.count("A\\* travels least, or within 1 % of it: length / A\\* of all others is at least 0.99",
            lambda r: r >= 0.99, others, "length")
    f.trend("A\\*'s way grows from 2 % to 20 % of change in rooms", steps(["rooms"], SIZES, "A*", "length"))
    f.trend("... and hardly among random obstacles: by less than 2 %",
            lambda source: [(b / a, 1.02) for a, b in steps(["random"], SIZES, "A*", "length")(source)],
            note=" (1)")
    f.count("D\\* Lite is faster than A\\* at 2 %: total time / A\\*", faster, ["D* Lite"], "total_us", changes=["2"],
            note=" (2)")
    f.count("... and slower at 20 %", slower, ["D* Lite"], "total_us", changes=["20"])
    f.trend("D\\* Lite's time relative to A\\*'s grows with the change",
            steps(KINDS, SIZES, "D* Lite", "total_us", relative=True))
    f.trend("... and with the map in rooms, at 2 %", growing("rooms", "D* Lite", "total_us"))
    f.trend("D\\* Lite's nodes relative to A\\*'s grow with the map in rooms, at 2 %", growing("rooms", "D* Lite", "nodes"))
    f.trend("... and fall with it among random obstacles, at 2 %", growing("random", "D* Lite", "nodes", falling=True),
            note=" (6)")
    f.count("D\\* Lite's way is a little longer than A\\*'s: length / A\\* is over 1", slower, ["D* Lite"], "length",
            digits=4, note=" (1)")
    f.count("RTD\\* answers a change sooner than A\\* in rooms: recompute time / A\\*", faster, rtd, "recompute_us",
            kinds=["rooms"])
    f.count("... and at 512 x 512 ten times sooner", lambda r: r < 0.1, rtd, "recompute_us", kinds=["rooms"], sizes=["512"])
    f.count("... and among random obstacles", faster, rtd, "recompute_us", kinds=["random"])
    f.trend("There, RTD\\*'s recompute time grows with the change (limit 32)",
            steps(["random"], SIZES, "RTD* 32", "recompute_us"))
    f.trend("... and in rooms with the limit (32 to 512)",
            lambda source: [(mean_or_none(source, s, "RTD* 32", "recompute_us"),
                             mean_or_none(source, s, "RTD* 512", "recompute_us"))
                            for s in f.scenarios(kinds=["rooms"])])
    f.trend("RTD\\*'s way gets shorter with its limit (32 to 512)",
            lambda source: [(mean_or_none(source, s, "RTD* 512", "length"), mean_or_none(source, s, "RTD* 32", "length"))
                            for s in f.scenarios()])
    f.trend("In rooms RTD\\* 32 travels longest at the least change (20 % against 2 %)",
            lambda source: [(b, a) for a, b in steps(["rooms"], SIZES, "RTD* 32", "length")(source)])
    f.count("Among random obstacles RTD\\* 256 and 512 travel within 5 % of A\\*", lambda r: r < 1.05,
            ["RTD* 256", "RTD* 512"], "length", kinds=["random"])
    f.count("AD\\* with a fixed epsilon travels farther than A\\*", slower, FIXED, "length")
    f.trend("... and farther with epsilon 5 than with 2",
            lambda source: [(mean_or_none(source, s, "AD* 2", "length"), mean_or_none(source, s, "AD* 5", "length"))
                            for s in f.scenarios()])
    f.count("AD\\* 2, 3, 5 recompute faster than D\\* Lite among random obstacles: / D\\* Lite", faster, FIXED,
            "recompute_us", "D* Lite", kinds=["random"])
    f.count("... and in rooms of 256 x 256 and more", faster, FIXED, "recompute_us", "D* Lite", kinds=["rooms"],
            sizes=["256", "512"])
    f.trend("In rooms AD\\*'s recompute time falls with epsilon (5 against 2)",
            lambda source: [(mean_or_none(source, s, "AD* 5", "recompute_us"), mean_or_none(source, s, "AD* 2", "recompute_us"))
                            for s in f.scenarios(kinds=["rooms"])])
    f.count("... and among random obstacles it makes no difference: AD\\* 5 / AD\\* 2 within 10 %",
            lambda r: 0.9 < r < 1.1, ["AD* 5"], "recompute_us", "AD* 2", kinds=["random"])
    f.count("AD\\* changing travels about as far as D\\* Lite: within 4 %", lambda r: 0.96 < r < 1.04, ["AD* changing"],
            "length", "D* Lite", note=" (1)")
    f.count("... and takes the most time of all: total time / D\\* Lite over 1", slower, ["AD* changing"], "total_us",
            "D* Lite")
    f.count("... and recomputes slower than D\\* Lite among random obstacles", slower, ["AD* changing"],
            "recompute_us", "D* Lite", kinds=["random"], note=" (3)")
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


def median(values):
    values = sorted(values)
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


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
                    row.append(number(median(values)) if values else "–")
        rows.append(row)
    header = [""]
    for kind in KINDS:
        for what in ("length", "nodes", "total", "recompute"):
            header += [f"{kind}: {what}", "thesis"]
    return table(header, rows)


def tie_table(results):
    """How far optimal planners travel, by the end from which they search."""
    rows = []
    for where, planners in (("from the robot", ["Adaptive A*", "MPAA*", "LPA*"]),
                            ("from the goal", ["D* Lite", "D*", "D* Extra Lite"])):
        for planner in planners:
            row = [f"{planner}, {where}"]
            for kind in KINDS:
                ours = theirs = 0.0
                for s in results.scenarios:
                    if s.startswith(kind) and results.has(s, planner):
                        both = results.values(s, planner, "length"), results.values(s, "A*", "length")
                        ours += sum(both[0].values())
                        theirs += sum(both[1][run] for run in both[0])
                row.append(f"{ours / theirs:.4f}" if theirs else "–")
            rows.append(row)
    return table(["length / A*", "rooms", "random"], rows)


def node_table(results, thesis):
    """What a node takes as a multiple of what it takes A*."""
    rows = []
    for planner in ["D* Lite", "AD* 2", "AD* changing", "RTD* 32", "RTD* 512"]:
        row = [planner]
        for kind in KINDS:
            for source in (results, thesis):
                values = [time / nodes for s in results.scenarios if s.startswith(kind)
                          if (time := ratio_or_none(source, s, planner, "total_us")) is not None
                          and (nodes := ratio_or_none(source, s, planner, "nodes"))]
                row.append(number(median(values), 2) if values else "–")
        rows.append(row)
    return table(["", "rooms", "thesis", "random", "thesis"], rows)


def first_search_table(results, thesis):
    rows = [[label] + [number(ratio_or_none(source, f"random-{size}-2", planner, "nodes"))
                       if source.has(f"random-{size}-2", planner) else "–" for size in SIZES]
            for label, source, planner in (("D* Lite", results, "D* Lite"), ("D* Extra Lite", results, "D* Extra Lite"),
                                           ("D* Lite of the thesis", thesis, "D* Lite"))]
    return table(["nodes / A*, random, 2 %"] + [f"{size} x {size}" for size in SIZES], rows)


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


def page(results, directory):
    thesis = Thesis()
    counts = {size: {results.runs(s) for s in results.scenarios if s.split("-")[1] == size} for size in SIZES}
    runs = ", ".join(f"{min(c)}{f' to {max(c)}' if max(c) > min(c) else ''} of {size} x {size}"
                     for size, c in counts.items() if c)
    found = [[row[0].replace("\\*", "*"), *row[1:]] for row in findings(results, thesis)]
    late = [[p, f"{n} of {all_}"] for p in results.planners for n, all_ in [results.shortfall(p)] if n]
    parts = [f"""# Dynamic grids

J. Mäntysalo, "Graph search-based pathfinding in dynamic environments", master's thesis, University of Turku, 2024,
chapters 4 and 5 and appendix A, repeated with our planners. A robot crosses rooms whose doors, or a field whose
obstacles, open and close every 10 steps, and knows the whole map at any time.

    ./run bench dynamic-grids

Runs per scenario on this page: {runs} (the thesis: 100).
A run that is stopped has more of the small maps, which take less time; the command goes on from there. Times are of the
processor, one planner right after the other in one thread; they compare within a table, and with the thesis's only as
ratios to A\\*.

## Does it hold

"n of m": in so many scenarios, planners or pairs of them, and the least and the largest ratio. It holds where it does
in at least three of four. With few runs a "no" may be chance; where it has a reason, the number tells which.
""",
             table(["the thesis found", "in its tables", "in ours", "holds"], found),
             DIFFERENCES.replace("TIES", tie_table(results)).replace("PERNODE", node_table(results, thesis))
             .replace("FIRSTSEARCH", first_search_table(results, thesis)),
             CHOICES.replace("WAITS", waits(results)),
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
   unnecessary. Ours do the opposite. Paths keep their direction where several ways are as good, beginning at the end
   from which they are traced: that is the robot for the planners that search from the goal, which so put off their
   detours, and the goal for those that search from the robot, which so take them first. It is not the algorithm:

TIES
   So our A\\* among random obstacles travels as far as the thesis's D\\* Lite, and the other way round, and all lengths
   relative to A\\*'s are a little lower there than in the thesis.
2. **Expansions are cheap, changes less so.** To take in a changed cell is no node, and A\\* need not do it. Ours needs
   little time per node; so where many cells change, among random obstacles, what is not expansions weighs more than
   in the thesis, and repairing planners do worse against A\\* in time though not in nodes. In rooms few cells change,
   and the times compare as in the thesis. What a node takes, all included, as a multiple of what it takes A\\* (total
   time over nodes; the medians over the scenarios):

PERNODE
3. **AD\\* begins anew where a repair does not pay** ([anytime](../../anytime.md)). With an inflated heuristic a new
   search among random obstacles is little more than a path; the thesis's AD\\* changing repairs always and is the
   slowest there.
4. **RTD\\*'s limit is for everything.** The thesis's RTD\\* takes in all changes at once, outside of the limit, which
   is what its recompute time then consists of. Ours takes them in portions, within the limit
   ([real-time search](../../real_time.md)): so a change is answered sooner, but it takes more steps until a complete
   path is known again, and with each of them the local search thinks. Hence the shorter recompute time, more nodes
   and the larger total time among random obstacles.
5. **Our rooms are more winding.** All planners' ways in rooms are longer than in the thesis, A\\*'s too. The mazes are
   as it describes them, but it does not say where its depth-first search begins, nor how its 80:20 counts doors.
6. **How much the first search sees.** On open ground many cells have the same key, and our D\\* Lite, as our A\\*, takes
   of these the last ones first: its first search expands hardly more than it must. What it has not seen, it has to
   search after later changes, and a repair that would be more work than that cheap first search is given up for a new
   one. D\\* Extra Lite's first search expands all of them, and then it has little left to do. The thesis's D\\* Lite seems
   to be like the latter: its share of A\\*'s nodes falls with the map, as that of D\\* Extra Lite does:

FIRSTSEARCH
"""

CHOICES = """## Where the thesis leaves a choice

- Walls are 16 cells apart, so 128 x 128 cells are 8 x 8 rooms. The depth-first search begins in the start's room.
- Of the dynamic obstacles, not of their cells, four of five are closed, and of all of them the stated share changes
  at a time, half of these opening and half closing ([record](../../program.md#record)).
- A random map on which the start cannot reach the goal is thrown away and drawn again.
- An obstacle may close where the robot is. The thesis does not say what happens then; here the robot waits until it
  opens again: in WAITS. Waiting is no way travelled, and such moments do not count as recomputing.
- A world ends after 40 steps for each cell of its side in rooms, and 4000 + 8 for each among random obstacles; who has
  not arrived then has not arrived, and its length is what it has travelled.
- Total time is of all calls of a planner, the first included, and so of what it takes to read a path off the search.
  Recompute time is of the calls right after a change: the mean of a run, then of the runs.
- AD\\* changing: epsilon begins at 2, falls by 0.1 with every step, to below what is proven already, and rises by 0.5
  with every change, up to 2. It is asked before every step until its path is proven to be the best.
- D\\* Lite, D\\* and D\\* Extra Lite give up a repair that turns out to be more work than the last search from scratch.
- Theta\\* and Field D\\* plan at any angle, and the robot follows their lines from cell to cell. They take part in
  every tenth run. Of LRTA\\* and LSS-LRTA\\* there is one each, with the largest limit.
"""
