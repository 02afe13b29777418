/** Basic components of every panel. */
import { type ComponentChildren, h } from "preact";
import { copyText } from "../core/copy.js";
import { type Signal, signal } from "../core/signals.js";

export { HeaderTable, Lines, Pre } from "./output.js";

export type Tone = "ok" | "warn" | "bad" | "plain";

/** Status label: the text alone carries the meaning, the colour repeats it. */
export function Chip({ tone = "plain", children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`hw-chip hw-${tone}`}>{children}</span>;
}

export function Hint({ id, children }: { id?: string; children: ComponentChildren }) {
  return (
    <p class="hw-hint" id={id}>
      {children}
    </p>
  );
}

type ButtonProps = {
  onClick: () => void;
  children: ComponentChildren;
  look?: "primary" | "quiet" | "";
  disabled?: boolean;
  label?: string;
  title?: string;
  /** For a button that shows and hides an element: its state, and the id of that element. */
  expanded?: boolean;
  controls?: string;
};

/** `disabled` keeps the button focusable, so that keyboard users keep their place while outputs are stale. */
export function Button({
  onClick,
  children,
  look = "",
  disabled = false,
  label = "",
  title = "",
  expanded,
  controls,
}: ButtonProps) {
  return (
    <button
      type="button"
      class={`hw-btn ${look && `hw-${look}`}`}
      aria-disabled={disabled || undefined}
      aria-label={label || undefined}
      aria-expanded={expanded}
      aria-controls={expanded ? controls : undefined}
      title={title || undefined}
      onClick={() => disabled || onClick()}
    >
      {children}
    </button>
  );
}

/** Link between the two ends of the page in the one-column layout. */
export function Jump({ root, to, children }: { root: HTMLElement; to: string; children: string }) {
  return (
    <span class="hw-jump">
      <Button
        look="quiet"
        onClick={() => {
          const target = root.querySelector<HTMLElement>(to);
          if (!target) return;
          // Only while it has the focus: the tab key would skip all of a grid item that always has it.
          target.tabIndex = -1;
          target.addEventListener("blur", () => target.removeAttribute("tabindex"), { once: true });
          target.focus({ preventScroll: true });
          target.scrollIntoView();
        }}
      >
        {children}
      </Button>
    </span>
  );
}

export type Copying = { state: { say(text: string): void }; root: HTMLElement };
type CopyProps = { disabled?: boolean; title?: string };

/** Creates a button that copies the current `content()`; `what` names it in the label and the announcement. */
export function createCopy({ state, root }: Copying, what: string, content: () => string) {
  const done = signal("");
  const copy = async () => {
    const copied = await copyText(content(), root);
    done.set(copied ? "Copied" : "Copy failed");
    state.say(copied ? `Copied: ${what}` : `The browser blocked copying ${what}; select the text instead`);
    setTimeout(() => done.set(""), 1600);
  };
  return (props: CopyProps = {}) => (
    <Button onClick={copy} label={`Copy ${what}`} {...props}>
      {done() || "Copy"}
    </Button>
  );
}

/** Lock icon beside a field that the author of the notebook has locked. */
export function Lock() {
  return (
    <span class="hw-lock" title="Locked by the notebook's author">
      <svg viewBox="0 0 16 16" width="11" height="11" aria-hidden="true">
        <path fill="currentColor" d="M4 7V5a4 4 0 1 1 8 0v2h1v8H3V7zm2 0h4V5a2 2 0 1 0-4 0z" />
      </svg>
      <span class="hw-lock-word">locked</span>
    </span>
  );
}

export function Cross() {
  return (
    <svg viewBox="0 0 12 12" width="10" height="10" aria-hidden="true">
      <path stroke="currentColor" stroke-width="1.6" d="m1 1 10 10m0-10L1 11" />
    </svg>
  );
}

type FieldProps = {
  id: string;
  label: string;
  locked?: boolean;
  grow?: boolean;
  hint?: ComponentChildren;
};

/** Form control with a label, a lock icon if it is locked, and a hint. */
export function Field({
  id,
  label,
  locked,
  grow,
  hint,
  children,
}: FieldProps & { children: ComponentChildren }) {
  return (
    <div class={`hw-field ${grow ? "hw-grow" : ""}`}>
      <label for={id}>
        {label}
        {locked && <Lock />}
      </label>
      {children}
      {hint && <Hint id={`${id}-hint`}>{hint}</Hint>}
    </div>
  );
}

export type TextProps = FieldProps & {
  value: string | number;
  onText: (text: string) => void;
  type?: "text" | "url" | "number" | "datetime-local";
  placeholder?: string;
  /** Lines; with more than one, the field is a text area. */
  rows?: number;
  readOnly?: boolean;
  /** The hint describes an error; it may also be elsewhere. */
  invalid?: boolean;
  onEnter?: () => void;
  /** Returns true if it handles the pasted text, which then is not inserted. */
  onPaste?: (text: string) => boolean;
};

