import { createContext } from "preact";
import { useContext, useId } from "preact/hooks";
import type { State } from "../model.js";
import type { Sender } from "../sending.js";

/** What every component of one view can reach. */
export interface ViewContext {
  state: State;
  sender: Sender;
  /** Makes ids unique on a page with several widgets, each with a Preact of its own. */
  uid: string;
  root: HTMLElement;
}

export const View = createContext<ViewContext | null>(null);

export function useView(): ViewContext {
  const view = useContext(View);
  if (!view) throw new Error("a component was rendered outside of a view");
  return view;
}

/** An id for labels and descriptions of one component. */
export function useUid(): string {
  return `${useView().uid}-${useId()}`;
}
