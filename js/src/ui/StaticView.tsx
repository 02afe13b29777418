/** View of a page without a kernel: the saved HTML, and below it the read-only inputs. */
import { type ComponentChildren, Fragment, h } from "preact";
import type { Connection } from "../core/connection.js";

export function withStaticView(state: Pick<Connection, "still">, draw: () => ComponentChildren) {
  return () => {
    const html = state.still();
    if (!html) return draw();
    return (
      <>
        <p class="hw-banner hw-warn">No kernel: the widget is shown as it was saved.</p>
        <div class="hw-still" dangerouslySetInnerHTML={{ __html: html }} />
        <details class="hw-behind">
          <summary>All inputs</summary>
          {draw()}
        </details>
      </>
    );
  };
}
