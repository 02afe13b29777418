/** Text field of one line; `described` refers to its error message. */
import { h } from "preact";
import type { Pace } from "../../plot/state.js";

export interface EntryProps {
  id: string;
  /** Accessible name, if there is no visible label. */
  label?: string;
  value: string;
  placeholder: string | undefined;
  fixed: boolean;
  wrong: boolean;
  /** Ids of the elements that describe the field. */
  described: string;
  help?: string | undefined;
  list?: string | undefined;
  onText(text: string, pace: Pace): void;
  onSettle(): void;
}

export function Entry({ label, fixed, wrong, described, help, onText, onSettle, ...rest }: EntryProps) {
  return (
    <input
      {...rest}
      type="text"
      class="hw-input"
      aria-label={label}
      aria-invalid={wrong || undefined}
      aria-describedby={described || undefined}
      title={help}
      spellcheck={false}
      autocomplete="off"
      readOnly={fixed}
      onInput={(event) => onText(event.currentTarget.value, "type")}
      onChange={onSettle}
    />
  );
}
