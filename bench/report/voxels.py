"""The page of voxels, beside the numbers of the thesis (thesis_2019.csv)."""

import math

import matplotlib.pyplot as plt

from results import OPEN, jackknife, number, read_source, save, table, verdict, with_error

# Those of the thesis, in the two groups of its charts; all others are ours.
FIRST = ["A* 1", "ARA* 0.2", "Theta* 1", "D* Lite 1", "AD* 0.2"]
SECOND = ["A* 2", "ARA* 0.4", "Theta* 2", "D* Lite 2", "AD* 0.4"]
STILL, MOVING, STATIC_GOAL, NO_LIMIT = "still", "moving destination", "still destination", "no limit"
COLOURS = ["#4477aa", "#ee6677", "#bbbbbb"]
ENOUGH = 10  # runs, to say whether something holds


class Flights:
    """The means over what succeeded, in runs of a scenario."""

    def __init__(self, results):
        self.results = results

    def has(self, scenario, planner):
        return self.results.has(scenario, planner)

    def sum(self, scenario, planner, quantity):
        return sum(self.results.values(scenario, planner, quantity).values())

    def success(self, scenario, planner):
        """In percent."""
        return 100 * self.sum(scenario, planner, "successes") / self.sum(scenario, planner, "attempts")

    def mean(self, scenario, planner, quantity):
        successes = self.sum(scenario, planner, "successes")
        return self.sum(scenario, planner, quantity) / successes if successes else math.nan

    def ratio(self, scenario, planner, reference, quantity):
        """Over the runs in which both succeeded."""
        ours = self.results.values(scenario, planner, quantity)
        theirs = self.results.values(scenario, reference, quantity)
        both = self.common(scenario, [planner, reference])
        total = sum(theirs[run] for run in both)
        return sum(ours[run] for run in both) / total if total else math.nan

    def per_search(self, scenario, planner):
        """Nodes of a search, over what succeeded."""
        return self.sum(scenario, planner, "nodes") / (self.sum(scenario, planner, "searches") or math.nan)

    def common(self, scenario, planners):
        won = [{run for run, n in self.results.values(scenario, p, "successes").items() if n} for p in planners]
        return set.intersection(*won)


def bars(axis, flights, scenario, value, label, planners, log=False):
    """One bar per planner, coloured by whose it is."""
    for i, planner in enumerate(planners):
        colour = COLOURS[0 if planner in FIRST else 1 if planner in SECOND else 2]
        height = value(scenario, planner)
        if math.isnan(height):
            continue  # never arrived
        axis.bar(i, height, color=colour)
        axis.text(i, height, number(height), ha="center", va="bottom", fontsize=8)
    axis.set_xticks(range(len(planners)), planners, rotation=40, ha="right", fontsize=8)
    axis.set_ylabel(label)
    axis.grid(axis="x", visible=False)
    axis.margins(x=0.01, y=0.12)
    if log:
        axis.set_yscale("log")
        axis.set_ylim(top=axis.get_ylim()[1] * 1.6)


def chart(flights, directory, name, panels):
    """Bar charts below each other: (scenario, value, label, logarithmic)."""
    planners = [p for p in FIRST + SECOND + flights.results.planners]
    planners = [p for p in dict.fromkeys(planners) if flights.has(panels[0][0], p)]
    height = 2.9 * len(panels)
    figure, axes = plt.subplots(len(panels), 1, figsize=(8.6, height), squeeze=False)
    for axis, (scenario, value, label, log) in zip(axes[:, 0], panels):
        bars(axis, flights, scenario, value, label, planners, log)
    handles = [plt.Rectangle((0, 0), 1, 1, color=colour) for colour in COLOURS]
    figure.legend(handles, ["thesis, inflation 1 or decrease 0.2", "thesis, inflation 2 or decrease 0.4",
                            "beside them: Manhattan heuristic"],
                  loc="upper center", ncols=3, frameon=False)
    figure.tight_layout(rect=(0, 0, 1, 1 - 0.3 / height))
    return save(figure, directory, name)


