/** A received body: pasted, or loaded byte for byte. */

import { FileButton } from "../../../ui/output.js";
import { Button, count, Fragment, h, signal, TextField } from "../../lazy-exports.js";

const HINT = "Pasting converts CRLF to LF. Load a file to keep the exact bytes.";

export interface Loaded {
  name: string;
  bytes: Uint8Array;
}

/** `onChange` is called on every change. */
export function createBody(id: string, label: string, loadLabel: string, onChange: () => void) {
  const typed = signal("");
  const loaded = signal<Loaded | null>(null);
  const load = (file: Loaded | null) => {
    loaded.set(file);
    onChange();
  };
  const read = async (file: File) =>
    load({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
  const draw = () => {
    const file = loaded();
    return (
      <>
        {file ? (
          <p class="hw-loaded">
            <span>
              <strong>{file.name}</strong>, {count(file.bytes.length, "byte")}, exact bytes
            </span>
            <Button look="quiet" onClick={() => load(null)}>
              Paste instead
            </Button>
          </p>
        ) : (
          <TextField
            id={id}
            label={label}
            rows={7}
            hint={HINT}
            value={typed()}
            onText={(text) => {
              typed.set(text);
              onChange();
            }}
          />
        )}
        <FileButton onFile={read}>{loadLabel}</FileButton>
      </>
    );
  };
  return { draw, load, bytes: () => loaded()?.bytes ?? new TextEncoder().encode(typed()) };
}
