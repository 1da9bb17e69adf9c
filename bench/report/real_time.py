"""The page of real-time. The paper's figures have no numbers to compare with: what it says is compared."""

import math
import statistics

import matplotlib.pyplot as plt

from results import NO, OPEN, YES, document, jackknife, number, save, summed_up, table, verdict

WORLDS = {
    "unknown obstacles": ("steps_ratio", "Unknown, scattered obstacles", "time steps / A* that knows everything"),
    "unknown rooms": ("steps_ratio", "Unknown, rooms", "time steps / A* that knows everything"),
    "rooms every 50 steps": ("length_ratio", "Rooms that change every 50 steps", "way travelled / A*, all doors open"),
    "rooms every 10 steps": ("length_ratio", "Rooms that change every 10 steps", "way travelled / A*, all doors open"),
}
UNKNOWN = [w for w in WORLDS if w.startswith("unknown")]
DYNAMIC = [w for w in WORLDS if not w.startswith("unknown")]
NON_RTD = "Non-RTD*"
NOOP = "RTD* NoOp D* Lite"
COLOURS = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb", "#000000"]


def rtd(global_, local, percent):
    return f"RTD* {global_} + {local} {percent} %"


def pairings(global_, local):
    return [rtd(global_, local, percent) for percent in (25, 50, 75)]


class Grid:
    """The results by world and limit. Who has not arrived within the steps of a run has a way that is longer than it is
    then; what is made of such runs says so, or counts worlds."""

    def __init__(self, results):
        self.results = results
        # All worlds have the same limits.
        self.limits = sorted({int(s.rsplit("-", 1)[1]) for s in results.scenarios})
        self.worlds = list(WORLDS)

    def values(self, world, limit, planner, quantity=None):
        return self.results.values(f"{world}-{limit}", planner, quantity or WORLDS[world][0])

    def late(self, world, limit, planner):
        """The runs in which it did not arrive."""
        return {run for run, value in self.values(world, limit, planner, "reached").items() if value == 0}

    def ratio(self, world, limit, planner):
        """The mean; a lower bound where somebody was late, and nothing where all were."""
        values = self.values(world, limit, planner)
        if len(self.late(world, limit, planner)) == len(values):
            return math.nan
        return statistics.fmean(values.values())

    def is_bound(self, world, limit, planner):
        return bool(self.late(world, limit, planner))

    def difference(self, world, limit, planner, reference):
        """World by world, (mean, standard error); nothing where somebody was late."""
        if self.is_bound(world, limit, planner) or self.is_bound(world, limit, reference):
            return None
        return self.results.difference(f"{world}-{limit}", planner, reference, WORLDS[world][0])

    def worlds_won(self, world, limit, planner, reference):
        """In how many worlds it did better, and in how many worse: who arrives does better than who does not."""
        ours, theirs = (self.values(world, limit, p) for p in (planner, reference))
        late, other_late = (self.late(world, limit, p) for p in (planner, reference))
        better = worse = 0
        for run in ours:
            if run in late and run in other_late:
                continue
            if run in other_late or run not in late and ours[run] < theirs[run]:
                better += 1
            elif run in late or ours[run] > theirs[run]:
                worse += 1
        return better, worse

    def judge(self, world, limit, planner, reference):
        """-1 where it surely does better, 1 where worse, else 0: by two standard errors of the difference, or of the
        number of worlds where somebody was late."""
        difference = self.difference(world, limit, planner, reference)
        if difference is None:
            better, worse = self.worlds_won(world, limit, planner, reference)
            mean, error = worse - better, math.sqrt(better + worse)
        else:
            mean, error = difference
        if not math.isfinite(error) or abs(mean) <= 2 * error:
            return 0
        return -1 if mean < 0 else 1