def mean_of(flights, quantity, unit=1.0):
    return lambda scenario, planner: flights.mean(scenario, planner, quantity) / unit


# --- tables ---------------------------------------------------------------------------------------

def scenario_table(flights, thesis, scenario):
    rows = []
    for planner in flights.results.planners:
        source = thesis.get((scenario, planner), {})
        theirs = {k: float(v) for k, v in source.items() if k not in ("scenario", "planner") and v}
        row = [planner, number(flights.success(scenario, planner))]
        for quantity in ("length", "nodes", "searches", "turned_back"):
            row.append(number(flights.mean(scenario, planner, quantity), 4))
        row.append(number(flights.mean(scenario, planner, "total_us") / 1000))
        for quantity in ("length", "nodes", "total_us"):
            row.append(number(flights.ratio(scenario, planner, "A* 1", quantity)))
        row.append(number(theirs.get("success")))
        row += [number(theirs.get(quantity), 4) for quantity in ("length", "nodes")]
        rows.append(row)
    return table(["planner", "success %", "length", "nodes", "searches", "turned back", "time ms",
                  "length / A* 1", "nodes / A* 1", "time / A* 1",
                  "thesis: success %", "length", "nodes"], rows)


# --- findings -------------------------------------------------------------------------------------

class Findings:
    def __init__(self, flights):
        self.flights = flights
        self.rows = []

    def add(self, claim, theirs, ours, holds, runs=None):
        self.rows.append([claim, theirs, ours,
                          f"open ({runs} runs)" if runs is not None and runs < ENOUGH else holds])

    def totals(self, scenario, planners, quantity):
        """{run: the sums of the planners} where all of them succeeded."""
        values = [self.flights.results.values(scenario, p, quantity) for p in planners]
        return {run: [v[run] for v in values] for run in self.flights.common(scenario, planners)}

    def ratio_of(self, scenario, planner, reference, quantity):
        """And its standard error, and of how many runs it is."""
        both = self.totals(scenario, [planner, reference], quantity)
        if not both:
            return math.nan, math.nan, 0
        return *jackknife(both, lambda runs: sum(both[r][0] for r in runs) / sum(both[r][1] for r in runs)), len(both)

    def ratio(self, claim, theirs, scenario, planner, reference, quantity, low=-math.inf, high=math.inf):
        value, error, runs = self.ratio_of(scenario, planner, reference, quantity)
        self.add(claim, theirs, with_error(value, error), verdict(value, error, low, high), runs)

    def success(self, claim, theirs, scenario, better, worse):
        """The difference run by run."""
        a, b = self.flights.success(scenario, better), self.flights.success(scenario, worse)
        mean, error = self.flights.results.difference(scenario, better, worse, "successes")
        self.add(claim, theirs, f"{number(a)} and {number(b)} %: {100 * mean:+.0f} ± {100 * error:.0f}",
                 verdict(mean, error, low=0) if mean or error else OPEN, self.flights.results.runs(scenario, better))


