"""The public interface: the names of `hook_widgets.webhooks`, each loaded on first access."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from hook_widgets import errors, webhooks

ROOT = Path(__file__).parents[2]
DIRECTIVE = re.compile(r"^\.\. auto(?:class|function):: ([\w.]+)(?:\(\))?$", re.MULTILINE)


def loaded_by(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(*sys.modules, sep='\\n')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name.removeprefix("hook_widgets.webhooks.") for name in done.stdout.split()}


def rooms(modules: set[str]) -> set[str]:
    return {name.partition(".")[0] for name in modules}


def test_a_secret_is_imported_without_the_rest_of_the_core():
    others = {"body", "codegen", "delivery", "diagnosis", "registry", "requests", "scheme", "verification"}

    modules = loaded_by("from hook_widgets.webhooks import Secret")

    assert "keys.secret" in modules
    assert set() == others & rooms(modules)
    assert "pydantic" not in modules


def test_signing_and_verifying_load_neither_diagnosis_nor_code_generation_nor_delivery():
    modules = loaded_by("from hook_widgets.webhooks import Secret, provider, verify")

    assert {"registry", "verification"} <= rooms(modules)
    assert set() == {"codegen", "delivery", "diagnosis"} & rooms(modules)


def test_providers_are_read_without_the_library_that_validates_their_files():
    modules = loaded_by(
        "from hook_widgets.webhooks import Secret, providers, verify\n"
        "verify('stripe', headers={}, body=b'{}', secret=Secret('whsec_example'))\n"
        "assert len(providers()) > 200"
    )

    assert set() == {"pydantic", "tomllib"} & modules


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match=r"'hook_widgets\.webhooks' has no attribute 'investigate'"):
        webhooks.investigate  # type: ignore[attr-defined]  # noqa: B018


def test_the_reference_documents_every_error():
    names = [
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, errors.HookWidgetsError)
    ]

    documented = DIRECTIVE.findall((ROOT / "docs/reference/errors.md").read_text())

    assert set() == set(names) - set(documented)


def test_public_records_of_more_than_four_fields_take_keywords_only():
    records = [
        record
        for record in (getattr(webhooks, name) for name in dir(webhooks))
        if isinstance(record, type) and is_dataclass(record)
    ]
    large = [record for record in records if sum(field.init for field in fields(record)) > 4]

    assert {"Draft", "Verdict", "WebhookRequest"} <= {record.__name__ for record in large}
    assert [] == [record for record in large if any(not field.kw_only for field in fields(record))]
