from results import number, table


def page(results, directory):
    del directory
    parts = [f"# {results.suite}\n"]
    for scenario in results.scenarios:
        rows = [[planner] + [number(results.mean(scenario, planner, q)) for q in results.quantities]
                for planner in results.planners if results.has(scenario, planner)]
        parts += [f"## {scenario}\n", table(["planner"] + results.quantities, rows)]
    return "\n".join(parts)
