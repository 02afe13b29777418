"""The document of the frame that keeps a secret, in a page of its own."""

from __future__ import annotations

import base64
import hashlib
import re

from playwright.sync_api import Frame, JSHandle, Page

from tests.browser.tab import ROOT

DOCUMENT = ROOT / "src/hook_widgets/widgets/static/vault.html"

_SHOW = """async (text) => {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  let trusted = text;
  try {
    trusted = trustedTypes.createPolicy("hook-widgets", {createHTML: (text) => text}).createHTML(text);
  } catch {
    // the page does not let us have a policy
  }
  const loaded = new Promise((done) => frame.addEventListener("load", done));
  frame.srcdoc = trusted;
  document.body.append(frame);
  await loaded;
  return frame;
}"""


def vault_document() -> str:
    """The text of the document."""
    return DOCUMENT.read_text(encoding="utf-8")


def vault_frame(page: Page) -> Frame:
    """A frame of that document."""
    frame = show(page, vault_document())
    frame.wait_for_load_state()
    return frame


def show(page: Page, document: str) -> Frame:
    """Put a document into a page as the widget does; an error says that the page does not let us."""
    return frame_of(page.evaluate_handle(_SHOW, document))


def frame_of(handle: JSHandle | None) -> Frame:
    """The visible text of an element."""
    element = handle.as_element() if handle else None
    frame = element.content_frame() if element else None
    assert frame is not None
    return frame


def runs(frame: Frame) -> bool:
    """Return True once the document's script, which first deletes these, has run."""
    return frame.evaluate("() => typeof RTCPeerConnection === 'undefined'")


def script_hashes() -> list[str]:
    """The sources of the inline scripts, as a policy names them."""
    return [_hash(text) for text in re.findall(r"<script>(.*?)</script>", vault_document(), re.DOTALL)]


def _hash(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
