/** Creates elements of a document. */
export function createMaker(document: Document) {
  const make = <N extends keyof HTMLElementTagNameMap>(name: N, className = "", text = "") => {
    const element = document.createElement(name);
    element.className = className;
    element.textContent = text;
    return element;
  };
  const button = (text: string, onClick: (event: MouseEvent) => void) => {
    const element = make("button", "hw-btn", text);
    element.type = "button";
    element.addEventListener("click", onClick);
    return element;
  };
  return { make, button };
}
export type Maker = ReturnType<typeof createMaker>;
