/** Bytes of the payload that an editor cannot show: how an edit treats them, and how to remove a BOM. */
import type { BodyText } from "../../../core/bytes.js";
import { Button, count, Hint, h, withoutBom } from "../../lazy-exports.js";
import type { View } from "../view.js";

/** Explains how an edit treats bytes that an editor cannot show; empty if it can show all. */
function editNote({ lineEnds, broken, bom }: BodyText): string {
  const notes = [
    lineEnds === "crlf" && "new lines end with CRLF like the others",
    lineEnds === "mixed" && "new lines end with LF, existing ones are unchanged",
    broken > 0 && `${count(broken, "invalid UTF-8 sequence")} (shown as \ufffd) kept until you edit there`,
    bom && "the BOM is kept",
  ].filter(Boolean);
  return notes.length ? `Edits change only the text you touch: ${notes.join("; ")}.` : "";
}

export function createOddBytes({ state }: View) {
  return () => {
    const body = state.body();
    const note = editNote(body);
    if (!note) return null;
    return (
      <Hint>
        {note}
        {body.bom && !state.locked("body") && (
          <Button look="quiet" onClick={() => state.edit({ body: withoutBom(body.bytes) })}>
            Remove BOM
          </Button>
        )}
      </Hint>
    );
  };
}
