// A model with the anywidget interface, and a record of all that left the browser through it.
/** Bytes as text. */
export const hex = (bytes) =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

export class FakeModel {
  constructor(traits) {
    this.traits = traits;
    this.listeners = new Map();
    this.changed = new Set();
    this.kernel = null;
    this.frames = []; // everything that left the browser
  }
  get(name) {
    return this.traits[name];
  }
  set(name, value) {
    this.traits[name] = value;
    this.changed.add(name);
    this.emit(`change:${name}`);
  }
  on(name, listener) {
    if (!this.listeners.has(name)) this.listeners.set(name, new Set());
    this.listeners.get(name).add(listener);
  }
  off(name, listener) {
    this.listeners.get(name)?.delete(listener);
  }
  emit(name, ...args) {
    for (const listener of [...(this.listeners.get(name) ?? [])]) listener(...args);
  }
  listenerCount() {
    return [...this.listeners.values()].reduce((sum, set) => sum + set.size, 0);
  }
  save_changes() {
    const names = [...this.changed];
    this.changed.clear();
    this.frames.push({ update: Object.fromEntries(names.map((name) => [name, this.traits[name]])) });
    this.kernel?.changed(names);
  }
  send(content, _callbacks, buffers = []) {
    this.frames.push({ content: structuredClone(content), buffers: buffers.map((buffer) => hex(buffer)) });
    this.kernel?.receive(
      content,
      buffers.map((buffer) => new Uint8Array(buffer)),
    );
  }
}
