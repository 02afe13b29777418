/**
 * Program of the vault's frames: one source for both roles, so that the policy needs one hash.
 *
 * A frame has an opaque origin and a policy that forbids the network. The first message of the window that created
 * it sets its role; later window messages are ignored.
 */
import type * as Curves from "../crypto/key-pairs.js";
import { createField } from "./field.js";
import { createKeeper } from "./keeper.js";
import type { FieldToPage, Hello, PageToField } from "./protocol.js";
import style from "./vault.css";

export { createField, createKeeper };

/** Constructors of connections that a content security policy does not block. */
const CONNECTIONS = ["RTCPeerConnection", "webkitRTCPeerConnection", "RTCDataChannel", "WebTransport"];

/** Runs the lazy part as an inline script; the frame's policy allows it by its hash. */
async function loadCurves(source: string): Promise<typeof Curves> {
  const script = document.createElement("script");
  script.textContent = source;
  document.head.append(script);
  script.remove();
  const { curves } = globalThis as { curves?: typeof Curves };
  if (!curves) throw new Error("the frame's policy blocked the key pair module");
  return curves;
}

function showField(page: MessagePort, keeper: MessagePort): void {
  const root = document.createElement("div");
  root.className = "hw";
  const sheet = document.createElement("style");
  sheet.textContent = style;
  document.head.append(sheet);
  document.body.append(root);
  const post = (message: FieldToPage) => page.postMessage(message);
  const field = createField(root, keeper, {
    id: "vault",
    say: (text) => post({ op: "say", text }),
    save: (meta) => post({ op: "save", meta }),
  });
  new ResizeObserver(() =>
    post({ op: "size", height: Math.ceil(root.getBoundingClientRect().height) }),
  ).observe(root);
  addEventListener("focus", () => post({ op: "focus" }));
  page.onmessage = ({ data }: MessageEvent<PageToField>) => {
    if (data.op === "options") return field.show(data.options);
    root.dataset.theme = data.look.theme;
    root.dataset.contrast = data.look.contrast ? "more" : "";
    document.documentElement.style.colorScheme = data.look.theme;
  };
}

export function boot(): void {
  for (const name of CONNECTIONS) delete (globalThis as Record<string, unknown>)[name];
  const onHello = ({ source, data, ports }: MessageEvent<Hello>) => {
    const [first, second] = ports;
    if (source !== parent || data?.vault !== 1 || !first) return;
    removeEventListener("message", onHello);
    if (data.role === "keeper") createKeeper(first, loadCurves);
    else if (second) showField(first, second);
  };
  addEventListener("message", onHello);
}
