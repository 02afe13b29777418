/** Every delivery of this widget, newest first. */
import { useSignal } from "@preact/signals";
import { useView } from "./context.js";
import { Result, statusText } from "./Result.js";
import { Button, Chip, clockTime, duration } from "./ui.js";

export function History() {
  const { state, sender } = useView();
  const open = useSignal<number | null>(null);
  const records = state.deliveries.value;
  if (records.length === 0) {
    return (
      <p class="hw-empty">
        Nothing was sent yet. Each delivery is kept here with its answer, until the kernel restarts.
      </p>
    );
  }
  return (
    <ol class="hw-history" reversed>
      {records.map((record) => {
        const shown = open.value === record.n;
        return (
          <li key={record.n}>
            <div class="hw-entry">
              <button
                type="button"
                class="hw-disclose"
                aria-expanded={shown}
                onClick={() => {
                  open.value = shown ? null : record.n;
                }}
              >
                <span class="hw-dim">#{record.n}</span>
                <Chip tone={record.level}>{statusText(record)}</Chip>
                <span class="hw-mono hw-what">{record.event || record.provider}</span>
                <span class="hw-mono hw-dim hw-where">{record.url}</span>
                <span class="hw-dim hw-when">
                  {clockTime(record.at)} · {duration(record.elapsed_s)}
                </span>
              </button>
              <Button
                disabled={sender.since.value !== null}
                label={`Send delivery ${record.n} again`}
                title="The same payload to the same receiver, signed anew"
                onClick={() => sender.send(record.n)}
              >
                Send again
              </Button>
            </div>
            {shown && <Result record={record} />}
          </li>
        );
      })}
    </ol>
  );
}
