/** A body as text, raw or indented; only the view changes. */

import { Pre } from "../../ui/output.js";
import { indented } from "../indent.js";
import { Fragment, h, signal, ViewSwitch } from "../lazy-exports.js";

/** The view that was chosen last, for all bodies of a page. */
const pretty = signal(false);

export function BodyText({ label, text }: { label: string; text: string }) {
  const view = indented(text);
  const other = "text" in view && view.text !== text ? view.text : null;
  return (
    <>
      {other !== null && (
        <div class="hw-row">
          <ViewSwitch label={`View: ${label}`} pretty={pretty} />
        </div>
      )}
      <Pre label={label}>{(pretty() && other) || text || "(empty body)"}</Pre>
    </>
  );
}
