/** Actions on history entries and on the requests of checks. */

import { download } from "../../../ui/download.js";
import { copyText, nothing, signal } from "../../lazy-exports.js";
import { textReply } from "../../replies.js";
import type { View } from "../view.js";

export type Actions = ReturnType<typeof createActions>;

export function createActions({ state, root, id, panel }: View) {
  const failure = signal("");

  const attempt = async (work: () => Promise<string>) => {
    failure.set("");
    try {
      state.say(await work());
    } catch (error) {
      failure.set((error as Error).message);
      state.say(failure());
    }
  };

  return {
    failure,
    copyCurl: (n: number | string) =>
      attempt(async () => {
        const { value } = await state.rpc.request("past_curl", { n }, textReply);
        if (!(await copyText(value.text, root))) throw new Error("The browser blocked copying the command");
        return "Command copied";
      }),
    openInEditor: (n: number | string) =>
      attempt(async () => {
        await state.rewrite("open", { n }, nothing);
        panel.set("generate");
        root.querySelector<HTMLElement>(`#${id("panel")}-generate-tab`)?.focus();
        return `${typeof n === "string" ? "Check" : "Delivery"} ${n} is in the editor`;
      }),
    save: (form: "har" | "json") =>
      attempt(async () => {
        const { buffers } = await state.rpc.request("export", { form }, nothing, { slow: true });
        const name = `deliveries.${form}`;
        download(root.ownerDocument, buffers[0] ?? new Uint8Array(), name, "application/json");
        return `Saved as ${name}`;
      }),
    clear: () =>
      attempt(async () => {
        await state.rpc.request("clear", {}, nothing);
        return "History cleared";
      }),
  };
}
