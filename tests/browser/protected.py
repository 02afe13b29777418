"""The frames of the vault in a page; they stand in closed shadow roots, where no selector reaches them."""

from __future__ import annotations

from playwright.sync_api import Error, Frame, Locator

_TRIES, _PAUSE_MS = 500, 20


def protected_frame(place: Locator) -> Frame:
    """Wait for the frame of a field.

    Args:
        place: what the field is in, such as the region of a secret.

    Raises:
        AssertionError: no frame came.
    """
    for _ in range(_TRIES):
        host = place.locator(".hw-vault").element_handle()
        for frame in place.page.frames:
            try:
                element = frame.frame_element() if frame.parent_frame else None
                if element and element.evaluate("(frame, host) => frame.getRootNode().host === host", host):
                    return frame
            except Error:
                continue  # gone meanwhile, or of another document than the host
        place.page.wait_for_timeout(_PAUSE_MS)
    raise AssertionError("no frame came into the place of the field")
