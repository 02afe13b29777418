/** The text of the body: a text area at once, CodeMirror in its place when it has come. */
import { effect, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { editBody, offsetOf } from "../bytes.js";
import type { Editor as CodeEditor } from "../editor.js";
import { TYPING_MS } from "../model.js";
import { useView } from "./context.js";

export interface EditorHandle {
  goTo(line: number, column: number): void;
}

type Props = {
  label: string;
  describedBy: string;
  handle: { current: EditorHandle | null };
};

export function Editor({ label, describedBy, handle }: Props) {
  const { state } = useView();
  const area = useRef<HTMLTextAreaElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const code = useRef<CodeEditor | null>(null);
  const ready = useSignal(false);
  const failure = useSignal("");
  const locked = state.locked("body");

  const onEdit = (text: string) => {
    const bytes = editBody(state.body.peek(), text);
    state.edit({ body: bytes }, TYPING_MS);
    // What is shown is what the bytes say, also when they cannot say what was typed (half a character).
    code.current?.setText(state.body.peek().text);
  };

  // The text area follows the body, also when it changed in another view or in the kernel.
  useEffect(
    () =>
      effect(() => {
        const { text } = state.body.value;
        code.current?.setText(text);
        if (!area.current || area.current.value === text) return;
        const { selectionStart, selectionEnd } = area.current;
        area.current.value = text;
        area.current.setSelectionRange(selectionStart, selectionEnd);
      }),
    [],
  );

  useEffect(() => {
    let closed = false;
    const open = async () => {
      const { createEditor } = await state.chunks.load("editor");
      if (closed || !area.current || !place.current) return;
      const root = area.current.getRootNode() as Document | ShadowRoot;
      const focused = root.activeElement === area.current;
      const { selectionStart, selectionEnd } = area.current;
      code.current = createEditor({
        parent: place.current,
        text: state.body.peek().text,
        label,
        readOnly: locked,
        language: state.draft.peek()?.body?.kind === "form" ? "text" : "json",
        onEdit,
      });
      code.current.select(selectionStart, selectionEnd);
      ready.value = true;
      if (focused) queueMicrotask(() => code.current?.focus());
    };
    if (state.host.connected) {
      open().catch((error: Error) => {
        failure.value = error.message;
      });
    }
    return () => {
      closed = true;
      code.current?.destroy();
    };
  }, []);

  useEffect(() => code.current?.setReadOnly(locked), [locked, ready.value]);

  useEffect(
    () =>
      effect(() => {
        const kind = state.draft.value?.body?.kind;
        if (ready.value && kind) code.current?.setLanguage(kind === "json" ? "json" : "text");
      }),
    [],
  );
  useEffect(
    () =>
      effect(() => {
        const { text } = state.body.value;
        const problems = state.draftFresh.value ? (state.draft.value?.problems ?? []) : [];
        if (!ready.value) return;
        const marks = problems.map(({ line, column, ...rest }) => ({
          from: offsetOf(text, line, column),
          ...rest,
        }));
        code.current?.setMarks(marks);
      }),
    [],
  );

  handle.current = {
    goTo(line, column) {
      const offset = offsetOf(state.body.peek().text, line, column);
      if (code.current) code.current.goTo(offset);
      else {
        area.current?.focus();
        area.current?.setSelectionRange(offset, offset + 1);
      }
    },
  };

  return (
    <div class="hw-editor">
      <textarea
        ref={area}
        class="hw-mono"
        aria-label={label}
        aria-describedby={describedBy}
        spellcheck={false}
        autocomplete="off"
        hidden={ready.value}
        readOnly={locked}
        defaultValue={state.body.peek().text}
        onInput={(event) => onEdit(event.currentTarget.value)}
      />
      {/* The attribute keeps JupyterLab's shortcuts away: its own check does not see into a shadow root. */}
      <div ref={place} hidden={!ready.value} class="hw-code" data-lm-suppress-shortcuts="true" />
      {failure.value && (
        <p class="hw-hint">
          The code editor could not be loaded, this field does the same work. {failure.value}
        </p>
      )}
    </div>
  );
}