def findings(flights):
    f = Findings(flights)
    f.ratio("Theta* 1 finds shorter paths than A* 1 (figure 48)", "0.754", STILL, "Theta* 1", "A* 1", "length", high=1)
    for planner, reference in (("A* 2", "A* 1"), ("ARA* 0.2", "A* 1"), ("D* Lite 2", "D* Lite 1"),
                               ("AD* 0.2", "A* 1")):
        f.ratio(f"{planner} finds paths about as long as {reference}: within 10 %", "close", STILL, planner, reference,
                "length", low=0.9, high=1.1)
    for planner in ("A*", "Theta*", "D* Lite"):
        f.ratio(f"{planner} 2 expands far fewer nodes than {planner} 1: under 0.8", "significantly", STILL,
                f"{planner} 2", f"{planner} 1", "nodes", high=0.8)
    f.ratio("Theta* 1 expands far fewer nodes than A* 1: under 0.8", "significantly", STILL, "Theta* 1", "A* 1", "nodes",
            high=0.8)
    for planner, reference in (("D* Lite 1", "A* 1"), ("D* Lite 2", "A* 2"), ("AD* 0.2", "ARA* 0.2"),
                               ("AD* 0.4", "ARA* 0.4")):
        f.ratio(f"{planner} expands fewer nodes than {reference}", "yes", STILL, planner, reference, "nodes", high=1)
    for planner in ("ARA*", "AD*"):
        f.ratio(f"{planner} expands more with a decrease of 0.2 than of 0.4", "mostly", STILL, f"{planner} 0.2",
                f"{planner} 0.4", "nodes", low=1)
    for planner in ("A*", "Theta*"):
        f.success(f"{planner} 2 arrives more often than {planner} 1 (figure 49)", "yes", MOVING, f"{planner} 2",
                  f"{planner} 1")
    f.success("A* 2 arrives more often than Theta* 2", "93.3 and 88.7 %", MOVING, "A* 2", "Theta* 2")
    f.success("Theta* 2 arrives more often than ARA* 0.2", "yes", MOVING, "Theta* 2", "ARA* 0.2")
    f.success("Theta* 2 arrives more often than AD* 0.2", "yes", MOVING, "Theta* 2", "AD* 0.2")
    for planner in ("A*", "Theta*", "D* Lite"):
        theirs = "0.903" if planner == "A*" else "yes"
        f.ratio(f"{planner} 2 travels less far than {planner} 1 (figure 51)", theirs, MOVING, f"{planner} 2",
                f"{planner} 1", "length", high=1)
    f.ratio("Theta* 2 travels less far than A* 2 (table 1)", "0.839", MOVING, "Theta* 2", "A* 2", "length", high=1)
    f.ratio("D* Lite 2 travels farther than A* 2 (table 1)", "1.125", MOVING, "D* Lite 2", "A* 2", "length", low=1)
    for planner in ("A*", "Theta*", "D* Lite"):
        f.ratio(f"{planner} 2 expands fewer nodes on its way than {planner} 1 (figure 52)", "yes", MOVING,
                f"{planner} 2", f"{planner} 1", "nodes", high=1)
    f.ratio("Theta* 2 expands fewer nodes on its way than A* 2 (table 1)", "0.566", MOVING, "Theta* 2", "A* 2",
            "nodes", high=1)
    f.ratio("D* Lite 2 expands fewer nodes on its way than A* 2 (table 1)", "0.360", MOVING, "D* Lite 2", "A* 2",
            "nodes", high=1)
    for planner, reference in (("D* Lite 1", "A* 1"), ("AD* 0.2", "ARA* 0.2")):
        moving, moving_error, _ = f.ratio_of(MOVING, planner, reference, "nodes")
        still, still_error, runs = f.ratio_of(STATIC_GOAL, planner, reference, "nodes")
        f.add(f"{planner} is further ahead of {reference} where the destination stands still (figure 53)", "yes",
              f"{with_error(moving, moving_error)} of its nodes with a moving one, {with_error(still, still_error)} with "
              "a still one", verdict(still - moving, math.hypot(moving_error, still_error), high=0), runs)
    return table(["the thesis finds", "thesis", "ours", "holds"], f.rows)


def spared(flights):
    """What an inflation of 2 spares, by search and not by run: a robot that travels farther searches more often."""
    rows = []
    for planner in ("A*", "Theta*", "D* Lite"):
        row = [f"{planner} 2 / {planner} 1"]
        for scenario in (STILL, NO_LIMIT, MOVING, STATIC_GOAL):
            each = [flights.per_search(scenario, f"{planner} {k}") for k in (2, 1)]
            row.append(number(each[0] / each[1]))
        rows.append(row)
    return table(["nodes of a search", STILL, NO_LIMIT, MOVING, STATIC_GOAL], rows)


