/** Input for a document that is pasted, dropped or chosen. It stays in this tab until it is sent with a request. */
import { h } from "preact";
import { count } from "../../core/bytes.js";
import { nothing } from "../../core/rpc.js";
import { signal } from "../../core/signals.js";
import { Button } from "../../ui/controls.js";
import type { Place } from "../../ui/mount.js";
import { FileButton } from "../../ui/output.js";
import type { State } from "../state.js";

const MAX_BYTES = 20_000_000;
/** Longer texts are handled as files, because browsers take seconds to lay them out in a text area. */
const MAX_SHOWN = 50_000;
/** Size of the parts that a document is sent in; most servers limit a message to 10 MB. */
const PART_BYTES = 1_000_000;

interface View extends Pick<Place, "id"> {
  state: Pick<State, "request">;
}

export function createSource({ state, id }: View, name: string, label: string, onChange: () => void) {
  const key = id(name);
  const typed = signal("");
  const file = signal<{ name: string; bytes: Uint8Array } | null>(null);
  const problem = signal("");
  const change = () => {
    problem.set("");
    onChange();
  };
  const hold = (name: string, bytes: Uint8Array) => {
    change();
    if (bytes.length > MAX_BYTES) {
      problem.set(`${name} has more than ${MAX_BYTES / 1e6} MB. Choose a smaller part of it.`);
    } else file.set({ name, bytes });
  };
  const load = async (chosen: File) => {
    try {
      // Reads one byte more than allowed, enough to detect a file that is too large.
      hold(chosen.name, new Uint8Array(await chosen.slice(0, MAX_BYTES + 1).arrayBuffer()));
    } catch {
      problem.set(`${chosen.name} cannot be read. Choose it again.`);
    }
  };
  const bytes = () => file.peek()?.bytes ?? new TextEncoder().encode(typed.peek());

  const draw = (help: string) => {
    const chosen = file();
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: the button does what a drop does
      <div
        class="hw-field hw-source"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          const [dropped] = event.dataTransfer?.files ?? [];
          if (!dropped) return; // text goes into the field
          event.preventDefault();
          void load(dropped);
        }}
      >
        <label for={key}>{label}</label>
        {chosen ? (
          <p class="hw-row hw-middle">
            <span class="hw-chosen">
              <strong>{chosen.name}</strong>, {count(chosen.bytes.length, "byte")}
            </span>
            <Button
              label={`Remove ${chosen.name}`}
              onClick={() => {
                file.set(null);
                change();
              }}
            >
              Remove
            </Button>
          </p>
        ) : (
          <textarea
            id={key}
            class="hw-input hw-mono"
            rows={5}
            spellcheck={false}
            autocomplete="off"
            value={typed()}
            aria-describedby={`${key}-hint`}
            onPaste={(event) => {
              const pasted = event.clipboardData?.getData("text/plain") ?? "";
              if (pasted.length <= MAX_SHOWN) return;
              event.preventDefault();
              hold("Pasted text", new TextEncoder().encode(pasted));
            }}
            onInput={(event) => {
              typed.set(event.currentTarget.value);
              change();
            }}
          />
        )}
        <FileButton label={`Choose a file: ${label}`} onFile={load}>
          Choose a file
        </FileButton>
        <p id={`${key}-hint`} class={`hw-hint ${problem() ? "hw-bad" : ""}`}>
          {problem() || help}
        </p>
      </div>
    );
  };

  return {
    draw,
    empty: () => !file() && !typed().trim(),
    /** Sends the document in parts; returns its name in the kernel, or null. */
    async send(): Promise<string | null> {
      const document = bytes();
      if (document.length > MAX_BYTES) {
        problem.set(`The text has more than ${MAX_BYTES / 1e6} MB. Paste a part of it.`);
        return null;
      }
      for (let at = 0; at === 0 || at < document.length; at += PART_BYTES) {
        const buffers = [document.slice(at, at + PART_BYTES)];
        if (!(await state.request("part", { name: key, at }, nothing, { buffers, slow: true }))) return null;
      }
      return key;
    },
  };
}
