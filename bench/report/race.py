#!/usr/bin/env python3
"""Shows the race of `./run bench nav2`: race.py DIR TITLE=FILE ..., where each file is what one race has printed with
--json.

Writes DIR/race.svg, a panel a race, and prints the tables of docs/nav2.md.
"""

import json
import sys

sys.dont_write_bytecode = True

import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter

from results import number, save, table

OURS, THEIRS = "#4477aa", "#ee6677"
REFERENCE = "navfn_astar"


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return [json.loads(line) for line in file]
    except (OSError, ValueError) as error:
        sys.exit(f"race.py: {path}: expected the JSON Lines of a race: {error}")


def is_ours(racer):
    return racer["plugin"].startswith("dynamic_planners::")


def ratio(racers, racer, quantity):
    """How many times NavFn in its A* mode takes as long."""
    reference = next((r for r in racers if r["planner"] == REFERENCE), None)
    return f"{reference[quantity] / racer[quantity]:.1f}" if reference else "–"


def table_of(racers):
    rows = []
    for racer in racers:
        row = [f"`{racer['planner']}`", racer["plans"], racer["faults"]]
        row += [number(racer[quantity]) for quantity in ("first_ms", "median_ms", "p99_ms")]
        row += [ratio(racers, racer, quantity) for quantity in ("median_ms", "p99_ms")]
        row.append(f"{racer['path_m']:.2f}")
        row += [f"{racer[quantity]:.0f}" if quantity in racer else "" for quantity in ("changed_cells", "expansions")]
        rows.append(row)
    return table(["planner", "plans", "faults", "first ms", "median ms", "p99 ms", "NavFn A* / it: median", "p99",
                  "path m", "changed", "expanded"], rows)


def picture(races, directory):
    height = 0.8 + 0.24 * max(len(racers) for _, racers in races)
    figure, axes = plt.subplots(1, len(races), figsize=(4.2 * len(races), height), squeeze=False)
    for axis, (title, racers) in zip(axes[0], races):
        racers = sorted(racers, key=lambda racer: racer["median_ms"], reverse=True)
        places = range(len(racers))
        colours = [OURS if is_ours(racer) else THEIRS for racer in racers]
        axis.barh(places, [racer["p99_ms"] for racer in racers], color=colours, alpha=0.35)
        axis.barh(places, [racer["median_ms"] for racer in racers], color=colours)
        axis.set_yticks(places, [racer["planner"] for racer in racers])
        axis.set_xscale("log")
        axis.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
        axis.set_xlabel("time of a plan (ms): median, and p99 in light")
        axis.set_title(title, fontsize=10)
        axis.grid(axis="y", visible=False)
    handles = [plt.Rectangle((0, 0), 1, 1, color=colour) for colour in (OURS, THEIRS)]
    figure.legend(handles, ["dynamic_planners", "Nav2's own"], loc="upper center", ncols=2, frameon=False)
    figure.tight_layout(rect=(0, 0, 1, 0.94))
    save(figure, directory, "race")


def main():
    races = [argument.rpartition("=") for argument in sys.argv[2:]]
    if not races or not all(title for title, _, _ in races):
        sys.exit("usage: race.py DIR TITLE=FILE ...")
    races = [(title, read(path)) for title, _, path in races]
    picture(races, sys.argv[1])
    for title, racers in races:
        print(f"{title}:\n\n{table_of(racers)}")


if __name__ == "__main__":
    main()
