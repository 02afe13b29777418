/** Small parts that every panel uses. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useRef } from "preact/hooks";
import { copyText } from "../copy.js";
import { useUid, useView } from "./context.js";

export type Tone = "ok" | "warn" | "bad" | "plain";

/** A status: always words, the colour only repeats them. */
export function Chip({ tone = "plain", children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`hw-chip hw-${tone}`}>{children}</span>;
}

type ButtonProps = {
  onClick: () => void;
  children: ComponentChildren;
  look?: "plain" | "primary" | "quiet";
  disabled?: boolean;
  label?: string;
  title?: string;
};

/** `disabled` keeps the button focusable, so that the keyboard does not lose its place while something is stale. */
export function Button({ onClick, children, look = "plain", disabled = false, label, title }: ButtonProps) {
  return (
    <button
      type="button"
      class={`hw-btn hw-btn-${look}`}
      aria-disabled={disabled ? "true" : undefined}
      aria-label={label}
      title={title}
      onClick={() => {
        if (!disabled) onClick();
      }}
    >
      {children}
    </button>
  );
}

/** Copies what `content` gives at that moment. `what` is for the button's name and the announcement. */
export function CopyButton(props: {
  what: string;
  content: () => string;
  disabled?: boolean;
  title?: string;
}) {
  const { what, content, disabled = false, title } = props;
  const { state, root } = useView();
  const done = useSignal<"" | "Copied" | "Not copied">("");
  const copy = async () => {
    const copied = await copyText(content(), root);
    done.value = copied ? "Copied" : "Not copied";
    state.spoken.value = copied
      ? `Copied: ${what}`
      : `The browser did not allow copying ${what}: select the text instead`;
    setTimeout(() => {
      done.value = "";
    }, 1600);
  };
  return (
    <Button onClick={copy} disabled={disabled} label={`Copy ${what}`} {...(title ? { title } : {})}>
      {done.value || "Copy"}
    </Button>
  );
}

/** A note beside a field that the author of the notebook has fixed. */
export function Lock() {
  return (
    <span class="hw-lock" title="Fixed by the author of this notebook">
      <svg viewBox="0 0 16 16" width="11" height="11" aria-hidden="true">
        <path fill="currentColor" d="M4 7V5a4 4 0 1 1 8 0v2h1v8H3V7h1Zm2 0h4V5a2 2 0 1 0-4 0v2Z" />
      </svg>
      locked
    </span>
  );
}

type FieldProps = {
  label: string;
  locked?: boolean;
  class?: string;
  hint?: ComponentChildren;
  children: (ids: { id: string; "aria-describedby"?: string }) => JSX.Element;
};

/** A control with its real label, a lock note when it is fixed, and a hint that belongs to it. */
export function Field({ label, locked = false, class: extra = "", hint, children }: FieldProps) {
  const id = useUid();
  return (
    <div class={`hw-field ${extra}`}>
      <label for={id}>
        {label}
        {locked && <Lock />}
      </label>
      {children(hint ? { id, "aria-describedby": `${id}-hint` } : { id })}
      {hint && (
        <p class="hw-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

export interface Tab<T extends string> {
  id: T;
  title: ComponentChildren;
}

type TabsProps<T extends string> = {
  label: string;
  tabs: Tab<T>[];
  current: T;
  onPick: (id: T) => void;
  /** The id of the panel of a tab is `${panels}-${tab}`. */
  panels: string;
  small?: boolean;
};

/** The ARIA tabs pattern: one tab stop, arrow keys move and choose. */
export function Tabs<T extends string>({
  label,
  tabs,
  current,
  onPick,
  panels,
  small = false,
}: TabsProps<T>) {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ id }) => id === current);
    const last = tabs.length - 1;
    const to = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowLeft: at === 0 ? last : at - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onPick((tabs[to] as Tab<T>).id);
    (list.current?.children[to] as HTMLElement | undefined)?.focus();
  };
  return (
    <div class={small ? "hw-tabs hw-tabs-small" : "hw-tabs"} role="tablist" aria-label={label} ref={list}>
      {tabs.map(({ id, title }) => (
        <button
          key={id}
          type="button"
          role="tab"
          id={`${panels}-${id}-tab`}
          aria-selected={id === current}
          aria-controls={`${panels}-${id}`}
          tabIndex={id === current ? 0 : -1}
          onClick={() => onPick(id)}
          onKeyDown={move}
        >
          {title}
        </button>
      ))}
    </div>
  );
}

export function shortHash(hex: string): string {
  return hex ? `${hex.slice(0, 4)}…${hex.slice(-2)}` : "";
}

/** A day and time as the reader's own clock writes it, to the second. */
export function clockTime(iso: string): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : at.toLocaleTimeString([], { hour12: false });
}

/** 34 ms, 1.2 s, 31 s. */
export function duration(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
}