/** Text input or text area. A time is reported when it is complete, any other text on each key. */
export function TextField({
  value,
  onText,
  type = "text",
  placeholder,
  rows = 1,
  readOnly = false,
  invalid = false,
  onEnter,
  onPaste,
  ...field
}: TextProps) {
  const Tag = rows > 1 ? "textarea" : "input";
  const onChange = (event: { currentTarget: { value: string } }) => onText(event.currentTarget.value);
  const control = {
    id: field.id,
    class: "hw-input hw-mono",
    "aria-describedby": field.hint || invalid ? `${field.id}-hint` : undefined,
    "aria-invalid": invalid || undefined,
    spellcheck: false,
    autocomplete: "off",
    readOnly: field.locked || readOnly,
    placeholder,
    value,
    onKeyDown: (event: KeyboardEvent) => event.key === "Enter" && !event.isComposing && onEnter?.(),
    onPaste: (event: ClipboardEvent) =>
      onPaste?.(event.clipboardData?.getData("text/plain") ?? "") && event.preventDefault(),
    ...(rows > 1 ? { rows } : { type, step: type === "text" ? undefined : "any" }),
    ...(type === "datetime-local" ? { onChange: onChange, step: 1 } : { onInput: onChange }),
  };
  return <Field {...field}>{h(Tag as "input", control as object)}</Field>;
}

type SelectProps<T extends string> = {
  id?: string | undefined;
  value: T;
  options: readonly (readonly [value: T, text: string])[];
  onPick: (value: T) => void;
};
type SelectAttributes = {
  class?: string;
  title?: string | undefined;
  disabled?: boolean | undefined;
  "aria-label"?: string;
  "aria-invalid"?: true | undefined;
  "aria-describedby"?: string | undefined;
};

/** Drop-down list. */
export function Select<T extends string>({
  options,
  onPick,
  ...attributes
}: SelectProps<T> & SelectAttributes) {
  return (
    <select class="hw-input" onChange={(event) => onPick(event.currentTarget.value as T)} {...attributes}>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}

export function SelectField<T extends string>({
  value,
  options,
  onPick,
  ...field
}: FieldProps & SelectProps<T>) {
  return (
    <Field {...field}>
      <Select id={field.id} value={value} disabled={field.locked} options={options} onPick={onPick} />
    </Field>
  );
}

type SectionProps = {
  id: string;
  title: string;
  /** Chips beside the title, and buttons at the right. */
  aside?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
};

export function Section({ id, title, aside, actions, children }: SectionProps) {
  return (
    <section class="hw-section" aria-labelledby={id}>
      <div class="hw-head">
        <h3 id={id}>{title}</h3>
        {aside}
        <div class="hw-right">{actions}</div>
      </div>
      {children}
    </section>
  );
}

/** Switches between the indented and the raw view of a body. */
export function ViewSwitch({ label, pretty }: { label: string; pretty: Signal<boolean> }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: two buttons, no form fields
    <span class="hw-tabs hw-small" role="group" aria-label={label}>
      {["Pretty", "Raw"].map((name) => (
        <button
          type="button"
          aria-pressed={pretty() === (name === "Pretty")}
          onClick={() => pretty.set(name === "Pretty")}
        >
          {name}
        </button>
      ))}
    </span>
  );
}

type TabsProps<T extends string> = {
  label: string;
  tabs: [id: T, title: ComponentChildren][];
  current: T;
  onPick: (id: T) => void;
  /** The id of a tab's panel is `${panels}-${tab}`. */
  panels: string;
  small?: boolean;
};

/** ARIA tabs: one tab stop; arrow keys move and select. */
export function Tabs<T extends string>({ label, tabs, current, onPick, panels, small }: TabsProps<T>) {
  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex(([id]) => id === current);
    const last = tabs.length - 1;
    const { key } = event;
    const to = { ArrowRight: at < last ? at + 1 : 0, ArrowLeft: at ? at - 1 : last, Home: 0, End: last }[key];
    if (to === undefined) return;
    event.preventDefault();
    onPick((tabs[to] as [T, unknown])[0]);
    ((event.currentTarget as HTMLElement).children[to] as HTMLElement).focus();
  };
  return (
    <div class={`hw-tabs ${small ? "hw-small" : ""}`} role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(([id, title]) => (
        <button
          key={id}
          type="button"
          role="tab"
          id={`${panels}-${id}-tab`}
          aria-selected={id === current}
          aria-controls={`${panels}-${id}`}
          tabIndex={id === current ? 0 : -1}
          onClick={() => onPick(id)}
        >
          {title}
        </button>
      ))}
    </div>
  );
}

type PanelProps = {
  panels: string;
  id: string;
  current: string;
  /** Capture-phase key handler. */
  onKeyDown?: (event: KeyboardEvent) => void;
  /** True for a panel of fixed height that the keyboard can scroll. */
  scrolls?: boolean;
  children: ComponentChildren;
};

export function TabPanel({ panels, id, current, onKeyDown, scrolls, children }: PanelProps) {
  return (
    <div
      id={`${panels}-${id}`}
      role="tabpanel"
      aria-labelledby={`${panels}-${id}-tab`}
      onKeyDownCapture={onKeyDown}
      class={scrolls ? "hw-scroll hw-part" : undefined}
      tabIndex={scrolls ? 0 : undefined}
      hidden={id !== current}
    >
      {children}
    </div>
  );
}

/** Shortens a hash: 9f3c…e1 */
export function shortHash(hex: string): string {
  return `${hex.slice(0, 4)}…${hex.slice(-2)}`;
}

/** Formats the local time of day, to the second. */
export function clockTime(iso: string): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : at.toTimeString().slice(0, 8);
}

/** Formats a duration: 34 ms, 1.2 s, 31 s. */
export function duration(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
}
