"""The page of real-time. The paper's figures have no numbers to compare with: what it says is compared."""

import math
import statistics

import matplotlib.pyplot as plt

from results import number, save, table

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
    """The results by world and limit."""

    def __init__(self, results):
        self.results = results
        # All worlds have the same limits.
        self.limits = sorted({int(s.rsplit("-", 1)[1]) for s in results.scenarios})
        self.worlds = [w for w in WORLDS if f"{w}-{self.limits[0]}" in results.scenarios]

    def ratio(self, world, limit, planner):
        return self.results.mean(f"{world}-{limit}", planner, WORLDS[world][0])

    def missing(self, world, limit, planner):
        reached = self.results.values(f"{world}-{limit}", planner, "reached").values()
        return sum(1 for value in reached if value == 0)

    def difference(self, world, limit, planner, reference):
        return self.results.difference(f"{world}-{limit}", planner, reference, WORLDS[world][0])


def curves(axis, grid, world, planners):
    for planner in planners:
        colour = "black" if planner == NON_RTD else COLOURS[[p for p in planners if p != NON_RTD].index(planner)]
        style = "--" if planner == NON_RTD else "-"
        points = [(limit, grid.ratio(world, limit, planner)) for limit in grid.limits
                  if not grid.missing(world, limit, planner)]
        if points:
            axis.plot(*zip(*points), style, marker="" if planner == NON_RTD else "o", markersize=4, linewidth=1.3,
                      color=colour, label=planner)
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
    axis.legend(frameon=False)


def figure(grid, directory, name, worlds, families):
    """A row per family of planners, a column per world, as the paper has its graphs above each other."""
    figure_, axes = plt.subplots(len(families), len(worlds), figsize=(5.4 * len(worlds), 3.6 * len(families)),
                                 squeeze=False)
    for row, planners in zip(axes, families):
        for axis, world in zip(row, worlds):
            curves(axis, grid, world, planners)
            axis.set_title(WORLDS[world][1], fontsize=10)
            axis.set_ylabel(WORLDS[world][2])
    figure_.tight_layout()
    return save(figure_, directory, name)


def compared(grid, world, planner, reference):
    """Per limit: "-0.12 ± 0.03" where the planner does better by so much, run by run."""
    cells = []
    for limit in grid.limits:
        mean, error = grid.difference(world, limit, planner, reference)
        text = f"{mean:+.2f}" if math.isnan(error) else f"{mean:+.2f} ± {error:.2f}"
        cells.append(f"**{text}**" if not math.isnan(error) and abs(mean) > 2 * error else text)
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
            late = grid.missing(world, limit, planner)
            row.append(number(grid.ratio(world, limit, planner)) + (f" ({late})" if late else ""))
        rows.append(row)
    return table([""] + grid.limits, rows)


def better_at(grid, world, planner, reference):
    """The limits at which one is better by more than two standard errors, and those at which it is worse."""
    better, worse = [], []
    for limit in grid.limits:
        mean, error = grid.difference(world, limit, planner, reference)
        if abs(mean) > 2 * error:
            (better if mean < 0 else worse).append(limit)
    return better, worse


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
    unknown = [w for w in grid.worlds if w in UNKNOWN]
    dynamic = [w for w in grid.worlds if w in DYNAMIC]
    plain = rtd("D* Lite", "LRTA*", 25)
    rows = []

    def versus(claim, worlds, planner, reference, at):
        """It holds where it is better at most of the limits of which it is said, and worse at none."""
        for world in worlds:
            better, worse = better_at(grid, world, planner, reference)
            holds = 2 * len(set(at) & set(better)) > len(at) and not set(at) & set(worse)
            rows.append([claim, WORLDS[world][1], spans(better, grid.limits), spans(worse, grid.limits),
                         "yes" if holds else "no"])

    def alike(claim, worlds, planner, reference):
        """It holds where the ratios differ by less than a twentieth at the high limits."""
        for world in worlds:
            better, worse = better_at(grid, world, planner, reference)
            holds = all(abs(grid.ratio(world, limit, planner) / grid.ratio(world, limit, reference) - 1) < 0.05
                        for limit in high)
            rows.append([claim, WORLDS[world][1], spans(better, grid.limits), spans(worse, grid.limits),
                         "yes" if holds else "no"])

    versus("Unknown: RTD* with LRTA* outperforms LRTA*", unknown, plain, "LRTA*", high)
    versus("... and RTD* NoOp", unknown, plain, NOOP, grid.limits)
    alike("Unknown: RTD* with LSS-LRTA* yields almost the same as LSS-LRTA*", unknown, rtd("D* Lite", "LSS-LRTA*", 75),
          "LSS-LRTA*")
    versus("Dynamic: RTD* with LRTA* outperforms LRTA* on all but the lowest limits", dynamic, plain, "LRTA*", high)
    versus("Dynamic: RTD* with LSS-LRTA* outperforms LSS-LRTA* at high limits", dynamic,
           rtd("D* Lite", "LSS-LRTA*", 50), "LSS-LRTA*", high)
    versus("Dynamic: with AD* it does better than with D* Lite at small limits", dynamic, rtd("AD*", "LSS-LRTA*", 50),
           rtd("D* Lite", "LSS-LRTA*", 50), low)
    versus("... and surpasses LSS-LRTA*", dynamic, rtd("AD*", "LSS-LRTA*", 50), "LSS-LRTA*", high)
    return table(["the paper found", "where", "better at", "worse at", "holds"], rows)


