"""The page of unknown-terrain, beside the numbers of the paper (paper_2020.csv)."""

import math
import re
import statistics

import matplotlib.pyplot as plt

from results import (NO, OPEN, YES, document, fold, jackknife, number, read_source, save, summed_up, table, tally,
                     verdict, with_error)

# Those of the paper: they are compared with the best of each problem, and one of them wins it.
CONTEST = ["D* Extra Lite", "D* Lite", "MPAA* +g", "MPAA* FIFO", "MPAA* -g"]
MPAA = CONTEST[2:]
GENERATED = ["random-10", "random-40", "mazes", "rooms"]
ENOUGH = 10  # problems, to say whether something holds
COLOURS = ["#4477aa", "#66ccee", "#228833", "#ccbb44", "#ee6677"]
# The paper's sets by the names that their maps have in the Moving AI collection; ours of the same kind are
# generated, so that nothing but cities and games is taken from it into the paper's rows.
SETS = [("real world", r"(Berlin|Boston|Denver|London|Milan|Moscow|NewYork|Paris|Shanghai|Sydney)_\d"),
        ("Starcraft", r"(Aftershock|CrescentMoon)"),
        ("Warcraft III", r"(golemsinthemist|moonglade)"),
        ("mazes of the collection", r"maze\d+-"), ("rooms of the collection", r"\d+room_"),
        ("random maps of the collection", r"random\d+-")]
OTHERS = "other maps"


def parts_of(scenario):
    """Terrain, heuristic, visibility."""
    terrain, heuristic, visibility = scenario.rsplit("-", 2)
    return terrain, heuristic, int(visibility)


def set_of(terrain):
    if terrain in GENERATED:
        return terrain
    return next((name for name, pattern in SETS if re.match(pattern, terrain)), OTHERS)


class Problems:
    """What each planner did with each problem of a set: {(terrain, run): value}."""

    def __init__(self, results):
        self.results = results
        terrains = list(dict.fromkeys(parts_of(s)[0] for s in results.scenarios))
        order = GENERATED + [name for name, _ in SETS] + [OTHERS]
        self.terrains = {name: [t for t in terrains if set_of(t) == name] for name in order}
        self.terrains = {name: all_ for name, all_ in self.terrains.items() if all_}
        self.sets = list(self.terrains)
        self.visibilities = sorted({parts_of(s)[2] for s in results.scenarios})
        self.cache = {}

    def values(self, set_, planner, quantity, visibility=10, heuristic="octile"):
        key = set_, planner, quantity, visibility, heuristic
        if key not in self.cache:
            self.cache[key] = {
                (terrain, run): value for terrain in self.terrains[set_]
                if self.results.has(scenario := f"{terrain}-{heuristic}-{visibility}", planner)
                for run, value in self.results.values(scenario, planner, quantity).items()}
        return self.cache[key]

    def count(self, set_, **how):
        return len(self.values(set_, CONTEST[0], "nodes", **how))

    def mean(self, set_, planner, quantity, **how):
        values = self.values(set_, planner, quantity, **how)
        return statistics.fmean(values.values()) if values else None

    def best(self, set_, quantity, **how):
        all_ = [self.values(set_, planner, quantity, **how) for planner in CONTEST]
        return {problem: min(values[problem] for values in all_) for problem in all_[0]}

    def normalised(self, set_, planner, quantity, **how):
        best = self.best(set_, quantity, **how)
        values = self.values(set_, planner, quantity, **how)
        each = [value / best[problem] for problem, value in values.items() if best.get(problem)]
        return statistics.fmean(each) if each else None

    def wins(self, set_, planner):
        """In percent of the problems; who takes at most 1 % longer than the fastest wins too."""
        best = self.best(set_, "total_us")
        values = self.values(set_, planner, "total_us")
        return 100 * statistics.fmean(value <= 1.01 * best[problem] for problem, value in values.items())


class Paper:
    def __init__(self):
        self.rows = {(row["terrain"], row["planner"]): row for row in read_source("paper_2020.csv")}

    def value(self, set_, planner, column):
        row = self.rows.get((set_, planner))
        return float(row[column]) if row else None

    def has(self, set_):
        return (set_, CONTEST[0]) in self.rows


