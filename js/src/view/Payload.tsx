/** The payload: its text, what is wrong with it and where, and the facts of its bytes. */
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { type BodyText, count, withoutBom } from "../bytes.js";
import { sha256Hex } from "../primitives.js";
import { useUid, useView } from "./context.js";
import { Editor, type EditorHandle } from "./Editor.js";
import { FormTable } from "./FormTable.js";
import { Button, Chip, CopyButton, Lock, shortHash } from "./ui.js";

const LINE_ENDS = { none: "one line", lf: "LF", crlf: "CRLF", mixed: "mixed line ends" };

/** What an edit does to bytes that an editor cannot show; empty when it can show all of them. */
export function editNote({ lineEnds, broken, bom }: BodyText): string {
  const notes = [
    lineEnds === "crlf" && "new lines get CRLF like the others",
    lineEnds === "mixed" && "new lines get LF, the others stay as they are",
    broken > 0 &&
      `${count(broken, "place is", "places are")} not UTF-8 (shown as \ufffd) and stay until you change them`,
    bom && "the BOM stays",
  ].filter(Boolean);
  return notes.length ? `An edit changes only what you touch: ${notes.join("; ")}.` : "";
}

function facts({ bytes, lineEnds, broken, bom }: BodyText, hash: string): string {
  const last = bytes.at(-1);
  return [
    count(bytes.length, "byte"),
    broken ? "not UTF-8" : "UTF-8",
    LINE_ENDS[lineEnds],
    lineEnds !== "none" && (last === 10 ? "ends with a newline" : "no newline at the end"),
    bom ? "starts with a BOM" : "no BOM",
    `sha256 ${shortHash(hash)}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

export function Payload() {
  const { state } = useView();
  const uid = useUid();
  const editor = useRef<EditorHandle | null>(null);
  const before = useSignal<{ bytes: Uint8Array; what: string } | null>(null);
  const refusal = useSignal("");
  const body = state.body.value;
  const hash = sha256Hex(body.bytes);
  const locked = state.locked("body");
  const form = state.draft.value?.form ?? null;

  const rewrite = async (op: "format" | "minify" | "reset") => {
    const { bytes } = state.body.peek();
    refusal.value = "";
    try {
      await state.rewrite(op);
      before.value = bytes === state.body.peek().bytes ? null : { bytes, what: op };
    } catch (error) {
      refusal.value = (error as Error).message;
      state.spoken.value = refusal.value;
    }
  };

  return (
    <section class="hw-section hw-payload" aria-labelledby={`${uid}-title`}>
      <div class="hw-head">
        <h3 id={`${uid}-title`}>Payload</h3>
        <PayloadChip />
        {locked && <Lock />}
        <div class="hw-right">
          {before.value && before.value.bytes !== body.bytes && (
            <Button
              look="quiet"
              onClick={() => {
                state.edit({ body: before.value?.bytes ?? body.bytes });
                before.value = null;
              }}
            >
              Undo {before.value.what}
            </Button>
          )}
          {!locked && (
            <>
              <Button onClick={() => rewrite("format")}>Format</Button>
              <Button onClick={() => rewrite("minify")}>Minify</Button>
              <Button onClick={() => rewrite("reset")} title="Back to the template of the event">
                Reset
              </Button>
            </>
          )}
          <CopyButton
            what="payload"
            disabled={body.broken > 0}
            title={body.broken ? "These bytes are not text: a clipboard cannot hold them exactly" : ""}
            content={() => new TextDecoder("utf-8", { ignoreBOM: true }).decode(state.body.peek().bytes)}
          />
        </div>
      </div>
      {form && <FormTable form={form} />}
      <Editor
        label={form ? "Payload as it is sent" : "Payload"}
        describedBy={`${uid}-facts`}
        handle={editor}
      />
      <Problems onPick={(line, column) => editor.current?.goTo(line, column)} refusal={refusal.value} />
      <p class="hw-facts" id={`${uid}-facts`} title={`sha256 ${hash}`}>
        {facts(body, hash)}
        {body.bom && !locked && (
          <>
            {" "}
            <Button look="quiet" onClick={() => state.edit({ body: withoutBom(body.bytes) })}>
              Remove BOM
            </Button>
          </>
        )}
      </p>
      {editNote(body) && <p class="hw-hint">{editNote(body)}</p>}
    </section>
  );
}

function PayloadChip() {
  const { state } = useView();
  const draft = state.draft.value;
  if (!draft?.body) return null;
  if (!state.draftFresh.value) return <Chip>Checking…</Chip>;
  const errors = draft.problems.filter(({ level }) => level === "error").length;
  const warnings = draft.problems.length - errors;
  if (errors) return <Chip tone="bad">{count(errors, "problem")}</Chip>;
  if (warnings) return <Chip tone="warn">{count(warnings, "remark")}</Chip>;
  if (draft.body.kind === "json") return <Chip tone="ok">Valid JSON</Chip>;
  return <Chip>{draft.form ? `Form, ${count(draft.form.length, "parameter")}` : "Plain text"}</Chip>;
}

function Problems({ onPick, refusal }: { onPick: (line: number, column: number) => void; refusal: string }) {
  const { state } = useView();
  const problems = state.draft.value?.problems ?? [];
  if (problems.length === 0 && !refusal) return null;
  return (
    <ul
      class={state.draftFresh.value ? "hw-problems" : "hw-problems hw-stale"}
      aria-label="Problems in the payload"
    >
      {refusal && (
        <li>
          <span class="hw-bad">Not changed</span> {refusal}
        </li>
      )}
      {problems.map(({ line, column, message, level }) => (
        <li key={`${line}:${column}:${message}`}>
          <button type="button" onClick={() => onPick(line, column)}>
            <span class={level === "error" ? "hw-bad" : "hw-warn"}>
              Line {line}, column {column}
            </span>
            {message}
          </button>
        </li>
      ))}
    </ul>
  );
}
