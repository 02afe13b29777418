/** Editable rows of names and values: form parameters and custom headers. */
import {
  Button,
  Cross,
  errorAt,
  Fragment,
  Hint,
  h,
  Lock,
  latestOnly,
  nothing,
  signal,
  TYPING_MS,
} from "../../lazy-exports.js";
import type { View } from "../view.js";

type Row = [name: string, value: string];
type Props = {
  /** Noun for a row in the labels of its controls: "parameter", "header". */
  what: string;
  rows: Row[];
  locked: boolean;
  onChange: (rows: Row[]) => void;
};

/** RFC 9110, section 5.6.2: a name is a token. */
const NOT_A_NAME = /[^\w!#$%&'*+.^`|~-]/;

function Rows({ what, rows, locked, onChange }: Props) {
  const set = (at: number, row: Row) => onChange(rows.map((old, i) => (i === at ? row : old)));
  const remove = (at: number, table: HTMLElement | null) => {
    onChange(rows.filter((_, i) => i !== at));
    // Focus the row that took the place of the removed one, not the top of the page.
    setTimeout(() => {
      const buttons = table?.querySelectorAll("button") ?? [];
      buttons[Math.min(at, buttons.length - 1)]?.focus();
    });
  };
  const cell = (
    label: string,
    placeholder: string,
    value: string,
    onText: (text: string) => void,
    invalid = false,
  ) => (
    <input
      class="hw-input hw-mono"
      aria-label={label}
      placeholder={placeholder}
      spellcheck={false}
      autocomplete="off"
      readOnly={locked}
      aria-invalid={invalid || undefined}
      value={value}
      onInput={(event) => onText(event.currentTarget.value)}
    />
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a list of pairs of fields, each with a name of its own
    <div class="hw-rows" role="group" aria-label={`All ${what}s`}>
      {rows.map(([name, value], i) => (
        <div>
          {cell(
            `Name of ${what} ${i + 1}`,
            "Name",
            name,
            (text) => set(i, [text, value]),
            what === "header" && NOT_A_NAME.test(name),
          )}
          {cell(`Value of ${name || `${what} ${i + 1}`}`, "Value", value, (text) => set(i, [name, text]))}
          {!locked && (
            <button
              type="button"
              class="hw-btn hw-quiet"
              aria-label={`Remove ${name || `${what} ${i + 1}`}`}
              onClick={(event) => remove(i, event.currentTarget.closest<HTMLElement>(".hw-rows"))}
            >
              <Cross />
            </button>
          )}
        </div>
      ))}
    </div>
  );
}

/** Parameters of a form-encoded body; the kernel encodes them as the provider does. */
export function createFormTable({ state, root }: View) {
  const typed = signal<Row[] | null>(null);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const send = latestOnly(async (params: Row[]) => {
    try {
      await state.rewrite("set_form", { params }, nothing);
    } catch (error) {
      state.trouble.set((error as Error).message);
    }
    // Show the kernel's result, unless more was typed meanwhile.
    if (typed() === params) typed.set(null);
  });
  const change = (rows: Row[]) => {
    typed.set(rows);
    state.edit({}, 2 * TYPING_MS); // marks the outputs as stale from the first key on
    clearTimeout(timer);
    timer = setTimeout(() => send(rows), TYPING_MS);
  };
  return () => {
    const rows = typed() ?? state.draft()?.form ?? [];
    const locked = state.locked("body");
    return (
      <details class="hw-details" open>
        <summary>Form parameters</summary>
        <Rows what="parameter" rows={rows} locked={locked} onChange={change} />
        {!locked && (
          <Button
            look="quiet"
            onClick={() => {
              change([...rows, ["", ""]]);
              focusAdded(root, "parameter", rows.length);
            }}
          >
            Add parameter
          </Button>
        )}
      </details>
    );
  };
}

/** Focuses the name of a new row, once it is rendered. */
function focusAdded(root: HTMLElement, what: string, at: number) {
  setTimeout(() => root.querySelector<HTMLElement>(`[aria-label="Name of ${what} ${at + 1}"]`)?.focus());
}

const named = (rows: Row[]) => rows.filter(([name]) => name !== "");

/** Custom headers, sent after the provider's. */
export function createCustomHeaders({ state, root }: View) {
  const { headers } = state.inputs;
  // A row without a name is no header: it stays in this view until it has one.
  const typed = signal<Row[]>(headers.peek());
  const isSaved = (rows: Row[]) => JSON.stringify(named(rows)) === JSON.stringify(headers());
  const change = (rows: Row[]) => {
    typed.set(rows);
    if (!isSaved(rows)) state.edit({ headers: named(rows) }, TYPING_MS);
  };
  const rows = () => (isSaved(typed()) ? typed() : headers());
  const add = () => {
    focusAdded(root, "header", rows().length);
    change([...rows(), ["", ""]]);
  };
  return {
    rows: () =>
      rows().length > 0 && (
        <>
          <Rows what="header" rows={rows()} locked={state.locked("headers")} onChange={change} />
          {errorAt(state, "headers") && <Hint>{errorAt(state, "headers")}</Hint>}
        </>
      ),
    button: () => (state.locked("headers") ? <Lock /> : <Button onClick={add}>Add header</Button>),
  };
}
