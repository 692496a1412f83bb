"""What the recipe counts."""


def counts(program):
    total = float(program.train(10))
    first = program.step.experimental_get_tracing_count()
    program.train(10)
    return {
        "sum of 1 to 10": total,
        "traces": first,
        "traces after a second training": program.step.experimental_get_tracing_count(),
    }
