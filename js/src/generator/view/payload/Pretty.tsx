/** Indented view of the payload; the bytes stay as they are. */

import { Pre } from "../../../ui/output.js";
import { indented } from "../../indent.js";
import { Fragment, Hint, h } from "../../lazy-exports.js";
import type { View } from "../view.js";

export function createPretty({ state }: View) {
  let shown = { of: state.body(), ...indented(state.body().text) };
  return () => {
    const body = state.body();
    if (shown.of !== body) shown = { of: body, ...indented(body.text) };
    if ("reason" in shown) return <Hint>{shown.reason} View it in Raw.</Hint>;
    return (
      <>
        <Pre label="Payload, indented" code>
          {shown.text}
        </Pre>
        <Hint>Read-only; the signed bytes are unchanged. Edit in Raw.</Hint>
      </>
    );
  };
}
