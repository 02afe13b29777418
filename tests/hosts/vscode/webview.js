// The frame around the notebook's outputs: it writes the content into a frame of its own and forwards what happens there.
const toWorkbench = (message) => window.parent.postMessage(message, "*");

function dress(target, { kind, colors }) {
  const body = target.body;
  body.classList.remove("vscode-light", "vscode-dark", "vscode-high-contrast", "vscode-high-contrast-light");
  body.classList.add(kind);
  if (kind === "vscode-high-contrast-light") body.classList.add("vscode-high-contrast");
  body.dataset.vscodeThemeKind = kind;
  const style = target.documentElement.style;
  for (const name of [...style]) if (name.startsWith("--vscode-")) style.removeProperty(name);
  for (const [name, value] of Object.entries(colors)) style.setProperty(`--vscode-${name}`, value);
}

const forward = ({ type, key, code }) => toWorkbench({ type, key, code });

/** Saves what a link of the content points to, as the workbench does; a browser would not be asked. */
async function onClick(event) {
  const link = event.composedPath().find((node) => node.tagName === "A" && node.href);
  if (!link) return;
  event.preventDefault();
  if (!link.href.startsWith("blob:")) return toWorkbench({ type: "link", href: link.href });
  const blob = await (await fetch(link.href)).blob();
  toWorkbench({ type: "save", name: link.download, size: blob.size });
}

function show({ content, look, allow }) {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-same-origin allow-pointer-lock allow-scripts allow-downloads allow-forms");
  frame.setAttribute("allow", allow);
  frame.src = "empty.html";
  frame.style.cssText = "display: block; position: absolute; width: 100%; height: 100%; border: 0";
  frame.onload = () => {
    frame.onload = null;
    const inside = frame.contentDocument;
    inside.open();
    inside.write(content);
    inside.close();
    dress(inside, look);
    inside.body.addEventListener("click", onClick);
    frame.contentWindow.addEventListener("keydown", forward);
    frame.contentWindow.addEventListener("keyup", forward);
  };
  document.body.append(frame);
}

addEventListener("message", ({ data }) => {
  if (data.content) show(data);
  else if (data.look) dress(document.querySelector("iframe").contentDocument, data.look);
});