def maybe(value, digits=3):
    return number(value, digits)


# --- tables ---------------------------------------------------------------------------------------

def tables(problems, paper):
    parts = ["## Tables 1 and 2: visibility 10, octile distance\n",
             "Means, and means of what is normalised problem by problem to the best of the paper's five planners. "
             "The others take no part in that: they may be below 1. Some planners take part in every twentieth "
             "run only; their means are of fewer problems.\n"]
    for set_ in problems.sets:
        terrains = problems.terrains[set_]
        which = "" if terrains == [set_] else f" ({', '.join(terrains)})"
        parts.append(f"### {set_}{which}: {problems.count(set_)} problems\n")
        rows = []
        for planner in problems.results.planners:
            if not problems.values(set_, planner, "nodes"):
                continue
            row = [planner, number(problems.mean(set_, planner, "total_us") / 1000),
                   number(problems.mean(set_, planner, "nodes"), 6),
                   number(problems.mean(set_, planner, "length"), 6),
                   number(problems.mean(set_, planner, "searches"), 3)]
            row += [number(problems.normalised(set_, planner, q)) for q in ("total_us", "nodes", "length")]
            row.append(number(problems.wins(set_, planner)) if planner in CONTEST else "–")
            if paper.has(set_):
                row += [maybe(paper.value(set_, planner, c), 6)
                        for c in ("runtime", "searches", "cost")]
                row += [maybe(paper.value(set_, planner, c))
                        for c in ("norm_runtime", "norm_searches", "norm_cost", "wins")]
            rows.append(row)
        header = ["planner", "time ms", "nodes", "length", "episodes", "norm. time", "norm. nodes", "norm. length",
                  "wins %"]
        if paper.has(set_):
            header += ["paper: runtime", "searches", "cost", "norm. runtime", "norm. searches", "norm. cost",
                       "wins %"]
        parts.append(table(header, rows))
    return parts


def table_4(problems, paper):
    rows = []
    for set_ in problems.sets:
        for planner in CONTEST:
            row = [f"{set_}, {planner}"]
            row += [maybe(problems.normalised(set_, planner, "total_us", visibility=k)) for k in problems.visibilities]
            row += [maybe(paper.value(set_, planner, f"norm_runtime_{k}")) for k in (2, 10, 20)]
            rows.append(row)
    return ["## Table 4: normalised time by visibility, octile distance\n",
            table(["", *[f"visibility {k}" for k in problems.visibilities],
                   *[f"paper: {k}" for k in (2, 10, 20)]], rows)]


def heuristic_table(problems):
    rows = []
    for planner in problems.results.planners:
        row = [planner]
        for set_ in problems.sets:
            for quantity in ("total_us", "nodes"):
                row.append(number(heuristic_ratio(problems, set_, planner, quantity)))
        rows.append(row)
    header = ["planner"] + [f"{set_}: {what}" for set_ in problems.sets for what in ("time", "nodes")]
    return table(header, rows)


def heuristic_ratio(problems, set_, planner, quantity):
    """With the Euclidean distance, as a share of that with the octile one."""
    octile = problems.values(set_, planner, quantity)
    euclidean = problems.values(set_, planner, quantity, heuristic="euclidean")
    both = octile.keys() & euclidean.keys()
    total = sum(octile[problem] for problem in both)
    return sum(euclidean[problem] for problem in both) / total if total else float("nan")


# --- figures --------------------------------------------------------------------------------------

def grouped(axis, groups, series, label, log=False):
    """Bars: one group per x, one colour per series [(name, values)]."""
    width = 0.8 / len(series)
    for i, (name, values) in enumerate(series):
        axis.bar([x + (i - (len(series) - 1) / 2) * width for x in range(len(groups))], values, width,
                 color=COLOURS[i], label=name)
    axis.set_xticks(range(len(groups)), groups, rotation=25, ha="right", fontsize=8)
    axis.set_ylabel(label)
    axis.grid(axis="x", visible=False)
    if log:
        axis.set_yscale("log")


