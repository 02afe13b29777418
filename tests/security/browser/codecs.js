// Replaces whatever turns bytes into text or back and whatever makes random bytes, and records all that passes.
(() => {
  const passed = [];
  const record = (value) => {
    if (typeof value === "string") passed.push(value);
    else if (ArrayBuffer.isView(value) && value.byteLength < 4096) {
      let text = "";
      for (let n = 0; n < value.length; n++) text += String.fromCharCode(value[n]);
      passed.push(text);
    }
  };
  const replace = (owner, name) => {
    const own = owner?.[name];
    if (typeof own !== "function") throw new Error(`this browser has no ${name}`);
    const replaced = function (...args) {
      for (const value of [this, ...args]) record(value);
      const result = Reflect.apply(own, this, args);
      record(result);
      return result;
    };
    Object.defineProperty(owner, name, { value: replaced, configurable: true, writable: true });
  };
  for (const name of ["toBase64", "toHex", "setFromBase64", "setFromHex"]) replace(Uint8Array.prototype, name);
  for (const name of ["fromBase64", "fromHex", "from", "of"]) replace(Uint8Array, name);
  for (const name of ["atob", "btoa"]) replace(window, name);
  replace(String.prototype, "normalize");
  replace(TextEncoder.prototype, "encode");
  replace(TextDecoder.prototype, "decode");
  replace(Crypto.prototype, "getRandomValues");
  window.codecs = () => passed.join("\n");
})();
