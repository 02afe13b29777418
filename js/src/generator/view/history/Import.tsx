/** Import of a recording that is pasted or loaded from a file. */

import { FileButton } from "../../../ui/output.js";
import type { createAttempts } from "../../attempts.js";
import { Button, effect, h, signal, TextField } from "../../lazy-exports.js";
import { importRecording, type Target } from "../../recordings.js";
import { type ImportedRequest, sentence } from "../../replies.js";
import type { View } from "../view.js";

const HINT =
  "HAR, curl, a raw HTTP request, JSON of headers, or HTTP_… variables. Secrets are redacted in this tab.";

export function createImport(view: View, { failure, attempt }: ReturnType<typeof createAttempts>) {
  const { state, id, root, panel, toVerify } = view;
  const typed = signal("");
  const busy = signal(false);
  const done = signal("");

  const summary = ({ format, count, notes }: ImportedRequest, first: boolean) => {
    const more = first && count > 1 ? [`Only the first of ${count} requests.`] : [];
    return [`Read from a ${format}.`, ...more, ...notes.map((note) => `${sentence(note)}.`)].join(" ");
  };
  /** Imports a recording that was pasted as the receiver's URL. */
  const importPasted = async (text: string) => {
    const show = (ok: boolean, text: string) =>
      view.pasteResult.set({ ok, text, revision: state.inputs.revision.peek() });
    try {
      show(true, summary(await importRecording(state, text, "editor"), true));
    } catch (error) {
      show(false, sentence((error as Error).message));
    }
    view.pasted.set("");
    state.say(view.pasteResult.peek()?.text ?? "");
  };
  let lastPasted = "";
  view.ends.addEventListener(
    "abort",
    effect(() => {
      const text = view.pasted();
      if (text && text !== lastPasted) void importPasted(text);
      lastPasted = text;
    }),
  );

  const importTo = async (to: Target) => {
    busy.set(true);
    done.set("");
    await attempt(async () => {
      const request = await importRecording(state, typed(), to);
      done.set(summary(request, to !== "history"));
      state.say(done());
      typed.set("");
      if (to === "history") return;
      if (to === "verify") {
        const name = "Imported request";
        toVerify.set({ ...request, method: request.method || "POST", name, origin: name });
      }
      panel.set(to === "verify" ? "verify" : "generate");
      root.querySelector<HTMLElement>(`#${id("panel")}-${panel.peek()}-tab`)?.focus();
    });
    busy.set(false);
  };
  const load = async (file: File) => {
    failure.set("");
    try {
      typed.set(new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer()));
    } catch {
      failure.set("The file is not UTF-8 text: save the recording as HAR or text");
    }
  };

  return () => {
    const unusable = busy() || !typed().trim() || state.kernel() === "none";
    return (
      <details class="hw-details hw-history-bar">
        <summary>Import a recorded request</summary>
        <div class="hw-inside hw-result">
          <TextField
            id={id("history-import")}
            label="Recording"
            rows={5}
            hint={HINT}
            value={typed()}
            onText={typed.set}
          />
          <div class="hw-row">
            <Button look="primary" disabled={unusable} onClick={() => importTo("history")}>
              Add to History
            </Button>
            <Button disabled={unusable} onClick={() => importTo("verify")}>
              Open in Verify
            </Button>
            <Button disabled={unusable} onClick={() => importTo("editor")}>
              Open in Generate
            </Button>
            <FileButton onFile={load}>Load file</FileButton>
          </div>
          {done() && <p class="hw-hint">{done()}</p>}
        </div>
      </details>
    );
  };
}
