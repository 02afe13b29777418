// A script that comes between two widgets: it replaces functions of the page, and takes over every frame, document and
// port that passes through them. What it learns is in `between.taken`.
(() => {
  const native = {
    call: Function.prototype.call,
    apply: Reflect.apply,
    construct: Reflect.construct,
    describe: Object.getOwnPropertyDescriptor,
    define: Object.defineProperty,
    source: Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, "srcdoc").set,
    listen: EventTarget.prototype.addEventListener,
    start: MessagePort.prototype.start,
    post: MessagePort.prototype.postMessage,
    channel: MessageChannel,
    setAttribute: Element.prototype.setAttribute,
    stringify: JSON.stringify,
  };
  const taken = [];
  const take = (what) => {
    try {
      taken.push(typeof what === "string" ? what : native.stringify(what));
    } catch {
      taken.push(String(what));
    }
  };
  native.apply(native.listen, window, ["message", (event) => event.data?.stolen && take(event.data.stolen)]);

  // An imitation of both frames: a field that tells each letter, and a keeper that tells what fields give to it.
  const IMITATION = `<!doctype html><body><input style="position:fixed;inset:0;width:100%;height:100%">
    <script>
      const tell = (stolen) => parent.postMessage({ stolen: String(stolen) }, "*");
      addEventListener("input", (event) => tell(event.target.value));
      const hear = (port) => { port.onmessage = ({ data, ports }) => {
        if (data?.op === "set") tell(data.text);
        for (const more of ports) hear(more);
      }; };
      addEventListener("message", ({ data, ports }) => {
        for (const port of ports) hear(port);
        ports[0]?.postMessage({ op: "ready" });
      });
    </scr` + `ipt>`;
  const swapped = new WeakSet();
  const swap = (frame) => {
    native.apply(native.setAttribute, frame, ["sandbox", "allow-scripts allow-same-origin"]);
    native.apply(native.source, frame, [IMITATION]);
  };
  /** At once, and again when the widget has filled the frame. */
  const imitate = (frame) => {
    if (swapped.has(frame)) return;
    swapped.add(frame);
    swap(frame);
    let loads = 0;
    native.apply(native.listen, frame, ["load", () => {
      loads += 1;
      if (loads === 1) setTimeout(swap, 0, frame);
    }]);
  };

  const tapped = new WeakSet();
  const tap = (port) => {
    if (tapped.has(port)) return;
    tapped.add(port);
    native.apply(native.listen, port, ["message", ({ data }) => take(data)]);
    try {
      native.apply(native.start, port, []);
    } catch {
      // given away already
    }
  };
  /** A port whose other end tells all that it hears. */
  const ownPort = () => {
    const { port1, port2 } = new native.channel();
    tap(port1);
    return port2;
  };

  /** Look at a value that passes, and return what is to pass in its place. */
  const pass = (value, depth = 0) => {
    if (typeof value === "string") return value.length > 20_000 ? IMITATION : value;
    if (value === null || (typeof value !== "object" && typeof value !== "function") || depth > 2) return value;
    if (value instanceof HTMLIFrameElement) imitate(value);
    else if (value instanceof MessagePort) {
      tap(value);
      if (depth > 0) return ownPort();
    } else if (typeof value.attach === "function") {
      try {
        value.attach = ownPort;
      } catch {
        // frozen
      }
    } else if (value instanceof Event) pass(value.target, depth + 1);
    else if (Array.isArray(value)) for (let at = 0; at < value.length; at += 1) pass(value[at], depth + 1);
    return value;
  };

  const wrapped = (own, name) =>
    function (...args) {
      pass(this);
      // A program that is replaced here is noticed, which is another test.
      const handOn = (each) => (value) => each(typeof value === "string" ? value : pass(value, 1));
      if (name === "then") args = args.map((each) => (typeof each === "function" ? handOn(each) : each));
      else args = args.map((value) => pass(value));
      return pass(new.target ? native.construct(own, args) : native.apply(own, this, args));
    };

  /** The object that has a function of this name, such as `Document.createElement`, and the key of it there. */
  const find = (name) => {
    const [owner, key] = name.split(".");
    if (key === undefined) return [window, name];
    const at = key === "@@iterator" ? Symbol.iterator : key;
    const prototype = window[owner].prototype;
    return prototype && native.describe(prototype, at) ? [prototype, at] : [window[owner], at];
  };
  const undo = [];
  /** Replace the functions with these names. */
  const install = (names) => {
    const places = names.map(find);
    places.forEach(([holder, at]) => {
      const before = native.describe(holder, at);
      const after = { ...before };
      // `await` asks `then` of a promise whose constructor is another one.
      if (holder === Promise.prototype && at === "constructor") after.value = class extends Promise {};
      else
        ["value", "get", "set"].forEach((part) => {
          if (typeof before[part] === "function") after[part] = wrapped(before[part], at);
        });
      undo.push(() => native.define(holder, at, before));
      native.define(holder, at, after);
    });
  };
  /** Make trusted types the rule, with a default policy that returns the imitation. */
  const distrust = () => {
    trustedTypes.createPolicy("default", {
      createHTML: (text) => (text.length > 20_000 ? IMITATION : text),
      createScript: (text) => text,
      createScriptURL: (text) => text,
    });
    const rule = document.createElement("meta");
    rule.httpEquiv = "Content-Security-Policy";
    rule.content = "require-trusted-types-for 'script'";
    document.head.append(rule);
  };
  window.between = {
    taken,
    install,
    distrust,
    restore: () => {
      while (undo.length > 0) undo.pop()();
    },
    /** Take over every frame that a script can name. */
    seize: () => {
      const frames = [];
      const walk = (root) => {
        for (const element of root.querySelectorAll("*")) {
          if (element.localName === "iframe") frames.push(element);
          if (element.shadowRoot) walk(element.shadowRoot);
        }
      };
      walk(document);
      frames.forEach(imitate);
      return frames.length + window.length;
    },
  };
})();
