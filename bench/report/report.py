#!/usr/bin/env python3
"""Makes the page of a suite: report.py DIR, where `dynamic_planners bench SUITE -o DIR` leaves its records; it may
be running still, or have been stopped.

Writes DIR/README.md and the plots it shows, DIR/*.svg. Each suite has a module of its name here, with
a function page(results, directory, docs) that saves the plots and returns the text; `docs` leads from DIR to the
folder docs/ of this clone, and is empty where DIR lies outside of the clone.
"""

import importlib
import os
import sys

sys.dont_write_bytecode = True

from results import Results, TooFew, wrapped


def way_to_docs(directory):
    clone = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
    here = os.path.realpath(directory)
    if os.path.commonpath([clone, here]) != clone:
        return ""
    return os.path.relpath(os.path.join(clone, "docs"), here)


def page_of(directory):
    try:
        results = Results(directory)
        suite = importlib.import_module(results.suite.replace("-", "_"))
    except (OSError, ImportError, StopIteration, ValueError, KeyError) as error:
        sys.exit(f"report.py: {directory}: expected the records of a suite: {error}")
    return wrapped(suite.page(results, directory, way_to_docs(directory)))


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: report.py DIR")
    directory = sys.argv[1]
    try:
        text = page_of(directory)
    except TooFew as error:
        sys.exit(f"report.py: {directory}: {error}")
    path = os.path.join(directory, "README.md")
    with open(path + ".partial", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".partial", path)
    print(f"The page is {path}.")


if __name__ == "__main__":
    main()
