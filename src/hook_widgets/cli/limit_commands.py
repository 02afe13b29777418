"""Commands on rate limits."""

from __future__ import annotations

from dataclasses import asdict
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hook_widgets.cli.output import (
    ExitCode,
    TableFormat,
    TableFormatOption,
    as_markdown,
    print_json,
    print_table,
)

if TYPE_CHECKING:
    from hook_widgets.ratelimit import Scenario
    from hook_widgets.ratelimit.reporting.report import Report

LimitText = Annotated[str, typer.Argument(metavar="LIMIT", help="Such as 1000/hour or 20/s.")]
Steady = Annotated[
    str, typer.Option("--steady", metavar="RATE", help="The traffic of all clients, such as 700/hour.")
]
Burst = Annotated[str, typer.Option("--burst", metavar="N", help="Requests that come at once.")]
BurstEvery = Annotated[
    str, typer.Option("--burst-every", metavar="TIME", help="The time from burst to burst, such as 60s.")
]
BurstAllowance = Annotated[
    str,
    typer.Option(
        "--burst-allowance", metavar="N", help="What the API lets pass at once; by default its quota."
    ),
]
Clients = Annotated[int, typer.Option("--clients", metavar="N", help="Clients that share the limit.", min=1)]
Latency = Annotated[
    str, typer.Option("--latency", metavar="TIME", help="The duration of a call, such as 250ms.")
]
Timeout = Annotated[
    str, typer.Option("--timeout", metavar="TIME", help="The client's time limit, such as 30s.")
]
InFlight = Annotated[
    str, typer.Option("--in-flight", metavar="N", help="Calls that each client has open at most.")
]
Duration = Annotated[
    str, typer.Option("--duration", metavar="TIME", help="The time to simulate, such as 1h.")
]
AlgorithmName = Annotated[
    str,
    typer.Option(
        "--algorithm",
        metavar="NAME",
        help="token_bucket, leaky_bucket, fixed_window, sliding_log, sliding_counter, token_bucket_wait "
        "(requests wait) or unknown.",
    ),
]
Seed = Annotated[int, typer.Option("--seed", metavar="N", help="Repeats the same random traffic.")]


class SimulationFormat(StrEnum):
    """The format of a simulation."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    CSV = "csv"


def plan(
    limit: LimitText,
    steady: Steady = "",
    burst: Burst = "",
    burst_every: BurstEvery = "",
    burst_allowance: BurstAllowance = "",
    clients: Clients = 1,
    in_flight: InFlight = "",
    latency: Latency = "",
    timeout: Timeout = "",
    algorithm: AlgorithmName = "",
    seed: Seed = 7,
    format_: TableFormatOption = TableFormat.TEXT,
) -> None:
    """Print what a client may send under a limit, and what to change."""
    from hook_widgets.ratelimit.reporting.report import report

    model = scenario_of(
        limit,
        steady=steady,
        burst=burst,
        burst_every_s=burst_every,
        burst_allowance=burst_allowance,
        clients=clients,
        in_flight=in_flight,
        latency_s=latency,
        timeout_s=timeout,
        algorithm=algorithm,
        seed=seed,
    )
    parts = report(model)
    advice, figures = parts.advice, parts.figures
    if format_ is TableFormat.JSON:
        print_json(plan_of(limit, parts))
        return
    markdown = format_ is TableFormat.MARKDOWN
    line = as_markdown if markdown else str
    typer.echo(line(advice.verdict))
    for number, action in enumerate(advice.actions, 1):
        typer.echo(f"{number}. {line(action)}")
    for reason in advice.reasons:
        typer.echo(f"   {line(reason)}")
    typer.echo("")
    print_table(figures.columns, figures.rows, markdown=markdown)


def simulate(
    limit: LimitText,
    steady: Steady = "",
    burst: Burst = "",
    burst_every: BurstEvery = "",
    burst_allowance: BurstAllowance = "",
    clients: Clients = 1,
    duration: Duration = "",
    algorithm: AlgorithmName = "",
    compare: Annotated[bool, typer.Option("--compare", help="Compare all five algorithms.")] = False,
    seed: Seed = 7,
    format_: Annotated[
        SimulationFormat, typer.Option("--format", help="The format of the result.")
    ] = SimulationFormat.TEXT,
) -> None:
    """Simulate traffic under a limit. Rejected or waiting requests make exit code 1."""
    from hook_widgets.ratelimit.reporting.report import NOT_COMPARED, report
    from hook_widgets.ratelimit.reporting.time_samples import time_csv

    model = scenario_of(
        limit,
        steady=steady,
        burst=burst,
        burst_every_s=burst_every,
        burst_allowance=burst_allowance,
        clients=clients,
        duration_s=duration,
        algorithm=algorithm,
        seed=seed,
    )
    parts = report(model, compare=compare)
    if compare and not parts.compare:
        typer.echo(f"hook-widgets: {NOT_COMPARED}", err=True)
    status, table = parts.status, parts.table
    match format_:
        case SimulationFormat.CSV:
            typer.echo(time_csv(model), nl=False)
        case SimulationFormat.JSON:
            print_json({"limit": limit, "status": status.text, "table": asdict(table)})
        case SimulationFormat.MARKDOWN:
            typer.echo(f"{as_markdown(status.text)}\n\n{as_markdown(table.caption)}\n")
            print_table(table.columns, table.rows, markdown=True)
        case SimulationFormat.TEXT:
            typer.echo(status.text)
            typer.echo(table.caption)
            print_table(table.columns, table.rows)
    if status.level != "ok":
        raise typer.Exit(ExitCode.FINDINGS)


def plan_of(limit: str, parts: Report) -> dict[str, Any]:
    """Return the plan in a report as a value for JSON."""
    return {"limit": limit, **asdict(parts.advice), "figures": [list(row) for row in parts.figures.rows]}


def scenario_of(limit: str, **options: Any) -> Scenario:
    """Return the scenario of the options that were given."""
    from hook_widgets.ratelimit import scenario

    return scenario(limit, **{name: value for name, value in options.items() if value != ""})
