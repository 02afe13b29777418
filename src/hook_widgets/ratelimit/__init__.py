"""Rate limits: compute exactly which requests are admitted and how long they wait.

Import every name from this package: the modules inside are internal and may change. A name is loaded on first
access, so that importing the package loads neither matplotlib nor numba.

>>> from hook_widgets.ratelimit import Arrivals, TokenBucket, simulate
>>> run = simulate(TokenBucket(10, "5/s"), Arrivals.steady("20/s", "2 s"))
>>> run.admitted.count(True), run.summary().rejected_fraction
(19, 0.525)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hook_widgets.ratelimit.clients.backoff import Backoff as Backoff
    from hook_widgets.ratelimit.clients.backoff import Jitter as Jitter
    from hook_widgets.ratelimit.clients.backoff import RetrySchedule as RetrySchedule
    from hook_widgets.ratelimit.clients.backoff import WaitRule as WaitRule
    from hook_widgets.ratelimit.clients.breakers import AdaptiveThrottle as AdaptiveThrottle
    from hook_widgets.ratelimit.clients.breakers import CircuitBreaker as CircuitBreaker
    from hook_widgets.ratelimit.clients.budgets import RetryRatio as RetryRatio
    from hook_widgets.ratelimit.clients.budgets import RetryThrottling as RetryThrottling
    from hook_widgets.ratelimit.clients.budgets import RetryTokens as RetryTokens
    from hook_widgets.ratelimit.clients.client_run import ClientRun as ClientRun
    from hook_widgets.ratelimit.clients.client_run import RequestRecord as RequestRecord
    from hook_widgets.ratelimit.clients.client_run import jain_index as jain_index
    from hook_widgets.ratelimit.clients.client_workload import ClientWorkload as ClientWorkload
    from hook_widgets.ratelimit.clients.estimate import Estimate as Estimate
    from hook_widgets.ratelimit.clients.estimate import student_t as student_t
    from hook_widgets.ratelimit.clients.guards import Guard as Guard
    from hook_widgets.ratelimit.clients.guards import RunningGuard as RunningGuard
    from hook_widgets.ratelimit.clients.libraries import client_policies as client_policies
    from hook_widgets.ratelimit.clients.libraries import client_policy as client_policy
    from hook_widgets.ratelimit.clients.outcome import AttemptOutcome as AttemptOutcome
    from hook_widgets.ratelimit.clients.policy import ClientPolicy as ClientPolicy
    from hook_widgets.ratelimit.clients.policy import ClientThrottle as ClientThrottle
    from hook_widgets.ratelimit.clients.policy import Hedge as Hedge
    from hook_widgets.ratelimit.clients.retry_after_rule import RetryAfterRule as RetryAfterRule
    from hook_widgets.ratelimit.clients.retry_after_rule import RetryAfterUse as RetryAfterUse
    from hook_widgets.ratelimit.clients.retry_after_rule import TooLong as TooLong
    from hook_widgets.ratelimit.clients.server_model import LatencyShape as LatencyShape
    from hook_widgets.ratelimit.clients.server_model import RetryAfterField as RetryAfterField
    from hook_widgets.ratelimit.clients.server_model import ServerModel as ServerModel
    from hook_widgets.ratelimit.clients.server_model import TimeSpan as TimeSpan
    from hook_widgets.ratelimit.clients.study import ClientStudy as ClientStudy
    from hook_widgets.ratelimit.clients.study import simulate_clients as simulate_clients
    from hook_widgets.ratelimit.clients.study import sweep_demand as sweep_demand
    from hook_widgets.ratelimit.configs.api import export_config as export_config
    from hook_widgets.ratelimit.configs.api import import_config as import_config
    from hook_widgets.ratelimit.configs.model import Deviation as Deviation
    from hook_widgets.ratelimit.configs.model import ExportedConfig as ExportedConfig
    from hook_widgets.ratelimit.configs.targets import ExportTarget as ExportTarget
    from hook_widgets.ratelimit.http.observed import Observed as Observed
    from hook_widgets.ratelimit.http.observed import ObservedLimit as ObservedLimit
    from hook_widgets.ratelimit.http.observed import observe as observe
    from hook_widgets.ratelimit.http.problem_details import LimitDetail as LimitDetail
    from hook_widgets.ratelimit.http.problem_details import ProblemDetails as ProblemDetails
    from hook_widgets.ratelimit.http.problem_details import RejectionCause as RejectionCause
    from hook_widgets.ratelimit.http.problem_details import StatusChoice as StatusChoice
    from hook_widgets.ratelimit.http.problem_details import choose_status as choose_status
    from hook_widgets.ratelimit.http.ratelimit_headers import QuotaPolicy as QuotaPolicy
    from hook_widgets.ratelimit.http.ratelimit_headers import ServiceLimit as ServiceLimit
    from hook_widgets.ratelimit.http.ratelimit_headers import build_ratelimit as build_ratelimit
    from hook_widgets.ratelimit.http.ratelimit_headers import build_ratelimit_policy as build_ratelimit_policy
    from hook_widgets.ratelimit.http.ratelimit_headers import parse_ratelimit as parse_ratelimit
    from hook_widgets.ratelimit.http.ratelimit_headers import parse_ratelimit_policy as parse_ratelimit_policy
    from hook_widgets.ratelimit.http.rejection import ExceededLimit as ExceededLimit
    from hook_widgets.ratelimit.http.rejection import Rejection as Rejection
    from hook_widgets.ratelimit.http.rejection import reject as reject
    from hook_widgets.ratelimit.http.responses import RateLimitResponse as RateLimitResponse
    from hook_widgets.ratelimit.http.responses import build_response as build_response
    from hook_widgets.ratelimit.http.responses import policy_of as policy_of
    from hook_widgets.ratelimit.http.retry_after import RetryAfter as RetryAfter
    from hook_widgets.ratelimit.http.retry_after import build_retry_after as build_retry_after
    from hook_widgets.ratelimit.http.retry_after import build_retry_date as build_retry_date
    from hook_widgets.ratelimit.http.retry_after import parse_retry_after as parse_retry_after
    from hook_widgets.ratelimit.http.retry_after import retry_wait_s as retry_wait_s
    from hook_widgets.ratelimit.http.sample_responses import SampleResponse as SampleResponse
    from hook_widgets.ratelimit.http.sample_responses import sample_responses as sample_responses
    from hook_widgets.ratelimit.http.x_ratelimit_headers import ResetDialect as ResetDialect
    from hook_widgets.ratelimit.http.x_ratelimit_headers import XRateLimit as XRateLimit
    from hook_widgets.ratelimit.inference.api import Inference as Inference
    from hook_widgets.ratelimit.inference.api import infer as infer
    from hook_widgets.ratelimit.inference.classes import BucketRegion as BucketRegion
    from hook_widgets.ratelimit.inference.classes import LimiterClass as LimiterClass
    from hook_widgets.ratelimit.inference.classes import WindowRegion as WindowRegion
    from hook_widgets.ratelimit.inference.evidence import Observation as Observation
    from hook_widgets.ratelimit.inference.probe_plan import ProbePlan as ProbePlan
    from hook_widgets.ratelimit.inference.probe_plan import ProbeStep as ProbeStep
    from hook_widgets.ratelimit.inference.probing import probe_limit as probe_limit
    from hook_widgets.ratelimit.limiters.algorithm import Algorithm as Algorithm
    from hook_widgets.ratelimit.limiters.base import Limiter as Limiter
    from hook_widgets.ratelimit.limiters.base import SingleLimiter as SingleLimiter
    from hook_widgets.ratelimit.limiters.buckets import DrainStart as DrainStart
    from hook_widgets.ratelimit.limiters.buckets import Gcra as Gcra
    from hook_widgets.ratelimit.limiters.buckets import LeakyBucket as LeakyBucket
    from hook_widgets.ratelimit.limiters.buckets import TieOrder as TieOrder
    from hook_widgets.ratelimit.limiters.buckets import TokenBucket as TokenBucket
    from hook_widgets.ratelimit.limiters.hold_off import HoldOff as HoldOff
    from hook_widgets.ratelimit.limiters.keyed import PerClient as PerClient
    from hook_widgets.ratelimit.limiters.layers import Concurrency as Concurrency
    from hook_widgets.ratelimit.limiters.layers import Layers as Layers
    from hook_widgets.ratelimit.limiters.presets import Preset as Preset
    from hook_widgets.ratelimit.limiters.presets import preset as preset
    from hook_widgets.ratelimit.limiters.presets import presets as presets
    from hook_widgets.ratelimit.limiters.replicas import Replicas as Replicas
    from hook_widgets.ratelimit.limiters.replicas import Routing as Routing
    from hook_widgets.ratelimit.limiters.running import Decision as Decision
    from hook_widgets.ratelimit.limiters.running import RunningLimiter as RunningLimiter
    from hook_widgets.ratelimit.limiters.trace import LimiterState as LimiterState
    from hook_widgets.ratelimit.limiters.trace import Trace as Trace
    from hook_widgets.ratelimit.limiters.windows import CounterRule as CounterRule
    from hook_widgets.ratelimit.limiters.windows import FixedWindow as FixedWindow
    from hook_widgets.ratelimit.limiters.windows import SlidingCounter as SlidingCounter
    from hook_widgets.ratelimit.limiters.windows import SlidingLog as SlidingLog
    from hook_widgets.ratelimit.limiters.windows import WindowAlignment as WindowAlignment
    from hook_widgets.ratelimit.limiters.windows import WindowEdge as WindowEdge
    from hook_widgets.ratelimit.planning.alerts import Alert as Alert
    from hook_widgets.ratelimit.planning.claims import Advice as Advice
    from hook_widgets.ratelimit.planning.claims import AdviceRole as AdviceRole
    from hook_widgets.ratelimit.planning.claims import Claim as Claim
    from hook_widgets.ratelimit.planning.claims import ClaimKind as ClaimKind
    from hook_widgets.ratelimit.planning.client_budgets import ClientBudget as ClientBudget
    from hook_widgets.ratelimit.planning.inputs import PlanInputs as PlanInputs
    from hook_widgets.ratelimit.planning.inputs import ScenarioInputs as ScenarioInputs
    from hook_widgets.ratelimit.planning.metrics import Metric as Metric
    from hook_widgets.ratelimit.planning.metrics import PublishedLimit as PublishedLimit
    from hook_widgets.ratelimit.planning.plan import Plan as Plan
    from hook_widgets.ratelimit.planning.plan import plan as plan
    from hook_widgets.ratelimit.planning.queue_validation import QueueCheck as QueueCheck
    from hook_widgets.ratelimit.planning.queue_validation import check_queue as check_queue
    from hook_widgets.ratelimit.planning.queueing import erlang_b as erlang_b
    from hook_widgets.ratelimit.planning.queueing import erlang_c as erlang_c
    from hook_widgets.ratelimit.planning.queueing import fixed_window_loss as fixed_window_loss
    from hook_widgets.ratelimit.planning.queueing import littles_law as littles_law
    from hook_widgets.ratelimit.planning.queueing import md1_wait_s as md1_wait_s
    from hook_widgets.ratelimit.planning.queueing import md1c_loss as md1c_loss
    from hook_widgets.ratelimit.planning.queueing import md1c_wait_s as md1c_wait_s
    from hook_widgets.ratelimit.planning.queueing import mg1_wait_s as mg1_wait_s
    from hook_widgets.ratelimit.planning.queueing import mm1_wait_s as mm1_wait_s
    from hook_widgets.ratelimit.planning.queueing import mm1k_loss as mm1k_loss
    from hook_widgets.ratelimit.planning.queueing import mmc_wait_s as mmc_wait_s
    from hook_widgets.ratelimit.planning.queueing import smallest_capacity as smallest_capacity
    from hook_widgets.ratelimit.planning.scenario import Scenario as Scenario
    from hook_widgets.ratelimit.planning.scenario import scenario as scenario
    from hook_widgets.ratelimit.planning.worst_case import on_off_capacity as on_off_capacity
    from hook_widgets.ratelimit.planning.worst_case import on_off_rejected as on_off_rejected
    from hook_widgets.ratelimit.planning.worst_case import retry_amplification as retry_amplification
    from hook_widgets.ratelimit.plotting.mpl import RunFigure as RunFigure
    from hook_widgets.ratelimit.plotting.mpl import plot_run as plot_run
    from hook_widgets.ratelimit.plotting.mpl import render_run as render_run
    from hook_widgets.ratelimit.plotting.mpl.clients import plot_clients as plot_clients
    from hook_widgets.ratelimit.plotting.mpl.clients import plot_demand as plot_demand
    from hook_widgets.ratelimit.plotting.mpl.picture import RunPicture as RunPicture
    from hook_widgets.ratelimit.plotting.svg import draw_light_svg as draw_light_svg
    from hook_widgets.ratelimit.plotting.view_model.words import describe_run as describe_run
    from hook_widgets.ratelimit.reporting.client_code import CodeSample as CodeSample
    from hook_widgets.ratelimit.reporting.client_code import throttle_code as throttle_code
    from hook_widgets.ratelimit.reporting.clients_table import clients_table as clients_table
    from hook_widgets.ratelimit.reporting.report import ReportAdvice as ReportAdvice
    from hook_widgets.ratelimit.reporting.report import ReportCard as ReportCard
    from hook_widgets.ratelimit.reporting.report import ReportStatus as ReportStatus
    from hook_widgets.ratelimit.reporting.report import ReportTable as ReportTable
    from hook_widgets.ratelimit.reporting.report import comparison_table as comparison_table
    from hook_widgets.ratelimit.reporting.report import format_formula_inputs as format_formula_inputs
    from hook_widgets.ratelimit.reporting.report import format_metric as format_metric
    from hook_widgets.ratelimit.reporting.report import metrics_table as metrics_table
    from hook_widgets.ratelimit.reporting.report import report_advice as report_advice
    from hook_widgets.ratelimit.reporting.report import report_cards as report_cards
    from hook_widgets.ratelimit.reporting.report import report_status as report_status
    from hook_widgets.ratelimit.reporting.report import runs_by_label as runs_by_label
    from hook_widgets.ratelimit.reporting.report import time_table as time_table
    from hook_widgets.ratelimit.reporting.worst_window import most_served as most_served
    from hook_widgets.ratelimit.simulation.chunks import Chunk as Chunk
    from hook_widgets.ratelimit.simulation.chunks import ChunkedRun as ChunkedRun
    from hook_widgets.ratelimit.simulation.chunks import TimeColumn as TimeColumn
    from hook_widgets.ratelimit.simulation.chunks import simulate_chunks as simulate_chunks
    from hook_widgets.ratelimit.simulation.engine import simulate as simulate
    from hook_widgets.ratelimit.simulation.log_bounds import rejected_bounds as rejected_bounds
    from hook_widgets.ratelimit.simulation.record import SimulationRecord as SimulationRecord
    from hook_widgets.ratelimit.simulation.result import Run as Run
    from hook_widgets.ratelimit.simulation.series import Curve as Curve
    from hook_widgets.ratelimit.simulation.summary import Summary as Summary
    from hook_widgets.ratelimit.traffic.access_log import LogNotes as LogNotes
    from hook_widgets.ratelimit.traffic.arrivals import Arrivals as Arrivals
    from hook_widgets.ratelimit.traffic.workload import TrafficPattern as TrafficPattern
    from hook_widgets.ratelimit.traffic.workload import build_traffic as build_traffic
    from hook_widgets.ratelimit.units import Duration as Duration
    from hook_widgets.ratelimit.units import Number as Number
    from hook_widgets.ratelimit.units import Quantity as Quantity

_MODULES = {
    "clients.backoff": "Backoff Jitter RetrySchedule WaitRule",
    "clients.breakers": "AdaptiveThrottle CircuitBreaker",
    "clients.budgets": "RetryRatio RetryThrottling RetryTokens",
    "clients.client_run": "ClientRun RequestRecord jain_index",
    "clients.client_workload": "ClientWorkload",
    "clients.estimate": "Estimate student_t",
    "clients.guards": "Guard RunningGuard",
    "clients.libraries": "client_policies client_policy",
    "clients.outcome": "AttemptOutcome",
    "clients.policy": "ClientPolicy ClientThrottle Hedge",
    "clients.retry_after_rule": "RetryAfterRule RetryAfterUse TooLong",
    "clients.server_model": "LatencyShape RetryAfterField ServerModel TimeSpan",
    "clients.study": "ClientStudy simulate_clients sweep_demand",
    "configs.api": "export_config import_config",
    "configs.model": "Deviation ExportedConfig",
    "configs.targets": "ExportTarget",
    "http.observed": "Observed ObservedLimit observe",
    "http.problem_details": "LimitDetail ProblemDetails RejectionCause StatusChoice choose_status",
    "http.ratelimit_headers": (
        "QuotaPolicy ServiceLimit build_ratelimit build_ratelimit_policy parse_ratelimit "
        "parse_ratelimit_policy"
    ),
    "http.rejection": "ExceededLimit Rejection reject",
    "http.responses": "RateLimitResponse build_response policy_of",
    "http.retry_after": "RetryAfter build_retry_after build_retry_date parse_retry_after retry_wait_s",
    "http.sample_responses": "SampleResponse sample_responses",
    "http.x_ratelimit_headers": "ResetDialect XRateLimit",
    "inference.api": "Inference infer",
    "inference.classes": "BucketRegion LimiterClass WindowRegion",
    "inference.evidence": "Observation",
    "inference.probe_plan": "ProbePlan ProbeStep",
    "inference.probing": "probe_limit",
    "limiters.algorithm": "Algorithm",
    "limiters.base": "Limiter SingleLimiter",
    "limiters.buckets": "DrainStart Gcra LeakyBucket TieOrder TokenBucket",
    "limiters.hold_off": "HoldOff",
    "limiters.keyed": "PerClient",
    "limiters.layers": "Concurrency Layers",
    "limiters.presets": "Preset preset presets",
    "limiters.replicas": "Replicas Routing",
    "limiters.running": "Decision RunningLimiter",
    "limiters.trace": "LimiterState Trace",
    "limiters.windows": "CounterRule FixedWindow SlidingCounter SlidingLog WindowAlignment WindowEdge",
    "planning.alerts": "Alert",
    "planning.claims": "Advice AdviceRole Claim ClaimKind",
    "planning.client_budgets": "ClientBudget",
    "planning.inputs": "PlanInputs ScenarioInputs",
    "planning.metrics": "Metric PublishedLimit",
    "planning.plan": "Plan plan",
    "planning.queue_validation": "QueueCheck check_queue",
    "planning.queueing": (
        "erlang_b erlang_c fixed_window_loss littles_law md1_wait_s md1c_loss md1c_wait_s mg1_wait_s "
        "mm1_wait_s mm1k_loss mmc_wait_s smallest_capacity"
    ),
    "planning.scenario": "Scenario scenario",
    "planning.worst_case": "on_off_capacity on_off_rejected retry_amplification",
    "plotting.mpl": "RunFigure plot_run render_run",
    "plotting.mpl.clients": "plot_clients plot_demand",
    "plotting.mpl.picture": "RunPicture",
    "plotting.svg": "draw_light_svg",
    "plotting.view_model.words": "describe_run",
    "reporting.client_code": "CodeSample throttle_code",
    "reporting.clients_table": "clients_table",
    "reporting.worst_window": "most_served",
    "reporting.report": (
        "ReportAdvice ReportCard ReportStatus ReportTable comparison_table format_formula_inputs "
        "format_metric metrics_table report_advice report_cards report_status runs_by_label "
        "time_table"
    ),
    "simulation.chunks": "Chunk ChunkedRun TimeColumn simulate_chunks",
    "simulation.engine": "simulate",
    "simulation.record": "SimulationRecord",
    "simulation.log_bounds": "rejected_bounds",
    "simulation.result": "Run",
    "simulation.series": "Curve",
    "simulation.summary": "Summary",
    "traffic.access_log": "LogNotes",
    "traffic.arrivals": "Arrivals",
    "traffic.workload": "TrafficPattern build_traffic",
    "units": "Duration Number Quantity",
}
_HOMES = {name: f"{__name__}.{module}" for module, names in _MODULES.items() for name in names.split()}

__all__ = [
    "AdaptiveThrottle",
    "Advice",
    "AdviceRole",
    "Alert",
    "Algorithm",
    "Arrivals",
    "AttemptOutcome",
    "Backoff",
    "BucketRegion",
    "Chunk",
    "ChunkedRun",
    "CircuitBreaker",
    "Claim",
    "ClaimKind",
    "ClientBudget",
    "ClientPolicy",
    "ClientRun",
    "ClientStudy",
    "ClientThrottle",
    "ClientWorkload",
    "CodeSample",
    "Concurrency",
    "CounterRule",
    "Curve",
    "Decision",
    "Deviation",
    "DrainStart",
    "Duration",
    "Estimate",
    "ExceededLimit",
    "ExportTarget",
    "ExportedConfig",
    "FixedWindow",
    "Gcra",
    "Guard",
    "Hedge",
    "HoldOff",
    "Inference",
    "Jitter",
    "LatencyShape",
    "Layers",
    "LeakyBucket",
    "LimitDetail",
    "Limiter",
    "LimiterClass",
    "LimiterState",
    "LogNotes",
    "Metric",
    "Number",
    "Observation",
    "Observed",
    "ObservedLimit",
    "PerClient",
    "Plan",
    "PlanInputs",
    "Preset",
    "ProbePlan",
    "ProbeStep",
    "ProblemDetails",
    "PublishedLimit",
    "Quantity",
    "QueueCheck",
    "QuotaPolicy",
    "RateLimitResponse",
    "Rejection",
    "RejectionCause",
    "Replicas",
    "ReportAdvice",
    "ReportCard",
    "ReportStatus",
    "ReportTable",
    "RequestRecord",
    "ResetDialect",
    "RetryAfter",
    "RetryAfterField",
    "RetryAfterRule",
    "RetryAfterUse",
    "RetryRatio",
    "RetrySchedule",
    "RetryThrottling",
    "RetryTokens",
    "Routing",
    "Run",
    "RunFigure",
    "RunPicture",
    "RunningGuard",
    "RunningLimiter",
    "SampleResponse",
    "Scenario",
    "ScenarioInputs",
    "ServerModel",
    "ServiceLimit",
    "SimulationRecord",
    "SingleLimiter",
    "SlidingCounter",
    "SlidingLog",
    "StatusChoice",
    "Summary",
    "TieOrder",
    "TimeColumn",
    "TimeSpan",
    "TokenBucket",
    "TooLong",
    "Trace",
    "TrafficPattern",
    "WaitRule",
    "WindowAlignment",
    "WindowEdge",
    "WindowRegion",
    "XRateLimit",
    "build_ratelimit",
    "build_ratelimit_policy",
    "build_response",
    "build_retry_after",
    "build_retry_date",
    "build_traffic",
    "check_queue",
    "choose_status",
    "client_policies",
    "client_policy",
    "clients_table",
    "comparison_table",
    "describe_run",
    "draw_light_svg",
    "erlang_b",
    "erlang_c",
    "export_config",
    "fixed_window_loss",
    "format_formula_inputs",
    "format_metric",
    "import_config",
    "infer",
    "jain_index",
    "littles_law",
    "md1_wait_s",
    "md1c_loss",
    "md1c_wait_s",
    "metrics_table",
    "mg1_wait_s",
    "mm1_wait_s",
    "mm1k_loss",
    "mmc_wait_s",
    "most_served",
    "observe",
    "on_off_capacity",
    "on_off_rejected",
    "parse_ratelimit",
    "parse_ratelimit_policy",
    "parse_retry_after",
    "plan",
    "plot_clients",
    "plot_demand",
    "plot_run",
    "policy_of",
    "preset",
    "presets",
    "probe_limit",
    "reject",
    "rejected_bounds",
    "render_run",
    "report_advice",
    "report_cards",
    "report_status",
    "retry_amplification",
    "retry_wait_s",
    "runs_by_label",
    "sample_responses",
    "scenario",
    "simulate",
    "simulate_chunks",
    "simulate_clients",
    "smallest_capacity",
    "student_t",
    "sweep_demand",
    "throttle_code",
    "time_table",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = _HOMES[name]
    if ".plotting.mpl" in home:
        from hook_widgets._optional import matplotlib_renderer
        from hook_widgets.errors import LimitModelError

        matplotlib_renderer("hook_widgets.ratelimit.plotting.mpl", LimitModelError)
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return __all__
