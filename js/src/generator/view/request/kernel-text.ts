/** A text that the kernel writes for the current inputs. */
import { latestOnly, signal } from "../../lazy-exports.js";
import { textReply } from "../../replies.js";
import type { State } from "../../state.js";

/** `op` is the request; `say` announces its rejection. The text is current only while its subject `of` is. */
export function createKernelText({ rpc }: Pick<State, "rpc">, op: string, say = (_text: string) => {}) {
  const answer = signal({ of: "", text: "", rejection: "" });
  let requestedFor = "";
  const load = latestOnly(async (of: string, args: Record<string, unknown>) => {
    const reply = await rpc.request(op, args, textReply).then(
      ({ value: { text } }) => ({ text, rejection: "" }),
      ({ message }: Error) => ({ text: "", rejection: message }),
    );
    answer.set({ of, ...reply });
    if (reply.rejection) say(reply.rejection);
  });
  return {
    answer,
    /** Requests the text, unless it was requested for this subject already. */
    request(of: string, args: Record<string, unknown>) {
      if (requestedFor !== of) load(of, args);
      requestedFor = of;
    },
  };
}