def curves(axis, grid, world, planners):
    for planner in planners:
        colour = "black" if planner == NON_RTD else COLOURS[[p for p in planners if p != NON_RTD].index(planner)]
        style = "--" if planner == NON_RTD else "-"
        points = [(limit, grid.ratio(world, limit, planner)) for limit in grid.limits
                  if not math.isnan(grid.ratio(world, limit, planner))]
        if not points:
            continue
        axis.plot(*zip(*points), style, marker="" if planner == NON_RTD else "o", markersize=4, linewidth=1.3,
                  color=colour, label=planner)
        bounds = [(limit, ratio) for limit, ratio in points if grid.is_bound(world, limit, planner)]
        if bounds:
            axis.plot(*zip(*bounds), "^", markersize=7, color=colour, markerfacecolor="white", zorder=3)
    axis.set_xscale("log", base=2)
    axis.set_yscale("log", base=2)
    axis.set_xticks(grid.limits, [str(limit) for limit in grid.limits])
    low, high = axis.get_ylim()
    ticks = []
    for tick in (1, 1.05, 1.1, 1.15, 1.2, 1.3, 1.5, 1.75, 2, 2.5, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128):
        # As many as have room.
        if low <= tick <= high and (not ticks or math.log(tick / ticks[-1]) > 0.06 * math.log(high / low)):
            ticks.append(tick)
    axis.set_yticks(ticks, [str(tick) for tick in ticks])
    axis.minorticks_off()
    axis.set_xlabel("expansions per step")


def figure(grid, directory, name, worlds, families):
    """A row per family of planners, a column per world, as the paper has its graphs above each other."""
    figure_, axes = plt.subplots(len(families), len(worlds), figsize=(5.0 * len(worlds) + 1.8, 3.6 * len(families)),
                                 squeeze=False)
    for row, planners in zip(axes, families):
        for axis, world in zip(row, worlds):
            curves(axis, grid, world, planners)
            axis.set_title(WORLDS[world][1], fontsize=10)
            axis.set_ylabel(WORLDS[world][2])
        named = {label: handle for axis in row for handle, label in zip(*axis.get_legend_handles_labels())}
        named = {planner: named[planner] for planner in planners if planner in named}
        if any(grid.is_bound(world, limit, p) for world in worlds for limit in grid.limits for p in planners):
            named["at least: not all arrived"] = plt.Line2D([], [], linestyle="", marker="^", markersize=7,
                                                            color="black", markerfacecolor="white")
        row[-1].legend(named.values(), named, loc="center left", bbox_to_anchor=(1.02, 0.5), frameon=False)
    figure_.tight_layout()
    return save(figure_, directory, name)


def compared(grid, world, planner, reference):
    """Per limit: "-0.12 ± 0.03" where the planner does better by so much, run by run, or "61 : 30" worlds in which it
    does better and worse."""
    cells = []
    for limit in grid.limits:
        difference = grid.difference(world, limit, planner, reference)
        if difference is None:
            better, worse = grid.worlds_won(world, limit, planner, reference)
            text = f"{better} : {worse}"
        else:
            mean, error = difference
            text = f"{mean:+.2f}" if math.isnan(error) else f"{mean:+.2f} ± {error:.2f}"
        cells.append(f"**{text}**" if grid.judge(world, limit, planner, reference) else text)
    return cells


def comparison(grid, worlds, pairs):
    rows = []
    for planner, reference in pairs:
        for world in worlds:
            rows.append([f"{planner} against {reference}, {WORLDS[world][1].lower()}"]
                        + compared(grid, world, planner, reference))
    # The marks of significance are Markdown.
    return table([""] + grid.limits, rows).replace("\\*\\*", "**")


def ratios(grid, world):
    rows = []
    for planner in grid.results.planners:
        row = [planner]
        for limit in grid.limits:
            late = len(grid.late(world, limit, planner))
            text = number(grid.ratio(world, limit, planner))
            row.append((f"> {text} ({late})" if text != "–" else text) if late else text)
        rows.append(row)
    return table([""] + grid.limits, rows)


def better_at(grid, world, planner, reference):
    """The limits at which one surely does better, and those at which it does worse."""
    judged = {limit: grid.judge(world, limit, planner, reference) for limit in grid.limits}
    return [limit for limit, sign in judged.items() if sign < 0], [limit for limit, sign in judged.items() if sign > 0]


def spans(limits, all_):
    """[1, 2, 8] as "1 to 2, 8"."""
    runs = []
    for limit in limits:
        if runs and all_.index(runs[-1][1]) + 1 == all_.index(limit):
            runs[-1][1] = limit
        else:
            runs.append([limit, limit])
    return ", ".join(f"{a}" if a == b else f"{a} to {b}" for a, b in runs) or "none"


