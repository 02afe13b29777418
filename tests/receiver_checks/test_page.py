"""The table of docs/reference/receivers.md is that of the broken receivers, and each check has a page.

    python -m tests.receiver_checks.test_page

writes the table.
"""

from __future__ import annotations

import re
from pathlib import Path

from hook_widgets.receivers import catalogue
from tests.receiver_checks.test_broken_receivers import LOAD, PROVIDERS
from tests.receiver_checks.test_special_schemes import FAULTS as SPECIAL_FAULTS
from tests.receiver_checks.test_special_schemes import RIGHT
from tests.receivers.broken.faults import FAULTS
from tests.receivers.broken.wire import LOAD_FAULTS, WIRE_FAULTS
from tests.sdk.samples.findings import SAMPLES

PLAIN = set(catalogue()) - set(LOAD)
PAGE = Path(__file__).parents[2] / "docs" / "reference" / "receivers.md"


def faults() -> str:
    rows = ["| provider | fault | failed | warned | not decided |", "|---|---|---|---|---|"]
    for fault in (*FAULTS, *WIRE_FAULTS, *LOAD_FAULTS):
        said = (fault.receiver.__doc__ or "").rstrip(".").replace("__", "\\_\\_")
        rows.append(f"| {fault.provider} | {said} | {fault.failed} | {fault.warned} | {fault.not_decided} |")
    for receiver, failed in SPECIAL_FAULTS.items():
        name = RIGHT[receiver.__mro__[1]][0] or "its own"
        rows.append(f"| {name} | {(receiver.__doc__ or '').rstrip('.')} | {failed} |  |  |")
    return "\n".join(rows)


def confusion() -> str:
    """The results that test_broken_receivers.py asserts; any other one fails there, hence the zeros."""
    runs = [(fault, PLAIN) for fault in (*FAULTS, *WIRE_FAULTS)]
    runs += [(fault, set(LOAD) - {"G8"} | set(fault.warned.split())) for fault in LOAD_FAULTS]
    reported = sum(len(f"{fault.failed} {fault.warned}".split()) for fault, _ in runs)
    silent = sum(len(run - set(f"{f.failed} {f.warned} {f.not_decided}".split())) for f, run in runs)
    silent += len(PROVIDERS) * len(PLAIN) + len(LOAD)
    return "\n".join(
        [
            "| | reported | not reported |",
            "|---|---|---|",
            f"| a fault that the check is for | {reported} | 0 |",
            f"| no such fault | 0 | {silent} |",
            "",
            "The zeros are asserted, not counted: a run with another result fails its test.",
        ]
    )


def samples() -> str:
    rows = ["| provider | framework | sample | failed | warned | because |", "|---|---|---|---|---|---|"]
    for sample in SAMPLES:
        source = re.sub(r"^(https://\S+)", r"<\1>", sample.source)
        failed, warned = (" ".join(ids for ids, _ in group) for group in (sample.failed, sample.warned))
        reasons = dict.fromkeys(reason for _, reason in (*sample.failed, *sample.warned))
        because = "; ".join(reasons)
        rows.append(
            f"| {sample.provider} | {sample.framework} | {source} | {failed} | {warned} | {because} |"
        )
    return "\n".join(rows)


def filled(page: str) -> str:
    for name, table in (("confusion", confusion()), ("faults", faults()), ("samples", samples())):
        page = re.sub(
            rf"(<!-- {name} -->\n).*?(<!-- end -->)",
            lambda match, table=table: f"{match[1]}\n{table}\n\n{match[2]}",  # type: ignore[misc]
            page,
            flags=re.DOTALL,
        )
    return page


def test_the_page_has_the_tables_of_the_broken_receivers_and_of_the_samples():
    page = PAGE.read_text(encoding="utf-8")

    assert all(fault.receiver.__doc__ for fault in (*FAULTS, *WIRE_FAULTS, *LOAD_FAULTS))
    assert filled(page) == page


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