def ratio_spread(grid):
    """How much the choice of the local ratio matters: the largest difference between two of the three."""
    rows = []
    for world in grid.worlds:
        for global_ in ("D* Lite", "AD*"):
            for local in ("LRTA*", "LSS-LRTA*"):
                spread = [max(v) / min(v) - 1 for limit in grid.limits
                          if (v := [grid.ratio(world, limit, p) for p in pairings(global_, local)])]
                rows.append([f"{WORLDS[world][1]}, {global_} + {local}", f"{100 * statistics.median(spread):.0f} %",
                             f"{100 * max(spread):.0f} %"])
    return table(["", "median over the limits", "largest"], rows)


def page(results, directory):
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

{runs} worlds of each kind. Nothing on this page depends on how fast the machine is. The paper's figures have no
numbers, so what it says is put beside what ours does.

## Does it hold

"Better at" are the limits at which it did better by more than two standard errors of the difference, world by world.
It holds where it is better at most of the limits of which it is said and worse at none of them; "high" is from 64 on;
"almost the same" is within 5 % there.
""", findings(grid), CHOICES]
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
              "Bold: more than two standard errors.\n",
              comparison(grid, unknown, [(plain[1], "LRTA*"), (lss[1], "LSS-LRTA*")]),
              comparison(grid, dynamic, [(plain[1], "LRTA*"), (dynamic_lss[1], "LSS-LRTA*"),
                                         (dynamic_lss[2], dynamic_lss[1]), (dynamic_lss[2], "LSS-LRTA*")]),
              "## All numbers\n",
              "In brackets: in how many worlds the robot had not arrived within "
              f"{int(results.parameters['steps']):,} steps; such runs count as they are then.\n"]
    for world in grid.worlds:
        parts += [f"### {WORLDS[world][1]}: {WORLDS[world][2]}\n", ratios(grid, world)]
    return "\n".join(parts)


CHOICES = """## What is different, and why

- **Unknown worlds.** The paper's are maps of a game, which we do not have; it saw RTD\\* with LRTA\\* ahead of LRTA\\* there.
  Among scattered obstacles there is hardly a dead end: a look around finds the way, what is learned matters little,
  and what RTD\\* gives its global search is missing to its local one. In rooms most of whose doors are closed it is as
  the paper says, and more so.
- **Dynamic rooms.** Ways among moving doors differ much from world to world, so with few worlds a "no" may be chance.
  Over 300 other worlds ([real-time search](../../real_time.md#how-far-they-travel)) RTD\\* with LSS-LRTA\\* travels less
  than LSS-LRTA\\* from 64 on, however often the doors move, and with AD\\* it does better than with D\\* Lite at 32.
- **NoOp.** The paper's RTD\\* is ahead of it everywhere. Ours is among scattered obstacles; in unknown rooms it is not,
  because there a robot that does not know the way walks into the dead ends of a maze and has to learn its way out,
  while one that waits does not. The smaller the limit, the longer it takes RTD\\* to get out; NoOp waits so much longer
  too, but that is in proportion to the limit.
- **Limits.** A step's limit is for everything the global search does, taking in changes and new keys included (the
  paper counts expansions alone), and the local search has one expansion at least. At limit 1 nothing is left for the
  global search, and all are LRTA\\* that looks at its neighbours.

## Where the paper leaves a choice

- Unknown worlds: 161 x 161 cells with a quarter of them obstacles, or rooms of 16 x 16 cells; seen from 7 cells away.
  The way is from the bottom left to the top right, not between random places.
- Dynamic rooms: 100 x 100 cells, walls 16 cells apart, four of five of the doors that move are closed
  ([record](../../program.md#record)). How fast they move the paper does not say: a tenth of them every 50 steps, or
  every 10.
- A diagonal past a blocked cell is no move.
- LRTA\\* looks ahead by A\\*, as far as its limit goes; LSS-LRTA\\* looks again with every step.
- NoOp gives its whole limit to the global search. Non-RTD\\* is RTD\\* without a limit.
- AD\\*: epsilon from 3, by 0.5 down, by 0.1 up after a change, as in the paper.
"""
