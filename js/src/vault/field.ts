/**
 * Input field for a secret, with its buttons and its note.
 *
 * Nothing is signed while typing: with one signature per letter, a reader of the kernel's messages could find the
 * secret letter by letter. The text is used after Enter or blur, or at once if it was pasted, dropped, filled in or
 * generated.
 */

import { copyText } from "../core/copy.js";
import { decodeKey, KeyProblem, makeSecret } from "../crypto/primitives.js";
import { createConsent, createGuard, PRESS_AGAIN } from "./consent.js";
import { createMaker, type Maker } from "./elements.js";
import type { FieldOptions, FieldToKeeper, KeeperToField } from "./protocol.js";

/** Input types that insert a whole text at once, unlike typing, composition and dead keys. */
const WHOLE = /^insert(FromPaste|FromDrop|FromYank|ReplacementText)/;
const REPLACES = "This replaces the secret, which cannot be restored.";
const IGNORED_BY_MANAGERS = { "1p-ignore": "", lpignore: "true", bwignore: "true", "form-type": "other" };

export interface Surroundings {
  /** Announces a text to screen readers. */
  say(text: string): void;
  /** Called for the host's save shortcut. */
  save?(meta: boolean): void;
  /** Prefix of ids, unique in the document. */
  id: string;
}

export interface SecretField {
  show(options: FieldOptions): void;
}

/** Creates the password input with its label in a row, and its note. */
function createInput(make: Maker["make"], id: string) {
  const row = make("div", "hw-row");
  const box = make("div", "hw-field hw-grow");
  const label = make("label");
  const input = make("input", "hw-input hw-mono");
  const note = make("p", "hw-hint");
  label.htmlFor = input.id = `${id}-secret`;
  note.id = `${id}-note`;
  input.type = "password";
  input.autocomplete = "off";
  input.spellcheck = false;
  input.autocapitalize = "off";
  input.setAttribute("autocorrect", "off");
  input.setAttribute("aria-describedby", note.id);
  for (const [name, value] of Object.entries(IGNORED_BY_MANAGERS)) input.setAttribute(`data-${name}`, value);
  box.append(label, input);
  row.append(box);
  return { row, label, input, note };
}

/** Returns why a secret is malformed; empty if it is not. */
function problemOf(secret: string, options: FieldOptions | null): string {
  if (!options) return "The secret does not have the provider's format";
  try {
    decodeKey(secret, options.facts.key);
  } catch (error) {
    if (error instanceof KeyProblem) return error.message;
  }
  return "";
}

function sizeOf({ bytes }: KeeperToField): string {
  return `${bytes.toLocaleString("en-US")} ${bytes === 1 ? "byte" : "bytes"}`;
}

