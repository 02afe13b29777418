"""Runs inside Pyodide: the tests of the rate limits, requests that providers published, a few of its own.

What is tested is the platform: integers, fractions, dates, hashes, regular expressions, templates. One file
for each of them is enough for ``make test``; ``make test-long`` runs all that can run here.
"""

from __future__ import annotations

import os
import shlex
import sys

PARTS = [
    "tests/ratelimit/test_decisions.py",
    "tests/ratelimit_figures/test_sketch.py",
    "tests/ratelimit_plan/test_plan.py",
    "tests/ratelimit_plan/test_ratelimit_headers.py",
    "tests/ratelimit_plan/test_rejection.py",
    "tests/ratelimit_plan/test_retry_after.py",
    "tests/versioning/test_api.py",
    "tests/versioning/test_httpdate.py",
    "tests/versioning/test_instants.py",
    "tests/versioning/test_plotting_svg.py",
    "tests/webhooks/test_timestamps.py",
    "tests/webhooks/test_vectors.py",
    "tests/pyodide",
]

ALL_PARTS = [
    "tests/ratelimit",
    "tests/ratelimit_figures/test_sketch.py",
    "tests/ratelimit_plan",
    "tests/ratelimit_scenario",
    "tests/versioning/test_accept.py",
    "tests/versioning/test_responses.py",
    "tests/versioning/test_api.py",
    "tests/versioning/test_sample_exchange.py",
    "tests/versioning/test_httpdate.py",
    "tests/versioning/test_links.py",
    "tests/versioning/test_instants.py",
    "tests/versioning/test_negotiate.py",
    "tests/versioning/test_notices.py",
    "tests/versioning/test_version_location.py",
    "tests/versioning/test_release.py",
    "tests/versioning/test_routes.py",
    "tests/versioning/test_plotting_svg.py",
    "tests/versioning/test_milestones.py",
    "tests/versioning/test_months.py",
    "tests/versioning/test_sunset.py",
    "tests/versioning/test_timeline.py",
    "tests/versioning/test_warning_header.py",
    "tests/webhooks/test_computed_fields.py",
    "tests/webhooks/test_timestamps.py",
    "tests/webhooks/test_locators.py",
    "tests/webhooks/test_vectors.py",
    "tests/pyodide",
]

LEFT_OUT = {
    "starts a process": [
        "tests/ratelimit/test_light_imports.py::test_a_simulation_loads_nothing_heavy",
        "tests/ratelimit/test_light_imports.py::test_the_package_loads_no_module_before_a_name_is_used",
        "tests/ratelimit_figures/test_sketch.py::test_neither_matplotlib_nor_numpy_is_loaded",
        "tests/versioning/test_plotting_svg.py::test_neither_matplotlib_nor_numpy_is_loaded",
        "tests/ratelimit_plan/test_imports.py::test_headers_theory_and_plan_load_only_the_standard_library",
    ],
    "asks a widget": [
        "tests/ratelimit_figures/test_sketch.py::test_a_saved_notebook_with_ten_calculators_stays_small",
        "tests/ratelimit_figures/test_sketch.py::test_a_slider_has_a_picture_for_each_of_its_moves",
    ],
    "asks matplotlib": [
        "tests/ratelimit/test_light_imports.py::test_every_public_name_is_there",
    ],
    "asks numpy": [
        "tests/ratelimit/test_units.py::test_the_numbers_of_other_libraries_are_taken_by_their_value",
    ],
    "needs cryptography": [
        "tests/webhooks/test_vectors.py::test_the_published_request_verifies_at_its_time[sendgrid",
        "tests/webhooks/test_vectors.py::test_one_flipped_bit_in_what_is_signed_of_the_body_is_refused[sendgrid",
    ],
    "100,000 open brackets use up WebAssembly's stack inside CPython's own json before it counts them": [
        "tests/ratelimit_plan/test_rejection.py::test_a_body_that_is_no_document_is_refused[body5]",
    ],
    "statistics of long runs, which say nothing about a platform and would take as long as all the others": [
        "tests/ratelimit/test_theory.py",
        "tests/ratelimit_plan/test_queue_validation.py",
    ],
    "170,000 attacks with small integers; test_decisions.py decides, and this file has other bounds": [
        "tests/ratelimit/test_max_admitted.py::test_the_adversary_gets_exactly_the_most_in_any_window_through",
    ],
    "iterates a Markov chain 4,000 times; here the waits are those of the tables": [
        "tests/ratelimit_plan/test_queueing.py::test_the_wait_of_a_finite_queue_agrees_with_its_markov_chain",
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
