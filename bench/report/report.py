#!/usr/bin/env python3
"""Makes the page of a suite: report.py DIR, where `dynamic_planners bench SUITE -o DIR` has left its records.

Writes DIR/README.md and the plots it shows, DIR/*.svg. Each suite has a module of its name here, with
a function page(results, directory) that saves the plots and returns the text.
"""

import importlib
import os
import sys

sys.dont_write_bytecode = True

from results import Results


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: report.py DIR")
    directory = sys.argv[1]
    try:
        results = Results(directory)
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"report.py: {directory}: expected the records and tables of a suite: {error}")
    module = importlib.import_module(results.suite.replace("-", "_"))
    text = module.page(results, directory)
    path = os.path.join(directory, "README.md")
    with open(path + ".partial", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".partial", path)
    print(f"The page is {path}.")


if __name__ == "__main__":
    main()
