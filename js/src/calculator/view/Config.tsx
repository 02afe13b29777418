/** Configuration of a server or library that enforces the limit, as written by the kernel. */
import { h } from "preact";
import { signal } from "../../core/signals.js";
import { createCopy, Hint, Lines, Pre } from "../../ui/controls.js";
import type { Frame } from "../wire.js";
import type { View } from "./view.js";

type Config = Frame["configs"][number];

const KINDS: Record<string, string> = { proxies: "Proxies", gateways: "Gateways", libraries: "Libraries" };

export function createConfig({ state, id, root }: View) {
  const target = signal("nginx");
  const current = (): Config | undefined => {
    const configs = state.frames.frame()?.configs ?? [];
    return configs.find((config) => config.target === target()) ?? configs[0];
  };
  const copy = createCopy({ state, root }, "the configuration", () => current()?.text ?? "");

  return () => {
    const configs = state.frames.frame()?.configs ?? [];
    const config = current();
    if (!config) return null;
    const options = (kind: string) =>
      configs
        .filter((each) => each.kind === kind)
        .map((each) => (
          <option key={each.target} value={each.target}>
            {each.target}
          </option>
        ));
    return (
      <div class="hw-answer">
        <div class="hw-head">
          <h3>{state.frames.frame()?.configs_title}</h3>
          <span class="hw-right">{config.text && copy()}</span>
        </div>
        <div class="hw-field">
          <label for={id("target")}>Server or library</label>
          <select
            id={id("target")}
            class="hw-input hw-alone"
            value={config.target}
            onChange={(event) => target.set(event.currentTarget.value)}
          >
            {[...new Set(configs.map(({ kind }) => kind))].map((kind) => (
              <optgroup key={kind} label={KINDS[kind] ?? kind}>
                {options(kind)}
              </optgroup>
            ))}
          </select>
        </div>
        {config.text ? (
          <Pre label={`Configuration of ${config.target}`} code>
            {config.text}
          </Pre>
        ) : (
          <p class="hw-alert">{config.problem}</p>
        )}
        {config.deviations.length > 0 && (
          <details class="hw-details" open>
            <summary>{`Differs from the simulation (${config.deviations.length})`}</summary>
            <Lines lines={config.deviations} />
          </details>
        )}
        {config.text && !config.deviations.length && <Hint>Decides exactly as the simulation.</Hint>}
      </div>
    );
  };
}
