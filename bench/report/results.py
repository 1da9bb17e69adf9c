"""What the pages of all suites have in common: the records, what can be concluded from them, tables of Markdown,
and plots."""

import csv
import json
import math
import os
import re
import statistics
import textwrap

import matplotlib
import matplotlib.pyplot as plt

matplotlib.use("svg")
# The same records make the same file; text stays text.
matplotlib.rcParams.update({"svg.hashsalt": "dynamic_planners", "svg.fonttype": "none",
                            "font.size": 9, "axes.grid": True, "grid.alpha": 0.3,
                            "axes.axisbelow": True, "legend.fontsize": 8})


class TooFew(Exception):
    """There are not enough records for a page."""


class Results:
    """The records of a suite, by scenario, planner and run."""

    def __init__(self, directory):
        self._values = {}  # (scenario, planner) -> {run: values}
        with open(os.path.join(directory, "records.jsonl"), encoding="utf-8") as file:
            header = json.loads(next(file))
            self.suite = header["suite"]
            self.parameters = header["parameters"]
            self.quantities = [q["name"] + ("_us" if q["is_time"] else "") for q in header["quantities"]]
            for line in file:
                if not line.endswith("\n"):
                    break  # being written
                record = json.loads(line)
                for planner, values in record["measurements"].items():
                    key = record["scenario"], planner
                    self._values.setdefault(key, {})[record["run"]] = values
        if not self._values:
            raise TooFew("there is no record yet")
        # In the order of the tables.
        self.scenarios = list(dict.fromkeys(scenario for scenario, _ in self._values))
        self.planners = list(dict.fromkeys(planner for _, planner in self._values))

    def keep_common_runs(self, group):
        """Leaves out the runs that not all scenarios of a group have: a run may have been stopped between them.
        `group` makes a scenario's group of its name."""
        of_scenario = {}
        for (scenario, _), values in self._values.items():
            of_scenario.setdefault(scenario, set()).update(values)
        common = {}
        for scenario, runs in of_scenario.items():
            name = group(scenario)
            common[name] = common[name] & runs if name in common else runs
        for (scenario, planner), values in self._values.items():
            keep = common[group(scenario)]
            self._values[scenario, planner] = {run: v for run, v in values.items() if run in keep}
        self._values = {key: values for key, values in self._values.items() if values}
        self.scenarios = [s for s in self.scenarios if any(key[0] == s for key in self._values)]
        if not self._values:
            raise TooFew("no run is complete yet")

    def require(self, scenarios):
        missing = [scenario for scenario in scenarios if scenario not in self.scenarios]
        if missing:
            raise TooFew(f"no run of {missing[0]} is complete yet")

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


# --- conclusions ----------------------------------------------------------------------------------

YES, NO, OPEN = "yes", "no", "open"


def jackknife(runs, of):
    """of(runs), and its standard error by leaving out one run after the other: whatever is made of the runs, those of
    several planners in the same worlds included."""
    runs = sorted(runs)
    value = of(runs)
    count = len(runs)
    if count < 2:
        return value, math.nan
    without = [of(runs[:i] + runs[i + 1:]) for i in range(count)]
    if not all(math.isfinite(v) for v in without):
        return value, math.nan
    middle = statistics.fmean(without)
    return value, math.sqrt((count - 1) / count * sum((v - middle) ** 2 for v in without))


def verdict(value, error, low=-math.inf, high=math.inf):
    """Whether a value lies between two bounds; open where it is less than two standard errors from a bound that
    would decide it."""
    if not math.isfinite(value) or not math.isfinite(error):
        return OPEN
    if value + 2 * error < low or value - 2 * error > high:
        return NO
    return YES if value - 2 * error >= low and value + 2 * error <= high else OPEN


def summed_up(verdicts):
    """A claim about many cases holds where it surely does in three of four; it does not where it surely fails in more
    than one of four."""
    if not verdicts:
        return "–"
    if 4 * verdicts.count(YES) >= 3 * len(verdicts):
        return YES
    return NO if 4 * verdicts.count(NO) > len(verdicts) else OPEN


def tally(verdicts):
    """"5 of 6, 1 open"."""
    text = f"{verdicts.count(YES)} of {len(verdicts)}"
    return text + (f", {verdicts.count(OPEN)} open" if OPEN in verdicts else "")


def with_error(value, error):
    """As many decimals as the error makes sense of."""
    if not math.isfinite(value) or not math.isfinite(error) or error == 0:
        return number(value)
    place = -math.floor(math.log10(error))
    decimals = max(0, min(4, place + (1 if error * 10 ** place < 3 else 0)))
    return f"{value:,.{decimals}f} ± {error:.{decimals}f}"


# --- text -----------------------------------------------------------------------------------------

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


def fold(values, digits=3):
    """The least and the largest of some values."""
    values = [value for value in values if value is not None and math.isfinite(value)]
    return f"{number(min(values), digits)} to {number(max(values), digits)}" if values else "–"


def table(header, rows):
    """A table of Markdown: the first column to the left, the others to the right."""
    def line(fields):
        return "| " + " | ".join(str(field).replace("|", "\\|").replace("*", "\\*") for field in fields) + " |"
    rule = "|---|" + "---:|" * (len(header) - 1)
    return "\n".join([line(header), rule] + [line(row) for row in rows]) + "\n"


def document(name, docs, anchor=""):
    """A link to a page of docs/, which `docs` leads to from the page that is made; its name alone where there is no
    way."""
    title = name.replace("_", " ").replace(".md", "")
    return f"[{title}]({docs}/{name}{anchor})" if docs else f"docs/{name}"


def wrapped(page):
    """The paragraphs of a page, into which numbers were put, in lines of equal width again."""
    def wrap(paragraph):
        if re.match(r"[|#!]|    ", paragraph):
            return paragraph  # a table, a heading, a picture, a command
        items = re.split(r"\n(?=(?:- |\d+\. ))", paragraph)
        return "\n".join(wrap_item(item) for item in items)

    def wrap_item(item):
        first = re.match(r"\s*(?:- |\d+\. )?", item).group()
        return textwrap.fill(" ".join(item.split()), 118, subsequent_indent=" " * len(first),
                             initial_indent=first if not first.strip() else "", break_long_words=False,
                             break_on_hyphens=False)

    return "\n\n".join(wrap(part) for part in re.split(r"\n{2,}", page.strip("\n"))) + "\n"


def save(figure, directory, name):
    """Saves a figure as NAME.svg and returns the Markdown that shows it."""
    path = os.path.join(directory, name + ".svg")
    figure.savefig(path, metadata={"Date": None}, bbox_inches="tight")
    plt.close(figure)
    return f"![{name}]({name}.svg)\n"