def findings(grid):
    high = [limit for limit in grid.limits if limit >= 64]
    low = [limit for limit in grid.limits if limit < 64]
    not_lowest = [limit for limit in grid.limits if limit >= 4]
    unknown = [w for w in grid.worlds if w in UNKNOWN]
    dynamic = [w for w in grid.worlds if w in DYNAMIC]
    plain = rtd("D* Lite", "LRTA*", 25)
    rows = []

    def versus(claim, worlds, planner, reference, at, at_all=False):
        for world in worlds:
            better, worse = better_at(grid, world, planner, reference)
            well, badly = len(set(at) & set(better)), len(set(at) & set(worse))
            enough = len(at) if at_all else len(at) // 2 + 1
            holds = (YES if at and well >= enough and not badly else NO if badly and not well else
                     "in part" if badly or well else OPEN)
            rows.append([claim, WORLDS[world][1], spans(at, grid.limits), spans(better, grid.limits),
                         spans(worse, grid.limits), holds])

    def alike(claim, worlds, planner, reference, at):
        for world in worlds:
            better, worse = better_at(grid, world, planner, reference)
            verdicts = []
            for limit in at:
                ours, theirs = (grid.values(world, limit, p) for p in (planner, reference))
                late = grid.is_bound(world, limit, planner) or grid.is_bound(world, limit, reference)
                verdicts.append(OPEN if late else verdict(*jackknife(
                    ours, lambda runs: sum(ours[r] for r in runs) / sum(theirs[r] for r in runs)), 0.95, 1.05))
            rows.append([claim, WORLDS[world][1], spans(at, grid.limits), spans(better, grid.limits),
                         spans(worse, grid.limits), summed_up(verdicts)])

    versus("Unknown: RTD* with LRTA* outperforms LRTA*", unknown, plain, "LRTA*", high)
    versus("... and RTD* NoOp", unknown, plain, NOOP, grid.limits)
    alike("Unknown: RTD* with LSS-LRTA* is almost the same as LSS-LRTA*", unknown, rtd("D* Lite", "LSS-LRTA*", 75),
          "LSS-LRTA*", high)
    versus("Dynamic: RTD* with LRTA* outperforms LRTA* on all but the very lowest limits", dynamic, plain, "LRTA*",
           not_lowest, at_all=True)
    versus("Dynamic: RTD* with LSS-LRTA* outperforms LSS-LRTA* at high limits", dynamic,
           rtd("D* Lite", "LSS-LRTA*", 50), "LSS-LRTA*", high)
    versus("Dynamic: with AD* it does better than with D* Lite at small limits", dynamic, rtd("AD*", "LSS-LRTA*", 50),
           rtd("D* Lite", "LSS-LRTA*", 50), low)
    versus("... and surpasses LSS-LRTA*", dynamic, rtd("AD*", "LSS-LRTA*", 50), "LSS-LRTA*", high)
    return table(["the paper found", "where", "of the limits", "better at", "worse at", "holds"], rows)


def ratio_spread(grid):
    """How much the choice of the local ratio matters: the largest difference between two of the three."""
    rows = []
    for world in grid.worlds:
        for global_ in ("D* Lite", "AD*"):
            for local in ("LRTA*", "LSS-LRTA*"):
                planners = pairings(global_, local)
                spread = [max(v) / min(v) - 1 for limit in grid.limits
                          if not any(grid.is_bound(world, limit, p) for p in planners)
                          and (v := [grid.ratio(world, limit, p) for p in planners])]
                rows.append([f"{WORLDS[world][1]}, {global_} + {local}",
                             f"{100 * statistics.median(spread):.0f} %" if spread else "–",
                             f"{100 * max(spread):.0f} %" if spread else "–", len(spread)])
    return table(["", "median over the limits", "largest", "limits at which all arrived"], rows)


