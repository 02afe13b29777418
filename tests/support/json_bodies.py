"""JSON as many serialisers write it, to be drawn by hypothesis."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

BOM = b"\xef\xbb\xbf"

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
styles: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "ensure_ascii": st.booleans(),
        "indent": st.sampled_from([None, 0, 1, 2, "\t"]),
        "separators": st.sampled_from([(",", ":"), (", ", ": "), (" ,\r", "\t:\n ")]),
    }
)


@st.composite
def bodies(draw: st.DrawFn) -> bytes:
    """JSON as many serialisers write it."""
    text = json.dumps(draw(values), **draw(styles))
    text = text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))
    return (
        draw(st.sampled_from(["", " "])) + text + draw(st.sampled_from(["", "\n", "\r\n", "\r", " \n "]))
    ).encode()
