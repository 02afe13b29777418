"""Runs inside Pyodide: the tests of the rate limits, requests that providers published, a few of its own.

What is tested is the platform: integers, fractions, dates, hashes, regular expressions, templates. One file
for each of them is enough for ``make test``; ``make test-long`` runs all that can run here.
"""

from __future__ import annotations

import os
import shlex
import sys

PARTS = [
    "tests/ratelimit/limiters/test_decisions.py",
    "tests/ratelimit/plotting/test_svg.py",
    "tests/ratelimit/planning/test_plan.py",
    "tests/ratelimit/http/test_ratelimit_headers.py",
    "tests/ratelimit/http/test_rejection.py",
    "tests/ratelimit/http/test_retry_after.py",
    "tests/versioning/test_api.py",
    "tests/versioning/notices/test_httpdate.py",
    "tests/versioning/dates/test_instants.py",
    "tests/versioning/planning/plotting/test_svg.py",
    "tests/webhooks/scheme/test_timestamps.py",
    "tests/webhooks/data/test_providers_vectors.py",
    "tests/pyodide",
]

ALL_PARTS = [
    "tests/ratelimit/configs",
    "tests/ratelimit/http",
    "tests/ratelimit/limiters",
    "tests/ratelimit/planning",
    "tests/ratelimit/plotting/test_svg.py",
    "tests/ratelimit/reporting",
    "tests/ratelimit/simulation",
    "tests/ratelimit/traffic",
    "tests/ratelimit/test_formatting.py",
    "tests/ratelimit/test_imports.py",
    "tests/ratelimit/test_light_imports.py",
    "tests/ratelimit/test_slider_scale.py",
    "tests/ratelimit/test_units.py",
    "tests/versioning/negotiation/test_accept.py",
    "tests/versioning/negotiation/test_responses.py",
    "tests/versioning/test_api.py",
    "tests/versioning/planning/test_sample_exchange.py",
    "tests/versioning/notices/test_httpdate.py",
    "tests/versioning/notices/test_links.py",
    "tests/versioning/dates/test_instants.py",
    "tests/versioning/negotiation/test_negotiate.py",
    "tests/versioning/notices/test_notices.py",
    "tests/versioning/negotiation/test_version_location.py",
    "tests/versioning/test_release.py",
    "tests/versioning/test_routes.py",
    "tests/versioning/planning/plotting/test_svg.py",
    "tests/versioning/planning/test_milestones.py",
    "tests/versioning/dates/test_months.py",
    "tests/versioning/notices/test_sunset.py",
    "tests/versioning/planning/test_timeline.py",
    "tests/versioning/notices/test_warning_header.py",
    "tests/webhooks/scheme/test_computed_fields.py",
    "tests/webhooks/scheme/test_timestamps.py",
    "tests/webhooks/body/test_locators.py",
    "tests/webhooks/data/test_providers_vectors.py",
    "tests/pyodide",
]

LEFT_OUT = {
    "starts a process": [
        "tests/ratelimit/test_light_imports.py::test_a_simulation_loads_nothing_heavy",
        "tests/ratelimit/test_light_imports.py::test_a_small_sweep_loads_no_code_for_processes_and_logs",
        "tests/ratelimit/plotting/test_svg.py::test_neither_matplotlib_nor_numpy_is_loaded",
        "tests/versioning/planning/plotting/test_svg.py::test_neither_matplotlib_nor_numpy_is_loaded",
        "tests/ratelimit/test_imports.py::test_headers_theory_and_plan_load_only_the_standard_library",
    ],
    "asks a widget": [
        "tests/ratelimit/plotting/test_svg.py::test_a_saved_notebook_with_ten_calculators_stays_small",
        "tests/ratelimit/plotting/test_svg.py::test_the_picture_of_each_move_of_a_slider_takes_little_work",
    ],
    "asks numpy or pandas": [
        "tests/ratelimit/traffic/test_arrivals.py::test_dates_of_pandas_are_taken_to_the_nanosecond",
        "tests/ratelimit/traffic/test_log_fields.py::test_the_files_of_a_longer_log_have_one_origin",
        "tests/ratelimit/test_units.py::test_the_numbers_of_other_libraries_are_taken_by_their_value",
    ],
    "names what is missing outside of a browser": [
        "tests/ratelimit/traffic/test_access_log.py::test_a_missing_library_for_zstd_is_an_error",
    ],
    "needs cryptography": [
        "tests/webhooks/data/test_providers_vectors.py::test_the_published_request_verifies_at_its_time[sendgrid",
        "tests/webhooks/data/test_providers_vectors.py::test_one_flipped_bit_in_what_is_signed_of_the_body_is_rejected[sendgrid",
    ],
    "100,000 open brackets use up WebAssembly's stack inside CPython's own json before it counts them": [
        "tests/ratelimit/http/test_rejection.py::test_a_body_that_is_no_document_is_rejected[body5]",
    ],
    "statistics of long runs, which say nothing about a platform and would take as long as all the others": [
        "tests/ratelimit/simulation/test_theory.py",
        "tests/ratelimit/planning/test_queue_validation.py",
    ],
    "170,000 attacks with small integers; test_decisions.py decides, and this file has other bounds": [
        "tests/ratelimit/limiters/test_max_admitted.py::test_the_adversary_gets_exactly_the_most_in_any_window_through",
    ],
    "iterates a Markov chain 4,000 times; here the waits are those of the tables": [
        "tests/ratelimit/planning/test_queueing.py::test_the_wait_of_a_finite_queue_agrees_with_its_markov_chain",
    ],
}
"""Tests that cannot run here, by reason."""

if os.environ["HOOK_WIDGETS_TESTS"] == "long":
    PARTS = ALL_PARTS
TESTS = [test for tests in LEFT_OUT.values() for test in tests if test.startswith(tuple(PARTS))]

sys.path[:0] = ["/project", "/project/src", "/packages"]
sys.pycache_prefix = "/packages/__pycache__"  # keeps the working copy clean, and the next run starts faster

import pytest  # noqa: E402


class LeftOut:
    """Keeps the list above true."""

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        """Every entry must have been the name of a test."""
        for test in TESTS:
            if not any(item.nodeid.startswith(test) for item in items):
                raise pytest.UsageError(f"main.py leaves out {test}, which is not there. Delete it.")


int(
    pytest.main(
        [
            *("-p", "no:cacheprovider", "-o", "faulthandler_timeout=0"),  # which would want a thread
            *(f"--deselect={test}" for test in TESTS),
            *shlex.split(os.environ["PYTEST_FLAGS"]),
            *PARTS,
        ],
        plugins=[LeftOut()],
    )
)
