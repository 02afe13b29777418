/** Headers of the user's own, sent after the provider's. */
import { useSignal } from "@preact/signals";
import { TYPING_MS } from "../model.js";
import { useUid, useView } from "./context.js";
import { type Row, Rows } from "./FormTable.js";
import { Button, Lock } from "./ui.js";

const named = (rows: Row[]) => rows.filter(([name]) => name !== "");

export function CustomHeaders() {
  const { state } = useView();
  const uid = useUid();
  // A row without a name yet is nobody's header: it stays here until it has one.
  const typed = useSignal<Row[]>(state.inputs.headers.peek());
  const saved = state.inputs.headers.value;
  const rows = JSON.stringify(named(typed.value)) === JSON.stringify(saved) ? typed.value : saved;
  const locked = state.locked("headers");
  const change = (next: Row[]) => {
    typed.value = next;
    if (JSON.stringify(named(next)) !== JSON.stringify(saved))
      state.edit({ headers: named(next) }, TYPING_MS);
  };
  return (
    <section class="hw-section" aria-labelledby={`${uid}-title`}>
      <div class="hw-head">
        <h3 id={`${uid}-title`}>Custom headers</h3>
        {locked && <Lock />}
        <div class="hw-right">
          {!locked && <Button onClick={() => change([...rows, ["", ""]])}>Add header</Button>}
        </div>
      </div>
      {rows.length === 0 && (
        <p class="hw-hint">None. The provider's own headers are listed with the request.</p>
      )}
      <Rows what="header" rows={rows} locked={locked} onChange={change} />
    </section>
  );
}
