/** Views without a page: elements and text of what a render function returns. */
import type { ComponentChildren, FunctionComponent, VNode } from "preact";
import type { View } from "../src/generator/view/view.js";
import { open } from "./model-support.js";

type Drawn = string | { tag: string; props: Record<string, unknown>; inside: Drawn[] };

function draw(node: ComponentChildren): Drawn[] {
  if (Array.isArray(node)) return node.flatMap(draw);
  if (node === null || node === undefined || typeof node === "boolean") return [];
  if (typeof node !== "object") return [String(node)];
  const { type, props } = node as VNode<{ children?: ComponentChildren }>;
  if (typeof type === "function") return draw((type as FunctionComponent)(props) as ComponentChildren);
  return [{ tag: type, props: props as Record<string, unknown>, inside: draw(props.children) }];
}

const words = (nodes: Drawn[]): string =>
  nodes.map((node) => (typeof node === "string" ? node : words(node.inside))).join("");

const within = (nodes: Drawn[]): Exclude<Drawn, string>[] =>
  nodes.flatMap((node) => (typeof node === "string" ? [] : [node, ...within(node.inside)]));

/** The text of a view. */
export const textOf = (node: ComponentChildren) => words(draw(node));

/** The elements of a view with this tag, each with its text. */
export const elementsOf = (node: ComponentChildren, tag: string) =>
  within(draw(node))
    .filter((element) => element.tag === tag)
    .map(({ props, inside }) => ({ props, text: words(inside) }));

/** A widget's model and state, and a view that has no page. */
export function openView(traits: Record<string, unknown> = {}, more: Partial<View> = {}) {
  const { model, state } = open(traits);
  return { model, state, view: { state, id: (name: string) => name, ...more } as View };
}
