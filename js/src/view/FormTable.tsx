/** Names and values that are edited in rows: form parameters and custom headers. */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { TYPING_MS } from "../model.js";
import { newestWins } from "../rpc.js";
import { useView } from "./context.js";
import { Button } from "./ui.js";

export type Row = [name: string, value: string];

type Props = {
  /** What a row is, in the names of its controls: "parameter", "header". */
  what: string;
  rows: Row[];
  locked: boolean;
  onChange: (rows: Row[]) => void;
};

export function Rows({ what, rows, locked, onChange }: Props) {
  const table = useRef<HTMLTableElement>(null);
  const set = (at: number, row: Row) => onChange(rows.map((old, i) => (i === at ? row : old)));
  const remove = (at: number) => {
    onChange(rows.filter((_, i) => i !== at));
    // The focus goes to the row that took the place, not to the top of the page.
    queueMicrotask(() => {
      const buttons = table.current?.querySelectorAll<HTMLElement>("button");
      buttons?.[Math.min(at, buttons.length - 1)]?.focus();
    });
  };
  if (rows.length === 0) return null;
  return (
    <table class="hw-rows" ref={table}>
      <thead class="hw-offscreen">
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Value</th>
          {!locked && <th scope="col">Remove</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, value], i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place; names may repeat
          <tr key={i}>
            <td>
              <input
                class="hw-input hw-mono"
                aria-label={`Name of ${what} ${i + 1}`}
                placeholder="Name"
                spellcheck={false}
                autocomplete="off"
                readOnly={locked}
                value={name}
                onInput={(event) => set(i, [event.currentTarget.value, value])}
              />
            </td>
            <td>
              <input
                class="hw-input hw-mono"
                aria-label={name ? `Value of ${name}` : `Value of ${what} ${i + 1}`}
                placeholder="Value"
                spellcheck={false}
                autocomplete="off"
                readOnly={locked}
                value={value}
                onInput={(event) => set(i, [name, event.currentTarget.value])}
              />
            </td>
            {!locked && (
              <td>
                <Button look="quiet" label={`Remove ${name || `${what} ${i + 1}`}`} onClick={() => remove(i)}>
                  ✕
                </Button>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Parameters of a form-encoded body; the kernel encodes them, as the provider does. */
export function FormTable({ form }: { form: Row[] }) {
  const { state } = useView();
  const typed = useSignal<Row[] | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const send = useMemo(
    () =>
      newestWins(async (params: Row[]) => {
        try {
          await state.rewrite("set_form", { params });
        } catch (error) {
          state.trouble.value = (error as Error).message;
        }
        // What the kernel made of it is shown, unless more was typed meanwhile.
        if (typed.value === params) typed.value = null;
      }),
    [],
  );
  useEffect(() => () => clearTimeout(timer.current), []);

  const locked = state.locked("body");
  const rows = typed.value ?? form;
  const change = (next: Row[], delay = TYPING_MS) => {
    typed.value = next;
    state.edit({}, 2 * TYPING_MS); // outputs are stale from the first key on
    clearTimeout(timer.current);
    timer.current = setTimeout(() => send(next), delay);
  };
  return (
    <details class="hw-form" open>
      <summary>Form parameters</summary>
      <Rows what="parameter" rows={rows} locked={locked} onChange={change} />
      {!locked && (
        <Button look="quiet" onClick={() => change([...rows, ["", ""]], 0)}>
          Add parameter
        </Button>
      )}
    </details>
  );
}