def explanations(flights):
    searches = [number(flights.mean(STILL, p, "searches")) for p in ("ARA* 0.2", "ARA* 0.4", "AD* 0.2", "AD* 0.4")]
    back = [flights.mean(MOVING, p, "turned_back") for p in FIRST + SECOND]
    per_node = (flights.ratio(STILL, "Theta* 1", "A* 1", "total_us") /
                flights.ratio(STILL, "Theta* 1", "A* 1", "nodes"))
    return f"""
## What is different, and why

- **The decrease of epsilon.** From 3 to 1 there are 11 searches in steps of 0.2 and 6 in steps of 0.4. Ours take
  {searches[0]} and {searches[1]} (ARA\\*), {searches[2]} and {searches[3]} (AD\\*): each goes on below the bound that the path at
  hand is proven to keep, so the step makes less of a difference.
- **An inflation of 2.** In the thesis A\\* 2 expands 360,037 nodes on its way (table 1); in ours
  {number(flights.mean(MOVING, "A* 2", "nodes"))}, in {number(flights.mean(MOVING, "A* 2", "searches"))} searches of
  {number(flights.per_search(MOVING, "A* 2"))} nodes. A search of A\\* 1 that is answered with the robot standing still takes
  28,296 nodes in the thesis and {number(flights.per_search(STILL, "A* 1"))} here: the scenes are about as large for it. How
  many searches the thesis's robot makes on its way it does not say; in as many as ours they would be of
  {360037 / flights.mean(MOVING, "A* 2", "searches"):,.0f} nodes. By search, and not by run, an inflation of 2 leaves
  this share of the nodes:

{spared(flights)}
  Why the thesis's A\\* 2 expands more is not known. What is measured relative to A\\* 2 there (Theta\\* 2, D\\* Lite 2)
  is smaller for it.
- **Turning back**, by which the thesis explains that inflation shortens its robot's way, happens
  {number(min(back))} to {number(max(back))} times in a run here. The start of a search is where the robot will be when
  the step ends, and a search that fits into a step leaves nothing to go back to. Without it, what is left of an
  inflation is that paths within a bound are longer.
- **Theta\\* 1** takes {number(flights.ratio(STILL, "Theta* 1", "A* 1", "total_us"))} times as long as A\\* 1 for
  {number(flights.ratio(STILL, "Theta* 1", "A* 1", "nodes"))} of its nodes. The thesis puts its slowness down to the
  coroutines it runs in and expects it to be faster than A\\* otherwise. Ours runs as A\\* does, and a node takes
  {number(per_node)} times as long: each asks for a line of sight.
"""


CHOICES = """
## What the thesis leaves open, and what was chosen

- **The scene.** The thesis has one arrangement, built by hand and shown as a picture, in which nothing is
  random. Here every run has a scene of its own, drawn from the run's number: 14 obstacles that stand still,
  10 that patrol, 5 that turn around their z-axis, 5 around their x-axis, 6 that come and go. The same
  scenes for every planner; lengths and nodes depend on nothing but the run's number.
- **Time.** It is counted in steps: the robot flies one cell a step, obstacles and destination are slower, as
  in the thesis. A new search graph comes every second step. The thesis's takes 282 ms; how fast its robot
  is, it does not say.
- **Thinking.** The thesis's robot flies on along its last path while a search takes its time. So does this
  one, and to be the same on every machine a search's time is its number of expansions: 16,700 fit into a
  step, which is what table 1 says of A\\* 2 (360,037 nodes in 3038 ms, half of 282 ms). The thesis's Theta\\*
  and D\\* Lite take four to five times as long for a node; here a node is a node. In the scenario
  *no limit* every search is done within its step.
- **The start of a search** is the cell that the robot will be in after the step, as in section 4.4.3; when
  it is blocked, the cell it is in, or a free neighbour of that. A robot that has flown on while its planner
  was thinking goes back to where the path begins (*turned back* counts this).
- **What is blocked** is what an obstacle overlaps, be it only in part. Obstacles that move count as 0.8 cells
  larger on every side and as being already where they will be in up to three steps: the thesis's second
  collider, "slightly larger" and "stretched in the direction of the movement".
- **Success.** A run fails when a ball of 0.3 cells around the robot touches an obstacle. Obstacles that come
  and go do not do so within 6 cells of the robot.
- **The destination** goes up and down 40 of the 56 rows on the side of the scene opposite to the start, a
  quarter of a cell a step.
- **Planners.** A search that is asked once and never again lowers no epsilon: A\\* 2 is ARA\\*, D\\* Lite 2 is
  AD\\* with epsilon 2; the thesis gives its D\\* Lite the keys of AD\\* too. ARA\\* and AD\\* go back to epsilon
  3 with each change, also to their lengths: the last path before the next change counts. The heuristic is
  the straight line, as in the thesis; the others, our optimal planners, have Manhattan distance, which the
  thesis leaves out because its waypoints could not use it.
- **Averages** of lengths, nodes and times are over the runs that arrived; ratios over the runs in which both
  did. With a robot that stands still, a run is one search graph, and one in which no path was there is none.
"""