def figure_3(problems, directory):
    figure, axes = plt.subplots(1, 4, figsize=(12, 3.2))
    for axis, set_ in zip(axes, [s for s in GENERATED if s in problems.sets]):
        for offset, heuristic, alpha in ((-0.2, "octile", 1.0), (0.2, "euclidean", 0.45)):
            values = [problems.mean(set_, p, "total_us", heuristic=heuristic) or 0 for p in CONTEST]
            axis.bar([x + offset for x in range(len(CONTEST))], [v / 1000 for v in values], 0.4, color=COLOURS,
                     alpha=alpha)
        axis.set_xticks(range(len(CONTEST)), CONTEST, rotation=60, ha="right", fontsize=7)
        axis.set_title(set_, fontsize=10)
        axis.grid(axis="x", visible=False)
    axes[0].set_ylabel("mean time (ms)")
    handles = [plt.Rectangle((0, 0), 1, 1, color="#4477aa", alpha=alpha) for alpha in (1.0, 0.45)]
    figure.legend(handles, ["octile", "Euclidean"], loc="upper center", ncols=2, frameon=False)
    figure.tight_layout(rect=(0, 0, 1, 0.93))
    return save(figure, directory, "heuristics")


def figure_visibility(problems, paper, directory):
    sets = [s for s in problems.sets if paper.has(s)]
    columns = min(4, len(sets))
    lines = -(-len(sets) // columns)
    figure, axes = plt.subplots(lines, columns, figsize=(3.1 * columns, 2.7 * lines), squeeze=False)
    for axis in axes.flat[len(sets):]:
        axis.set_visible(False)
    for axis, set_ in zip(axes.flat, sets):
        for colour, planner in zip(COLOURS, CONTEST):
            ours = [problems.normalised(set_, planner, "total_us", visibility=k) for k in problems.visibilities]
            theirs = [paper.value(set_, planner, f"norm_runtime_{k}") for k in (2, 10, 20)]
            axis.plot([str(k) for k in problems.visibilities], ours, "o-", color=colour, label=planner)
            axis.plot(["2", "10", "20"], theirs, "x--", color=colour)
        axis.set_title(set_, fontsize=10)
        axis.set_yscale("log")
        ticks = [1, 2, 5, 10]
        axis.set_yticks(ticks, [str(t) for t in ticks])
        axis.set_yticks([], minor=True)
        axis.set_xlabel("visibility")
    for row in axes:
        row[0].set_ylabel("normalised time")
    handles, labels = axes[0][0].get_legend_handles_labels()
    handles += [plt.Line2D([], [], color="black", linestyle=style, marker=marker)
                for style, marker in (("-", "o"), ("--", "x"))]
    figure.legend(handles, labels + ["ours", "paper"], loc="upper center", ncols=len(labels) + 2, frameon=False)
    figure.tight_layout(rect=(0, 0, 1, 1 - 0.28 / (2.7 * lines)))
    return save(figure, directory, "visibility")


def figure_normalised(problems, paper, directory):
    sets = [s for s in problems.sets if paper.has(s)]
    figure, axes = plt.subplots(2, 1, figsize=(10, 5.4), sharex=True)
    for axis, whose, value in (
            (axes[0], "ours", lambda s, p: problems.normalised(s, p, "total_us")),
            (axes[1], "paper", lambda s, p: paper.value(s, p, "norm_runtime"))):
        grouped(axis, sets, [(p, [value(s, p) for s in sets]) for p in CONTEST], f"normalised time, {whose}")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper center", ncols=len(labels), frameon=False)
    figure.tight_layout(rect=(0, 0, 1, 0.95))
    return save(figure, directory, "normalised")


# --- findings -------------------------------------------------------------------------------------

def least(values):
    return min(values, key=values.get)


class Findings:
    """Whether a number that is made of the problems of a set lies within bounds, by two standard errors."""

    def __init__(self, problems, paper):
        self.problems = problems
        self.paper = paper
        self.rows = []

    def measured(self, set_, of, **how):
        """of(mean) and its standard error; mean(planner, quantity, **how) is over the problems of the set, normalised
        if `normalised` is said."""
        def value(only):
            def mean(planner, quantity, normalised=False, **other):
                kinds = {**how, **other}
                values = self.problems.values(set_, planner, quantity, **kinds)
                if not normalised:
                    return statistics.fmean(values[p] for p in only)
                best = self.problems.best(set_, quantity, **kinds)
                return statistics.fmean(values[p] / best[p] for p in only if best[p])
            return of(mean)
        return jackknife(self.problems.values(set_, CONTEST[0], "nodes"), value)

    def add(self, claim, set_, theirs, ours, holds):
        few = self.problems.count(set_)
        self.rows.append([claim, set_, theirs, ours, holds if few >= ENOUGH else f"open ({few} problems)"])

    def bound(self, claim, set_, theirs, of, low=-math.inf, high=math.inf, **how):
        value = self.measured(set_, of, **how)
        self.add(claim, set_, theirs, with_error(*value), verdict(*value, low, high))

    def winner(self, claim, set_, theirs, of):
        """Whether the one that is least in the paper is least in ours: of(mean, planner)."""
        first = least(theirs)
        ours = self.measured(set_, lambda mean: of(mean, first) / min(of(mean, p) for p in CONTEST if p != first))
        values = {p: self.measured(set_, lambda mean, p=p: of(mean, p))[0] for p in CONTEST}
        self.add(claim, set_, first, f"{least(values)}; {first} takes {with_error(*ours)} times as much as the best of the "
                 "others", verdict(*ours, high=1.0))


def findings(problems, paper):
    f = Findings(problems, paper)
    generated = [s for s in GENERATED if s in problems.sets]
    for set_ in generated:
        def shares(mean, planners):
            return [mean(p, "total_us", heuristic="euclidean") / mean(p, "total_us") for p in planners]
        some = [p for p in CONTEST if (set_, p) != ("mazes", "D* Lite")]
        f.bound("The octile distance is faster than the Euclidean one, which takes at least ... times as long (figure 3)"
                + (", but for D* Lite" if len(some) < len(CONTEST) else ""), set_, "over 1",
                lambda mean: min(shares(mean, some)), low=1)
        f.bound("It speeds MPAA* up more than the others: least gain of MPAA* / largest of the others", set_, "over 1",
                lambda mean: min(shares(mean, MPAA)) / max(shares(mean, CONTEST[:2])), low=1)
    for set_ in [s for s in problems.sets if paper.has(s)]:
        f.winner("Fastest on average (table 1)", set_, {p: paper.value(set_, p, "runtime") for p in CONTEST},
                 lambda mean, p: mean(p, "total_us"))
        f.winner("Fewest nodes on average (table 1)", set_, {p: paper.value(set_, p, "searches") for p in CONTEST},
                 lambda mean, p: mean(p, "nodes"))
        f.winner("Fastest, normalised (table 2)", set_, {p: paper.value(set_, p, "norm_runtime") for p in CONTEST},
                 lambda mean, p: mean(p, "total_us", normalised=True))
        theirs = {p: -paper.value(set_, p, "wins") for p in CONTEST}
        ours = {p: -problems.wins(set_, p) for p in CONTEST}
        f.add("Most wins (table 2)", set_, f"{least(theirs)}, {number(-min(theirs.values()))} %",
              f"{least(ours)}, {number(-min(ours.values()))} %", wins_more(problems, set_, least(theirs)))
    alike = {(set_, p): f.measured(set_, lambda mean, p=p: mean(p, "length") / mean("D* Lite", "length"))
             for set_ in problems.sets for p in CONTEST if p != "D* Lite"}
    verdicts = [verdict(*value, 0.95, 1.05) if problems.count(set_) >= ENOUGH else OPEN
                for (set_, _), value in alike.items()]
    f.rows.append(["All travel about as far: within 5 % of D* Lite", "all sets, each planner", "yes",
                   f"{tally(verdicts)}; {fold([v for v, _ in alike.values()])}", summed_up(verdicts)])
    first, last = problems.visibilities[0], problems.visibilities[-1]
    for set_ in [s for s in problems.sets if paper.has(s)]:
        near, far = (paper.value(set_, "MPAA* +g", f"norm_runtime_{k}") for k in (2, 20))
        f.bound(f"MPAA* +g gains by a larger visibility: normalised time at {last} / at {first} (table 4)", set_,
                f"{number(far)} / {number(near)} = {number(far / near)}",
                lambda mean: mean("MPAA* +g", "total_us", normalised=True, visibility=last)
                / mean("MPAA* +g", "total_us", normalised=True, visibility=first), high=1)
    return table(["the paper finds", "where", "paper", "ours", "holds"], f.rows)


def wins_more(problems, set_, planner):
    """Whether it wins more problems than each of the others does, by two standard errors of those that tell them
    apart."""
    best = problems.best(set_, "total_us")
    won = {p: {problem for problem, value in problems.values(set_, p, "total_us").items()
               if value <= 1.01 * best[problem]} for p in CONTEST}
    worst = YES
    for other in CONTEST:
        if other != planner:
            only, lost = len(won[planner] - won[other]), len(won[other] - won[planner])
            if lost - only > 2 * math.sqrt(only + lost):
                return NO
            if only - lost <= 2 * math.sqrt(only + lost):
                worst = OPEN
    return worst


# --- explanations ---------------------------------------------------------------------------------

def nodes_table(problems, paper):
    """Ratios of nodes and of times per node that tell what is different."""
    pairs = [("nodes", "D* Lite", "D* Extra Lite"), ("nodes", "MPAA* +g", "D* Extra Lite"),
             ("nodes", "MPAA* FIFO", "MPAA* +g"), ("nodes", "MPAA* -g", "MPAA* +g"),
             ("time per node", "D* Lite", "D* Extra Lite"), ("time per node", "MPAA* +g", "D* Extra Lite")]
    rows = []
    for what, planner, reference in pairs:
        row = [f"{what}: {planner} / {reference}"]
        for set_ in [s for s in problems.sets if paper.has(s)]:
            for value in (lambda p, q: problems.mean(set_, p, {"searches": "nodes", "runtime": "total_us"}[q]),
                          lambda p, q: paper.value(set_, p, q)):
                ratio = value(planner, "searches") / value(reference, "searches")
                if what != "nodes":
                    ratio = value(planner, "runtime") / value(reference, "runtime") / ratio
                row.append(number(ratio, 2))
        rows.append(row)
    return table([""] + [h for s in problems.sets if paper.has(s) for h in (s, "paper")], rows)


def explanations(problems, paper, docs):
    few = ", ".join(f"{problems.count(s)} on {s}" for s in problems.sets if problems.count(s) < ENOUGH)
    return f"""
## What is different, and why

What the planners' nodes are to each other, on average, and what a node takes, in ours and in the paper:

{nodes_table(problems, paper)}
- **D\\* Lite's order of equal f.** The paper's expands all cells of the start's f whose g is smaller, of which there are
  many over open ground. Ours leaves their order open and ends at the first of the start's f on which no cost depends
  any more ({document("incremental.md", docs)}). The first row says what that may be worth; that all of the difference
  is due to it is supposed, for ours cannot be told to keep the paper's order here.
- **FIFO.** Over open ground all cells between the robot and the goal may have the same f. Who takes the oldest of them
  first goes through them layer by layer, hardly otherwise than who takes the smallest g first: the two take about the
  same number of nodes in ours. The paper's FIFO is closer to its larger g, by an order of magnitude in places. Why we do
  not know; what its open list does with cells that it puts in again it does not say.
- **What a node takes.** A node of MPAA\\* is one of A\\*; one of the others looks at its neighbours' neighbours, or cuts
  and mends its tree. Time per node differs with all of how a planner is written, and so does who is fastest where
  nodes alone are close.
- **How many problems.** The paper has 10,000 of each set; here {"there are few" if few else "there are " + fold_counts(problems)}{f" ({few})" if few else ""}.
  Ways of very different length are in the same mean, so a few long ones decide it: the normalised columns and the
  wins are surer, and "open" says where more problems would be needed.
"""


def fold_counts(problems):
    counts = [problems.count(s) for s in problems.sets]
    return f"{min(counts)} to {max(counts)}" if min(counts) < max(counts) else str(counts[0])


CHOICES = """
## What the paper leaves open, and what was chosen

- **Searches** in its tables cannot be the number of times that a planner was asked: 21,056 of them on a way of
  349 cells. They are taken for expanded nodes, which fit. How often a planner was asked are our *episodes*.
- **Problems.** The paper takes 10,000 per set from Nathan Sturtevant's repository. Here random maps, mazes and
  rooms are generated after the maps of that collection, 512 x 512 cells, a new one for every run (mazes with
  corridors of 1, 2, 4, 8, 16 and 32 cells in turn; rooms of 8, 16, 32 and 64 cells, four of five walls with a
  door), with a start and a goal drawn from the largest region whose cells can reach each other: among 40 %
  obstacles there are pockets, in which nothing is to be found. `--maps` adds the maps of a
  folder, with problems spread over each file from short to long ones. How many, each table says.
- **Visibility k** is every cell at most k rows and columns away; the paper's are the arcs of all paths of k arcs
  or fewer. A planner is asked when the robot sees a cell that is not as it was known to be.
- **Diagonals** never pass the corner of a blocked cell. The paper blocks arcs that touch an obstacle and says
  nothing of corners.
- **Ties.** The paper's D\\* Lite and D\\* Extra Lite order equal f by the smaller g; ours leave that order to
  the open list ({incremental}). Those of MPAA\\* are the paper's three.
- **Times** are of the searches alone, in processor time of one thread, planners of a problem one right after
  the other. The ratios between planners are what can be compared.
- **Other planners:** AD\\* 3 keeps an epsilon of 3, so it is no optimal planner.
"""


def page(results, directory, docs):
    results.keep_common_runs(lambda scenario: "all")
    terrains = {parts_of(s)[0] for s in results.scenarios}
    views = {parts_of(s)[1:] for s in results.scenarios}
    results.require(f"{terrain}-{heuristic}-{k}" for terrain in terrains for heuristic, k in views)
    problems, paper = Problems(results), Paper()
    maps = [t for s in problems.sets if s not in GENERATED for t in problems.terrains[s]]
    parts = [
        f"""# Unknown terrain

C. Hernández, J. Baier, R. Asín, "Multipath Adaptive A\\*: Factors That Influence Performance in Goal-Directed Navigation
in Unknown Terrain", IEEE Access 8, 2020, section V, repeated with our planners: robots that take for free what they have
not seen, see obstacles when they come near, and plan again.

    ./run bench unknown-terrain{" --maps DIR" if maps else ""}

{results.runs(results.scenarios[0])} problems of each of {sum(len(t) for t in problems.terrains.values())} terrains{f", of which {len(maps)} are maps of a folder" if maps else ""}, each at all {len(views)} settings of visibility and
heuristic: """
        + ", ".join(f"{problems.count(s)} on {s}" for s in problems.sets) + """. The paper has 10,000 per set.

## Does it hold

Ratios with standard errors (leaving out one problem after the other, all planners of a problem together). It is open
within two of them of what would decide it, and with fewer than """ + str(ENOUGH) + """ problems.
""",
        findings(problems, paper), explanations(problems, paper, docs),
        CHOICES.format(incremental=document("incremental.md", docs)),
        "## Figure 3: the heuristic, visibility 10\n",
        figure_3(problems, directory),
        "With the Euclidean distance, as a share of that with the octile one:\n", heuristic_table(problems),
        *tables(problems, paper),
        "Normalised times side by side:\n", figure_normalised(problems, paper, directory),
        *table_4(problems, paper), figure_visibility(problems, paper, directory),
    ]
    return "\n".join(parts)
