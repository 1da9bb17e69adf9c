"""What the pages of all suites have in common: the records, tables of Markdown, and plots."""

import csv
import json
import math
import os
import statistics

import matplotlib
import matplotlib.pyplot as plt

matplotlib.use("svg")
# The same records make the same file; text stays text.
matplotlib.rcParams.update({"svg.hashsalt": "dynamic_planners", "svg.fonttype": "none",
                            "font.size": 9, "axes.grid": True, "grid.alpha": 0.3,
                            "axes.axisbelow": True, "legend.fontsize": 8})


class Results:
    """The records of a suite, by scenario, planner and run."""

    def __init__(self, directory):
        with open(os.path.join(directory, "summary.json"), encoding="utf-8") as file:
            summary = json.load(file)
        self.suite = summary["suite"]
        self.parameters = summary["parameters"]
        self.quantities = [q["name"] + ("_us" if q["is_time"] else "") for q in summary["quantities"]]
        # In the order of the tables.
        self.scenarios = list(dict.fromkeys(row["scenario"] for row in summary["rows"]))
        self.planners = list(dict.fromkeys(row["planner"] for row in summary["rows"]))
        self._values = {}  # (scenario, planner) -> {run: values}
        with open(os.path.join(directory, "records.jsonl"), encoding="utf-8") as file:
            next(file)  # the header
            for line in file:
                if not line.endswith("\n"):
                    break  # being written
                record = json.loads(line)
                for planner, values in record["measurements"].items():
                    key = record["scenario"], planner
                    self._values.setdefault(key, {})[record["run"]] = values

    def has(self, scenario, planner):
        return (scenario, planner) in self._values

    def runs(self, scenario, planner=None):
        """How many runs, by default of the planner with the most."""
        planners = [planner] if planner else self.planners
        return max(len(self._values.get((scenario, name), {})) for name in planners)

    def values(self, scenario, planner, quantity):
        """One value per run: {run: value}."""
        column = self.quantities.index(quantity)
        return {run: values[column] for run, values in self._values[scenario, planner].items()}

    def mean(self, scenario, planner, quantity):
        return statistics.fmean(self.values(scenario, planner, quantity).values())

    def ratio(self, scenario, planner, reference, quantity):
        """The mean as a share of another planner's, over the runs that both have."""
        ours = self.values(scenario, planner, quantity)
        theirs = self.values(scenario, reference, quantity)
        both = ours.keys() & theirs.keys()
        total = sum(theirs[run] for run in both)
        return sum(ours[run] for run in both) / total if total else math.nan

    def shortfall(self, planner):
        """In how many of its runs a planner did not reach the goal: (so many, of so many)."""
        reached = [value for scenario in self.scenarios if self.has(scenario, planner)
                   for value in self.values(scenario, planner, "reached").values()]
        return sum(1 for value in reached if value == 0), len(reached)

    def difference(self, scenario, planner, reference, quantity):
        """The mean difference run by run, and its standard error."""
        ours = self.values(scenario, planner, quantity)
        theirs = self.values(scenario, reference, quantity)
        each = [ours[run] - theirs[run] for run in sorted(ours.keys() & theirs.keys())]
        error = statistics.stdev(each) / math.sqrt(len(each)) if len(each) > 1 else math.nan
        return statistics.fmean(each), error


def read_source(name):
    """The rows of a file of numbers beside this script; lines with # say where they are from."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def number(value, digits=3):
    """So many significant digits, but integers whole, and never an exponent; nothing is a dash."""
    if value is None or math.isnan(value):
        return "–"
    if value == 0:
        return "0"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    return f"{value:,.{decimals}f}"


def table(header, rows):
    """A table of Markdown: the first column to the left, the others to the right."""
    def line(fields):
        return "| " + " | ".join(str(field).replace("|", "\\|").replace("*", "\\*") for field in fields) + " |"
    rule = "|---|" + "---:|" * (len(header) - 1)
    return "\n".join([line(header), rule] + [line(row) for row in rows]) + "\n"


def save(figure, directory, name):
    """Saves a figure as NAME.svg and returns the Markdown that shows it."""
    path = os.path.join(directory, name + ".svg")
    figure.savefig(path, metadata={"Date": None}, bbox_inches="tight")
    plt.close(figure)
    return f"![{name}]({name}.svg)\n"