export function createField(
  root: HTMLElement,
  keeper: MessagePort,
  { say, save, id }: Surroundings,
): SecretField {
  const { ownerDocument: document } = root;
  const maker = createMaker(document);
  const { make, button } = maker;
  const { row, label, input, note } = createInput(make, id);

  let options: FieldOptions | null = null;
  let state: KeeperToField | null = null;
  let typing = false;
  /** True while Generate asks whether it may replace the secret. */
  let replacing = false;
  let sent = 0;
  const isHeld = () => state !== null && state.held.state !== "none";

  const post = (message: FieldToKeeper) => keeper.postMessage(message);
  const submit = () => {
    typing = false;
    sent += 1;
    post({ op: "set", text: input.value });
  };

  const visibility = button("Show", () => {
    input.type = input.type === "password" ? "text" : "password";
    draw();
  });
  /** Creates a button for what a page may lure a click to; `act` returns the text that is shown, and the one spoken. */
  const guarded = (text: string, area: Element, act: () => Promise<readonly [string, string]>) => {
    const element = button(text, async () => {
      const [shown, spoken] = guard.isMeant() ? await act() : ["Press again", PRESS_AGAIN];
      element.textContent = shown;
      say(spoken);
      setTimeout(() => {
        element.textContent = text;
      }, 1600);
    });
    const guard = createGuard(area, element);
    return element;
  };
  const copy = guarded("Copy", row, async () =>
    (await copyText(input.value, root))
      ? ["Copied", "Copied: secret"]
      : ["Copy failed", "Copy failed; select the text instead"],
  );
  copy.setAttribute("aria-label", "Copy secret");
  const fill = () => {
    if (!options?.example) return;
    replacing = false;
    input.value = makeSecret(options.example);
    submit();
    draw();
    say("New secret generated. Copy it into the receiver's configuration.");
  };
  const generate = button("Generate", () => {
    replacing = input.value !== "" || isHeld();
    if (!replacing) return fill();
    draw();
    keep.focus();
    say(REPLACES);
  });
  const replace = button("Replace it", fill);
  const keep = button("Keep it", () => {
    replacing = false;
    draw();
    generate.focus();
  });
  generate.title = "Generate a random test secret in the provider's format";
  const consent = createConsent(
    maker,
    id,
    (question, agreed) => post({ op: "consent", id: question.id, agreed }),
    say,
  );
  const resume = guarded("Resume", note, async () => {
    post({ op: "resume" });
    return ["Resume", "Resumed"];
  });

  const styled = (className: string, text: string) => make("span", className, text);
  const notes = (): (Node | string)[] => {
    if (replacing) return [styled("hw-warn", REPLACES), " ", replace, " ", keep];
    if (typing) return ["Press Enter to sign with this secret."];
    if (state?.paused) return [styled("hw-warn", "Paused: too many requests, or guesses. "), resume];
    if (state?.held.state === "malformed")
      return [
        styled("hw-bad", "Invalid secret."),
        ` ${problemOf(input.value, state.newest ? options : null)}.`,
      ];
    if (state?.held.state !== "usable")
      return ["No secret entered. It is never saved; enter it again after a reload."];
    const blanks = styled("hw-warn", " · starts or ends with whitespace, which is part of the key");
    return [[sizeOf(state), options?.note].filter(Boolean).join(", "), ...(state.blanks ? [blanks] : [])];
  };

  const draw = () => {
    // Clear this field: another field holds the newer secret.
    if (state && state.taken === sent && !state.newest && !typing) input.value = "";
    const filled = input.value !== "";
    if (!filled) input.type = "password";
    visibility.hidden = copy.hidden = !filled;
    visibility.textContent = input.type === "password" ? "Show" : "Hide";
    generate.hidden = !options?.example || options.locked;
    input.disabled = Boolean(options?.locked);
    input.placeholder = isHeld() ? "kept in this tab" : "";
    generate.disabled = replacing;
    note.replaceChildren(...notes());
  };

  const submitTyped = () => {
    if (typing) submit();
    draw();
  };
  input.addEventListener("input", (event) => {
    const { inputType, isComposing } = event as InputEvent;
    // A script or extension that fills in the field sends a plain event without a type.
    const whole = !isComposing && (!inputType || WHOLE.test(inputType));
    replacing = false;
    if (whole || input.value === "") submit();
    else typing = true;
    draw();
  });
  input.addEventListener("change", submitTyped);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.isComposing) submitTyped();
    if (event.key.toLowerCase() === "s" && (event.ctrlKey || event.metaKey) && save) {
      event.preventDefault();
      save(event.metaKey);
    }
  });
  keeper.onmessage = ({ data }: MessageEvent<KeeperToField>) => {
    state = data;
    if (!isHeld() && input.value === "") replacing = false; // there is nothing to replace any more
    consent.show(data.question);
    draw();
  };

  // A text that is dragged out of the field could be dropped on the page.
  input.addEventListener("dragstart", (event) => event.preventDefault());
  row.append(visibility, copy, generate);
  root.append(row, note, consent.element);
  draw();
  return {
    show(next) {
      options = next;
      label.textContent = next.title;
      draw();
    },
  };
}
