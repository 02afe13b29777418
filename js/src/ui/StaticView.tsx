/** View of a page without a kernel, or with one that does not reply: the saved HTML, and below it the inputs. */
import { type ComponentChildren, Fragment, h } from "preact";
import type { Connection } from "../core/connection.js";

/** Note on the saved form of a widget whose kernel does not reply. */
export const NO_REPLY =
  "No reply from the kernel yet: the widget is shown as it was saved. If the kernel is not busy, run the cell again.";

export function withStaticView(
  state: Pick<Connection, "still" | "kernel">,
  draw: () => ComponentChildren,
  noReply = "",
) {
  return () => {
    const html = state.still();
    if (!html) return draw();
    return (
      <>
        <p class="hw-banner hw-warn">
          {(state.kernel() !== "none" && noReply) || "No kernel: the widget is shown as it was saved."}
        </p>
        <div class="hw-still" dangerouslySetInnerHTML={{ __html: html }} />
        <details class="hw-behind">
          <summary>All inputs</summary>
          {draw()}
        </details>
      </>
    );
  };
}
