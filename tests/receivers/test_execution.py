"""The snippets at work: each scheme's receiver, in each language, against genuine and changed requests."""

from __future__ import annotations

import pytest

from hook_widgets.errors import UnsupportedScheme
from hook_widgets.webhooks.codegen import receiver_snippet
from tests.receivers.cases import SUBJECTS, Subject
from tests.receivers.exceptions import EXCEPTIONS
from tests.receivers.runtimes import Receivers


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
def test_a_receiver_accepts_what_is_genuine_and_nothing_else(receivers: Receivers, subject: Subject) -> None:
    if (receivers.language, subject.name) in EXCEPTIONS:
        with pytest.raises(UnsupportedScheme, match=EXCEPTIONS[receivers.language, subject.name]):
            receiver_snippet(subject.provider, receivers.language, scheme=subject.scheme.name)
        return
    wrong = []
    accepted = rejected = 0
    for case in subject.cases():
        answer = receivers.ask(subject.name, case.arguments)
        accepted += case.genuine is True
        rejected += case.genuine is False
        right = ("true", "false") if case.genuine is None else (str(case.genuine).lower(),)
        if answer not in right:
            wrong.append(f"{case.title}: {answer}, not {' or '.join(right)}")
    assert wrong == []
    assert accepted
    assert rejected
