/** Small components that several lazy panels share. */
import type { ComponentChildren } from "preact";
import { Pre } from "../../ui/output.js";
import { count, Fragment, h, shortHash } from "../lazy-exports.js";
import { sentence } from "../replies.js";

/** Reason of a failure; nothing if the text is empty. */
export function Failure({ text }: { text: string }) {
  return text ? <p class="hw-alert hw-bad">{text}</p> : null;
}

/** List of remarks; nothing if there are none. */
export function Notes({ label, notes }: { label?: string; notes: readonly ComponentChildren[] }) {
  if (notes.length === 0) return null;
  return (
    <ul class="hw-notes" aria-label={label}>
      {notes.map((note) => (
        <li>{typeof note === "string" ? sentence(note) : note}</li>
      ))}
    </ul>
  );
}

/** Name of an event that breaks behind its dots and underscores, if it has to. */
export const breakable = (name: string) => name.split(/(?<=[._])/).map((part) => [part, <wbr />]);

type TickProps = {
  checked: boolean;
  disabled?: boolean;
  onClick: (event: MouseEvent & { currentTarget: HTMLInputElement }) => void;
  children: ComponentChildren;
};

/** Check box with its label. */
export function Tick({ children, ...box }: TickProps) {
  return (
    <label class="hw-run-tick">
      <input type="checkbox" class="hw-tick" {...box} />
      {children}
    </label>
  );
}

type TogglesProps<T extends string> = {
  label: string;
  buttons: readonly [id: T, text: string, pressed: boolean][];
  onPress: (id: T) => void;
};

/** Buttons that filter a list. */
export function Toggles<T extends string>({ label, buttons, onPress }: TogglesProps<T>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: not a group of form fields
    <span class="hw-row" role="group" aria-label={label}>
      {buttons.map(([id, text, pressed]) => (
        <button key={id} type="button" class="hw-btn" aria-pressed={pressed} onClick={() => onPress(id)}>
          {text}
        </button>
      ))}
    </span>
  );
}

type Signed = { length: number; sha256: string; shown: string };

/** Draws a text that is signed, with its size and hash. */
export const baseString = (
  { length, sha256, shown }: Signed,
  title: string,
  label: string,
  stale = false,
) => (
  <>
    <p class="hw-facts" title={`sha256 ${sha256}`}>
      {`${title} ${count(length, "byte")} · sha256 ${shortHash(sha256)}`}
    </p>
    <Pre label={label} stale={stale}>
      {shown}
    </Pre>
  </>
);
