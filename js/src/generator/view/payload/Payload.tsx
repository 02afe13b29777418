/** The payload: its text, its errors with their positions, and facts about its bytes. */
import { Fragment, h } from "preact";
import { type BodyText, count } from "../../../core/bytes.js";
import { nothing } from "../../../core/rpc.js";
import { signal } from "../../../core/signals.js";
import { sha256Hex } from "../../../crypto/primitives.js";
import { Button, Chip, createCopy, Lock, Section, shortHash, ViewSwitch } from "../../../ui/controls.js";
import type { State } from "../../state.js";
import type { Lazy } from "../Lazy.js";
import type { View } from "../view.js";
import { createEditor } from "./Editor.js";

/** Title of the buttons that change the bytes, unlike the pretty view. */
const CHANGES = "Rewrites the payload: the bytes that are signed change";

const LINE_ENDS = { none: "one line", lf: "LF", crlf: "CRLF", mixed: "mixed line endings" };

export function bodyFacts({ bytes, lineEnds, broken, bom }: BodyText, hash: string): string {
  const end = bytes.at(-1) === 10 ? "ends with a newline" : "no trailing newline";
  const facts = [
    count(bytes.length, "byte"),
    broken ? "not UTF-8" : "UTF-8",
    LINE_ENDS[lineEnds],
    lineEnds === "none" ? "" : end,
    bom ? "BOM" : "no BOM",
    `sha256 ${shortHash(hash)}`,
  ];
  return facts.filter(Boolean).join(" · ");
}

function PayloadChip({ state }: { state: State }) {
  const draft = state.draft();
  if (!draft?.body) return null;
  if (!state.draftFresh()) return <Chip>Checking…</Chip>;
  const errors = draft.problems.filter(({ level }) => level === "error").length;
  const warnings = draft.problems.length - errors;
  if (errors) return <Chip tone="bad">{count(errors, "problem")}</Chip>;
  if (warnings) return <Chip tone="warn">{count(warnings, "warning")}</Chip>;
  if (draft.body.kind === "json") return <Chip tone="ok">Valid JSON</Chip>;
  return <Chip>{draft.form ? `Form, ${count(draft.form.length, "parameter")}` : "Plain text"}</Chip>;
}

export function createPayload(view: View, lazy: Lazy) {
  const { state, id } = view;
  const editor = createEditor(view, "Payload");
  const changes = createChanges(view);
  /** Shows an indented copy; the raw text is edited, signed and sent. */
  const pretty = signal(false);
  let hashed: { of: BodyText; hash: string } | null = null;
  const goTo = (line: number, column: number) => {
    if (!pretty()) return editor.goTo(line, column);
    pretty.set(false);
    setTimeout(() => editor.goTo(line, column)); // after it is rendered
  };

  return () => {
    const body = state.body();
    if (hashed?.of !== body) hashed = { of: body, hash: sha256Hex(body.bytes) };
    const locked = state.locked("body");
    const parameters = state.draft()?.form;
    return (
      <Section
        id={id("payload")}
        title="Payload"
        aside={
          <>
            <PayloadChip state={state} />
            {state.draft()?.edited && <Chip>Edited</Chip>}
            {locked && <Lock />}
            <ViewSwitch label="View" pretty={pretty} />
          </>
        }
        actions={changes.buttons()}
      >
        {changes.randomizing() && lazy("randomize")}
        {parameters && lazy("form", null)}
        <div class={`hw-text ${parameters ? "hw-low" : ""}`}>
          {pretty() && lazy("pretty")}
          {editor.draw(id("facts"), pretty())}
          {lazy("problems", null, { rejection: changes.rejection(), goTo })}
        </div>
        <p class="hw-facts" id={id("facts")} title={`sha256 ${hashed.hash}`}>
          {bodyFacts(body, hashed.hash)}
        </p>
        {lazy("oddBytes", null)}
      </Section>
    );
  };
}

/** Buttons that change the payload in the kernel, or copy it. */
function createChanges(view: View) {
  const { state, rewrites } = view;
  const rejection = signal("");
  const unfolded = signal(false);
  const copy = createCopy(view, "payload", () =>
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(state.body().bytes),
  );
  const rewrite = async (what: string) => {
    rejection.set("");
    try {
      await rewrites.run(what, what.toLowerCase(), {}, nothing);
    } catch (error) {
      rejection.set((error as Error).message);
      state.say(rejection());
    }
  };
  const rewriter = (what: string, title: string) => (
    <Button onClick={() => rewrite(what)} title={title}>
      {what}
    </Button>
  );
  const variable = () => !state.locked("body") && (state.provider()?.params.length ?? 0) > 0;
  const buttons = () => {
    const locked = state.locked("body");
    const invalid = state.body().broken > 0;
    return (
      <>
        {!locked && (
          <Button disabled={!rewrites.last()} label={`Undo ${rewrites.last()}`} onClick={rewrites.undo}>
            Undo
          </Button>
        )}
        {!locked &&
          state.draft()?.body?.kind === "json" && [rewriter("Format", CHANGES), rewriter("Minify", CHANGES)]}
        {variable() && (
          <Button expanded={unfolded()} onClick={() => unfolded.set(!unfolded())}>
            Randomize…
          </Button>
        )}
        {!locked && rewriter("Reset", "Reset to the sample of this event")}
        {copy({
          disabled: invalid,
          title: invalid ? "Invalid UTF-8 cannot be copied exactly" : "",
        })}
      </>
    );
  };
  return { rejection, randomizing: () => variable() && unfolded(), buttons };
}
