/** Copies text to the clipboard, also where the clipboard API is missing (plain http) or fails. */
export async function copyText(content: string, near: Element): Promise<boolean> {
  const document = near.ownerDocument;
  try {
    const clipboard = document.defaultView?.navigator.clipboard;
    if (clipboard) {
      await clipboard.writeText(content);
      return true;
    }
  } catch {
    // Failed, for example for lack of permission in a frame: `execCommand` may still work there.
  }
  return copyBySelection(content, near, document);
}

function copyBySelection(content: string, near: Element, document: Document): boolean {
  const root = near.getRootNode() as Document | ShadowRoot;
  const focused = root.activeElement as HTMLElement | null;
  const area = document.createElement("textarea");
  area.value = content;
  area.setAttribute("aria-hidden", "true");
  area.className = "hw-offscreen";
  // A text area turns CRLF into LF, so the exact text is set on the event.
  const exactly = (event: ClipboardEvent) => {
    event.clipboardData?.setData("text/plain", content);
    event.preventDefault();
  };
  (near.closest(".hw") ?? near).append(area);
  document.addEventListener("copy", exactly, { capture: true, once: true });
  try {
    area.select();
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    document.removeEventListener("copy", exactly, { capture: true });
    area.remove();
    focused?.focus({ preventScroll: true });
  }
}