def page(results, directory, _):
    results.keep_common_runs(lambda scenario: "all")
    results.require([STILL, MOVING, STATIC_GOAL, NO_LIMIT])
    flights = Flights(results)
    thesis = {(row["scenario"], row["planner"]): row for row in read_source("thesis_2019.csv")}
    nodes = max(flights.mean(STILL, p, "nodes") for p in FIRST + SECOND)
    slowest = max(flights.mean(STILL, p, "total_us") for p in results.planners) / 1000
    parts = [
        f"""# Planners in three dimensions

C. Krafft, "Implementation and comparison of pathfinding algorithms in a dynamic 3D space", bachelor's thesis, Hamburg,
2019, chapter 5, repeated on its cell grid: 64 x 56 x 16 cells, six neighbours, obstacles that patrol, turn and appear,
and a destination that moves. A\\*, ARA\\*, Theta\\*, D\\* Lite and AD\\* are the searches of the plane with another space.

    ./run bench voxels

{results.runs(STILL)} scenes, each of them in all scenarios. Of the thesis's figures only the numbers that its text names
can be read: they stand in the last columns. Its times are of another machine and language, and nothing is concluded
from them; here all are in processor time of one thread.

## Does it hold

Ratios of sums over the scenes in which both succeeded, with standard errors (leaving out one scene after the other);
of successes, the difference in points, scene by scene. It is open within two standard errors of what would decide it,
and with fewer than {ENOUGH} scenes.
""",
        findings(flights), explanations(flights), CHOICES,
        "## The robot stands still (figures 48 and 50)\n",
        f"All obstacles move; each new search graph is answered. The most that any of the thesis's planners expands "
        f"is {number(nodes)} of 57,344 nodes (thesis: 29,141). Figure 50 compares times with the 282 ms that the "
        f"thesis takes to renew its search graph. Here the slowest takes {number(slowest)} ms on average, which is no "
        "judgement: the machines differ.\n",
        chart(flights, directory, "still", [
            (STILL, mean_of(flights, "length"), "path length (cells)", False),
            (STILL, mean_of(flights, "nodes"), "nodes a graph", True),
            (STILL, mean_of(flights, "total_us", 1e3), "time a graph (ms)", True)]),
        scenario_table(flights, thesis, STILL),
        "## Robot and destination move (figures 49, 51 and 52)\n",
        chart(flights, directory, "moving", [
            (MOVING, flights.success, "success (%)", False),
            (MOVING, mean_of(flights, "length"), "way travelled (cells)", False)]),
        chart(flights, directory, "moving-totals", [
            (MOVING, mean_of(flights, "nodes"), "nodes of a run", True),
            (MOVING, mean_of(flights, "total_us", 1e3), "time of a run (ms)", True)]),
        scenario_table(flights, thesis, MOVING),
        "## The destination stands still (figure 53)\n",
        chart(flights, directory, "still-destination", [
            (STATIC_GOAL, mean_of(flights, "nodes"), "nodes of a run", True),
            (STATIC_GOAL, flights.success, "success (%)", False)]),
        scenario_table(flights, thesis, STATIC_GOAL),
        "## No limit\n",
        "The same as with the moving destination, for a robot that has as much time to think as it wants.\n",
        scenario_table(flights, thesis, NO_LIMIT),
    ]
    return "\n".join(parts)
