/** Lazy chunk: CodeMirror 6 for the payload. Tab is not captured: it moves the focus, as in a text area. */
import { defaultKeymap, history, historyField, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import { Annotation, Compartment, EditorState, Transaction } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { CodeEditor, CodeOptions, Mark } from "../generator/view/payload/Editor.js";

/** Marks a change that was not typed here. */
const programmatic = Annotation.define<boolean>();

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--hw-code-name)" },
  { tag: tags.string, color: "var(--hw-code-text)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--hw-code-number)" },
  { tag: tags.invalid, textDecoration: "underline wavy var(--hw-bad)" },
]);

const theme = EditorView.theme({
  // A height of whole lines, so that none is cut off.
  "&": { height: "100%", maxHeight: "calc(round(down, 100% - 8px, 18px) + 7px)", overflow: "hidden" },
  "&.cm-editor": { color: "var(--hw-fg)", backgroundColor: "var(--hw-field)", fontSize: "12px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--hw-mono)", lineHeight: "18px" },
  ".cm-content": { caretColor: "var(--hw-fg)", padding: "8px 0" },
  ".cm-line": { padding: "0 10px 0 6px" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--hw-fg)" },
  ".cm-gutters": { color: "var(--hw-dim)", backgroundColor: "transparent", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 4px 0 10px" },
  ".cm-activeLine": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": { backgroundColor: "var(--hw-active)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--hw-select)",
  },
  ".cm-matchingBracket": { backgroundColor: "transparent" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "transparent", outline: "1px solid var(--hw-dim)" },
  ".cm-specialChar": { color: "var(--hw-bad)" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--hw-bad)" },
  ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline wavy var(--hw-warn)" },
  ".cm-lintPoint-error:after": { borderBottomColor: "var(--hw-bad)" },
  ".cm-lintPoint-warning:after": { borderBottomColor: "var(--hw-warn)" },
  ".cm-tooltip": {
    color: "var(--hw-fg)",
    backgroundColor: "var(--hw-bg)",
    border: "1px solid var(--hw-line)",
  },
  ".cm-diagnostic": {
    padding: "4px 8px",
    borderLeft: "3px solid var(--hw-bad)",
    fontFamily: "var(--hw-sans)",
  },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--hw-warn)" },
});

/** Returns the smallest replacement that turns one text into another, so that a cursor outside of it stays. */
function replacement(before: string, after: string): { from: number; to: number; insert: string } {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before.charCodeAt(from) === after.charCodeAt(from)) from += 1;
  let tail = 0;
  const rest = shorter - from;
  while (
    tail < rest &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  ) {
    tail += 1;
  }
  return { from, to: before.length - tail, insert: after.slice(from, after.length - tail) };
}

/** Maximum number of documents whose history is kept. */
const KEPT = 20;

export function createEditor({ parent, text, document, label, onEdit }: CodeOptions): CodeEditor {
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: "open" });
  const editable = new Compartment();
  const grammar = new Compartment();
  const locked = (is: boolean) => [EditorState.readOnly.of(is), EditorView.editable.of(!is)];

  const undoable = new Compartment();
  /** Histories of the hidden documents, each with its text. */
  const histories = new Map<string, { text: string; state: unknown }>();
  let shownDocument = document;
  let shownKind = "";
  let marked = false;

  /** Stores the history of the shown document and restores that of another. */
  const exchange = (next: string, nextText: string) => {
    const before = view.state.doc.toString();
    const state = view.state.field(historyField, false);
    histories.delete(shownDocument);
    histories.set(shownDocument, { text: before, state });
    if (histories.size > KEPT) histories.delete(histories.keys().next().value ?? "");
    shownDocument = next;
    const past = histories.get(next);
    const replaced = view.state.update({
      changes: replacement(before, nextText),
      effects: undoable.reconfigure([]),
      annotations: programmatic.of(true),
    });
    // If the text changed meanwhile, the history is dropped: its positions refer to another text.
    const restored = past?.text === nextText && past.state ? historyField.init(() => past.state) : [];
    // Together: each update of the view has the browser lay out the page.
    view.update([replaced, replaced.state.update({ effects: undoable.reconfigure([history(), restored]) })]);
  };

  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        highlightSpecialChars(),
        undoable.of(history()),
        drawSelection(),
        highlightActiveLine(),
        bracketMatching(),
        indentUnit.of("  "),
        EditorView.lineWrapping,
        syntaxHighlighting(colours),
        theme,
        keymap.of([...defaultKeymap, ...historyKeymap]),
        editable.of(locked(false)),
        grammar.of([]),
        // Always LF, whatever the platform; bytes.ts restores the line ends of the body.
        EditorState.lineSeparator.of("\n"),
        EditorView.contentAttributes.of({ "aria-label": label, "aria-multiline": "true", tabindex: "0" }),
        EditorView.updateListener.of((update) => {
          const typed = update.transactions.some(
            (change) => change.docChanged && !change.annotation(programmatic),
          );
          if (typed) onEdit(update.state.doc.toString());
        }),
      ],
    }),
  });

  return {
    setText(next: string, document: string) {
      if (document !== shownDocument) return exchange(document, next);
      const before = view.state.doc.toString();
      if (before === next) return;
      view.dispatch({
        changes: replacement(before, next),
        annotations: [programmatic.of(true), Transaction.addToHistory.of(true)],
      });
    },
    setReadOnly(is: boolean) {
      if (is !== view.state.readOnly) view.dispatch({ effects: editable.reconfigure(locked(is)) });
    },
    setLanguage(kind: string) {
      if (kind === shownKind) return;
      shownKind = kind;
      view.dispatch({ effects: grammar.reconfigure(kind === "json" ? json() : []) });
    },
    setMarks(marks: Mark[]) {
      if (!marked && marks.length === 0) return;
      marked = marks.length > 0;
      const end = view.state.doc.length;
      const diagnostics: Diagnostic[] = marks
        .map(({ from, message, level }) => {
          const start = Math.min(from, end);
          return { from: start, to: Math.min(start + 1, end), message, severity: level };
        })
        .sort((a, b) => a.from - b.from);
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    goTo(offset: number) {
      const at = Math.min(offset, view.state.doc.length);
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
      view.focus();
    },
    focus: () => view.focus(),
    select: (from: number, to: number) => view.dispatch({ selection: { anchor: from, head: to } }),
    destroy: () => view.destroy(),
  };
}
