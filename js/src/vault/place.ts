/** Puts a secret's field into a view: a frame of its own, or the bare field where frames do not run. */
import type { Chunks } from "../core/chunks.js";
import { lookOf } from "../ui/theme.js";
import { channel, greet, open, type Port } from "./captured.js";
import { createFrame, type Vault } from "./client.js";
import type { FieldOptions, FieldToPage, PageToField } from "./protocol.js";

/** Tokens whose values come from the host; all others are mixed from them. */
const TOKENS = ["--hw-bg", "--hw-fg", "--hw-sans", "--hw-mono"];

export interface Placing {
  vault: Vault;
  chunks: Chunks;
  /** Root of the view. */
  root: HTMLElement;
  slot: string;
  say(text: string): void;
  id: string;
}

export interface PlacedField {
  show(options: FieldOptions): void;
  remove(): void;
}

export function placeField(place: HTMLElement, first: FieldOptions, placing: Placing): PlacedField {
  let options = first;
  let removed = false;
  let show = (_next: FieldOptions) => {};
  let remove = () => {};
  const start = async () => {
    const { mode, document } = await placing.vault.connect();
    if (removed) return;
    [show, remove] = await (mode === "frame"
      ? inFrame(place, document, placing, () => options)
      : inPage(place, placing, options));
    if (removed) remove();
    show(options);
  };
  start().catch(() => {}); // the vault says why
  return {
    show(next) {
      options = next;
      show(next);
    },
    remove() {
      removed = true;
      remove();
    },
  };
}

type Placed = [show: (options: FieldOptions) => void, remove: () => void];

async function inPage(
  place: HTMLElement,
  { vault, chunks, slot, say, id }: Placing,
  options: FieldOptions,
): Promise<Placed> {
  const { default: program } = await chunks.load("vault");
  const port = await vault.attach(slot, options.facts);
  const field = program.createField(place, port, { id, say });
  return [
    field.show,
    () => {
      port.close();
      place.replaceChildren();
    },
  ];
}

async function inFrame(
  place: HTMLElement,
  document: string,
  { vault, root, slot, say }: Placing,
  options: () => FieldOptions,
): Promise<Placed> {
  const frame = createFrame(document, "Protected field");
  frame.className = "hw-vault";
  let page: Port | null = null;
  const post = (message: PageToField) => page?.post(message);
  const show = (next: FieldOptions) => post({ op: "options", options: next });
  const dress = () => {
    const computed = getComputedStyle(root);
    const style = Object.fromEntries(TOKENS.map((name) => [name, computed.getPropertyValue(name)]));
    post({ op: "look", look: lookOf(root), style });
  };
  const hear = (data: unknown) => {
    const message = data as FieldToPage;
    if (message.op === "size") frame.style.height = `${message.height}px`;
    else if (message.op === "say") say(message.text);
    // What a click or a key in a field of the page itself does in the host.
    else if (message.op === "focus")
      frame.dispatchEvent(new FocusEvent("focusin", { bubbles: true, composed: true }));
    else if (message.op === "save") {
      const which = message.meta ? { metaKey: true } : { ctrlKey: true };
      const key = { key: "s", code: "KeyS", keyCode: 83, bubbles: true, composed: true, cancelable: true };
      frame.dispatchEvent(new KeyboardEvent("keydown", { ...key, ...which }));
    }
  };
  // A host may reload the frame, for example when a collapsed output is shown again.
  frame.addEventListener("load", async () => {
    const keeper = await vault.attach(slot, options().facts).catch(() => null); // the vault says why
    if (!keeper) return;
    const { near, far } = channel();
    page?.close();
    page = open(near, hear);
    greet(frame, { vault: 1, role: "field" }, far, keeper);
    dress();
    show(options());
  });
  const watch = new MutationObserver(dress);
  watch.observe(root, { attributes: true, attributeFilter: ["data-theme", "data-contrast"] });
  place.append(frame);
  return [
    show,
    () => {
      watch.disconnect();
      page?.close();
      frame.remove();
    },
  ];
}
