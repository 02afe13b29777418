/** Editor of the body: a text area, replaced by CodeMirror when it is loaded. */
import { h } from "preact";
import { editBody, offsetOf } from "../../../core/bytes.js";
import { effect, signal } from "../../../core/signals.js";
import { Hint } from "../../../ui/controls.js";
import { TYPING_MS } from "../../inputs.js";
import type { View } from "../view.js";

export interface Mark {
  from: number;
  message: string;
  level: "error" | "warning";
}

export interface CodeOptions {
  /** Gets its own shadow root, so that no styles leak in or out. */
  parent: HTMLElement;
  text: string;
  /** Name of the document; each has its own undo history. */
  document: string;
  label: string;
  onEdit(text: string): void;
}

export interface CodeEditor {
  /** Shows a text that was not typed; keeps cursor and undo history of `document`. */
  setText(text: string, document: string): void;
  setReadOnly(is: boolean): void;
  /** Highlights JSON; any other kind is plain text. */
  setLanguage(kind: string): void;
  setMarks(marks: Mark[]): void;
  goTo(offset: number): void;
  focus(): void;
  select(from: number, to: number): void;
  destroy(): void;
}

/** The lazy part with the editor of code. */
interface EditorModule {
  createEditor(options: CodeOptions): CodeEditor;
}

export function createEditor({ state, id }: View, label: string) {
  const code = signal<CodeEditor | null>(null);
  const failure = signal("");
  let area: HTMLTextAreaElement | null = null;
  let place: HTMLElement | null = null;
  let stops: (() => void)[] = [];

  /** Event of the shown text. A new event arrives before its body. */
  let shownEvent = "";
  let shownText = "";
  const documentOf = (text: string) => {
    const now = `${state.inputs.provider()} ${state.inputs.event()}`;
    if (state.draftFresh() || text !== shownText) shownEvent = now;
    shownText = text;
    return shownEvent;
  };
  const onEdit = (text: string) => {
    state.edit({ body: editBody(state.body(), text) }, TYPING_MS);
    shownText = state.body().text;
    // Show the text of the bytes, which may differ from the typed text (half a surrogate pair).
    code()?.setText(state.body().text, shownEvent);
  };

  /** Replaces the text area by CodeMirror; keeps cursor and focus. */
  const upgrade = async () => {
    const mounted = area;
    const { createEditor: create } = await state.chunks.load<EditorModule>("editor");
    if (!area || !place || area !== mounted) return;
    const focused = (area.getRootNode() as Document | ShadowRoot).activeElement === area;
    const { selectionStart, selectionEnd } = area;
    const { text } = state.body();
    const editor = create({ parent: place, text, document: documentOf(text), label, onEdit });
    editor.select(selectionStart, selectionEnd);
    code.set(editor);
    if (focused) setTimeout(() => editor.focus());
  };

  const showText = () => {
    const { text } = state.body();
    const editor = code();
    // Only the visible element: setting the text of a hidden text area of 1 MB takes 0.2 s.
    const event = documentOf(text);
    if (editor) return editor.setText(text, event);
    if (!area || area.value === text) return;
    const { selectionStart, selectionEnd } = area;
    area.value = text;
    area.setSelectionRange(selectionStart, selectionEnd);
  };
  const showMarks = () => {
    const { text } = state.body();
    const draft = state.draft();
    const problems = (state.draftFresh() && draft?.problems) || [];
    code()?.setLanguage(draft?.body?.kind ?? "json");
    code()?.setReadOnly(state.locked("body"));
    code()?.setMarks(
      problems.map(({ line, column, ...rest }) => ({ from: offsetOf(text, line, column), ...rest })),
    );
  };

  const mountArea = (element: HTMLTextAreaElement | null) => {
    area = element;
    for (const stop of stops) stop();
    stops = [];
    if (!element) {
      code()?.destroy();
      code.set(null);
      return;
    }
    stops = [effect(showText), effect(showMarks)];
    if (state.host.connected) upgrade().catch((error: Error) => failure.set(error.message));
  };
  const mountPlace = (element: HTMLElement | null) => {
    place = element;
  };

  return {
    goTo(line: number, column: number) {
      const offset = offsetOf(state.body().text, line, column);
      code()?.goTo(offset);
      if (code()) return;
      area?.focus();
      area?.setSelectionRange(offset, offset + 1);
    },
    /** Hidden rather than removed, to keep its undo history. */
    draw: (describedBy: string, hidden: boolean) => (
      <div key="editor" class="hw-editor" hidden={hidden}>
        {/* JupyterLab's own check for text fields does not see into a shadow root. */}
        <div ref={mountPlace} hidden={!code()} class="hw-code" data-lm-suppress-shortcuts="true" />
        <textarea
          ref={mountArea}
          id={id("body")}
          class="hw-mono"
          aria-label={label}
          aria-describedby={describedBy}
          spellcheck={false}
          autocomplete="off"
          hidden={code() !== null}
          readOnly={state.locked("body")}
          onInput={(event) => onEdit(event.currentTarget.value)}
        />
        {failure() && (
          <Hint>The code editor could not be loaded; edit in this field instead. {failure()}</Hint>
        )}
      </div>
    ),
  };
}