def page(results, directory, docs):
    results.keep_common_runs(lambda scenario: "all")
    limits = {s.rsplit("-", 1)[1] for s in results.scenarios}
    results.require(f"{world}-{limit}" for world in WORLDS for limit in limits)
    grid = Grid(results)
    lss = ["LSS-LRTA*", rtd("D* Lite", "LSS-LRTA*", 75)]
    plain = ["LRTA*", rtd("D* Lite", "LRTA*", 25)]
    dynamic_lss = ["LSS-LRTA*", rtd("D* Lite", "LSS-LRTA*", 50), rtd("AD*", "LSS-LRTA*", 50)]
    unknown = [w for w in grid.worlds if w in UNKNOWN]
    dynamic = [w for w in grid.worlds if w in DYNAMIC]
    runs = results.runs(results.scenarios[0])
    parts = [f"""# Real-time search

D. M. Bond, N. A. Widger, W. Ruml, X. Sun, "Real-Time Search in Dynamic Worlds", SoCS 2010, repeated with our
planners: unknown static worlds (its figure 3) and dynamic rooms (its figure 4), 1 to 512 expansions per step, every
pairing of a global with a local search, and the baselines.

    ./run bench real-time

{runs} world{"s" if runs > 1 else ""} of each kind, at each limit. Nothing on this page depends on how fast the machine is. The paper's figures
have no numbers, so what it says is put beside what ours does.

## Does it hold

"Better at" are the limits at which it did better by more than two standard errors of the difference, world by world.
Where a robot had not arrived within {int(results.parameters['steps']):,} steps, its way is not known, and worlds are counted instead: who arrives
does better than who does not, and of two who do, who has the shorter way. A claim holds where it is better at most of
the limits of which it is said, or all of them if that is the claim, and worse at none; "in part" where there is some of
either, or better at too few. "High" is from 64 on, "all but the very lowest" from 4 on, and "almost the same" is within
5 %.
""", findings(grid), CHOICES.format(program=document("program.md", docs, "#record"))]
    parts += ["## Figure 3: unknown worlds\n",
              figure(grid, directory, "figure-3", unknown, [plain + [NOOP, NON_RTD], lss + [NOOP, NON_RTD]]),
              "## Figure 4: dynamic rooms\n",
              figure(grid, directory, "figure-4", dynamic, [plain + [NON_RTD], dynamic_lss + [NON_RTD]]),
              "## Every pairing\n",
              figure(grid, directory, "pairings", [unknown[0], dynamic[0]],
                     [pairings("D* Lite", "LRTA*") + pairings("D* Lite", "LSS-LRTA*") + [NON_RTD],
                      pairings("AD*", "LRTA*") + pairings("AD*", "LSS-LRTA*") + [NON_RTD]]),
              "How much the local ratio (25, 50, 75 %) matters; the paper: \"the differences in the performance of the "
              "ones not shown were small\".\n",
              ratio_spread(grid),
              "## How sure\n",
              "Differences of the ratios world by world with their standard errors, per limit; negative is better. "
              "Where not all arrived: in how many worlds it did better, and in how many worse. Bold: more than two "
              "standard errors.\n",
              comparison(grid, unknown, [(plain[1], "LRTA*"), (plain[1], NOOP), (lss[1], "LSS-LRTA*")]),
              comparison(grid, dynamic, [(plain[1], "LRTA*"), (dynamic_lss[1], "LSS-LRTA*"),
                                         (dynamic_lss[2], dynamic_lss[1]), (dynamic_lss[2], "LSS-LRTA*")]),
              "## All numbers\n",
              "Means over the worlds. In brackets: in how many of them the robot had not arrived; the mean is more than "
              "what is written then. Where it never arrived there is a dash.\n"]
    for world in grid.worlds:
        parts += [f"### {WORLDS[world][1]}: {WORLDS[world][2]}\n", ratios(grid, world)]
    return "\n".join(parts)


CHOICES = """## What is different, and why

- **Unknown worlds.** The paper's are maps of a game with starts and goals drawn at random. Ours are made from a number,
  so that anybody can make them again, and are two extremes. Among scattered obstacles there is hardly a dead end: a
  look around finds the way, what is learned matters little, and what RTD\\* gives its global search is missing to its
  local one. Rooms most of whose doors are closed are a maze, in which it is the other way round. That this is what
  tells them apart is supposed.
- **NoOp.** The paper's RTD\\* is ahead of it everywhere. Where ours is not, a robot that does not know the way may walk
  into dead ends and has to learn its way out of them, while one that waits does not: supposed, too.
- **Limits.** A step's limit is for everything the global search does, taking in changes and new keys included (the
  paper counts expansions alone), and the local search has one expansion at least. At limit 1 nothing is left for the
  global search, and all are LRTA\\* that looks at its neighbours.

## Where the paper leaves a choice

- Unknown worlds: 161 x 161 cells with a quarter of them obstacles, or rooms of 16 x 16 cells; seen from 7 cells away.
  The way is from the bottom left to the top right, not between random places.
- Dynamic rooms: 100 x 100 cells, walls 16 cells apart, four of five of the doors that move are closed
  ({program}). How fast they move the paper does not say: a tenth of them become what they were not
  every 50 steps, or every 10.
- A diagonal past a blocked cell is no move.
- LRTA\\* looks ahead by A\\*, as far as its limit goes; LSS-LRTA\\* looks again with every step.
- NoOp gives its whole limit to the global search. Non-RTD\\* is RTD\\* without a limit.
- AD\\*: epsilon from 3, by 0.5 down, by 0.1 up after a change, as in the paper.
"""
