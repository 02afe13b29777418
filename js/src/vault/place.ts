/** Inserts a secret's field into a view: in a frame, or directly where frames do not run. */
import type { Chunks } from "../core/chunks.js";
import { lookOf } from "../core/theme.js";
import { captured, channel, open, type Port } from "./captured.js";
import type { Vault, VaultModule } from "./client.js";
import type { FieldOptions, FieldToPage, PageToField } from "./protocol.js";

export interface Placing {
  vault: Vault;
  chunks: Chunks;
  /** Root element of the view. */
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
    await placing.vault.connect();
    if (removed) return;
    [show, remove] =
      placing.vault.mode() === "page"
        ? await inPage(place, placing, options)
        : inFrame(place, placing, () => options);
    if (removed) remove();
    show(options);
  };
  start().catch(() => {}); // the vault reports the reason
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
  const { default: program } = await chunks.load<VaultModule>("vault");
  const port = vault.attach(slot, options.facts);
  const field = program.createField(place, port, { id, say });
  return [
    field.show,
    () => {
      port.close();
      place.replaceChildren();
    },
  ];
}

function inFrame(
  place: HTMLElement,
  { vault, root, slot, say }: Placing,
  options: () => FieldOptions,
): Placed {
  const frame = vault.openFrame("Protected field");
  const { host } = frame;
  host.className = "hw-vault";
  let page: Port | null = null;
  const post = (message: PageToField) => page?.post(message);
  const show = (next: FieldOptions) => post({ op: "options", options: next });
  const sendTheme = () => post({ op: "look", look: lookOf(root) });
  const onMessage = (data: unknown) => {
    const message = data as FieldToPage;
    if (message.op === "size") captured.setStyle(host, "height", `${message.height}px`);
    else if (message.op === "say") say(message.text);
    // As a click or key press in a field of the page itself would do in the host.
    else if (message.op === "focus")
      captured.dispatch(host, new FocusEvent("focusin", { bubbles: true, composed: true }));
    else if (message.op === "save") {
      const which = message.meta ? { metaKey: true } : { ctrlKey: true };
      const key = { key: "s", code: "KeyS", keyCode: 83, bubbles: true, composed: true, cancelable: true };
      captured.dispatch(host, new KeyboardEvent("keydown", { ...key, ...which }));
    }
  };
  // A host may reload the frame, for example when a collapsed output is shown again. The ports are passed
  // synchronously, because a promise could leak them.
  frame.onLoad(() => {
    let keeper: MessagePort;
    try {
      keeper = vault.attach(slot, options().facts);
    } catch {
      return; // the vault reports the reason
    }
    const { near, far } = channel();
    page?.close();
    page = open(near, onMessage);
    frame.sendHello({ vault: 1, role: "field" }, far, keeper);
    sendTheme();
    show(options());
  });
  const watch = new MutationObserver(sendTheme);
  watch.observe(root, { attributes: true, attributeFilter: ["data-theme", "data-contrast"] });
  captured.appendChild(place, host);
  return [
    show,
    () => {
      watch.disconnect();
      page?.close();
      host.remove();
    },
  ];
}
