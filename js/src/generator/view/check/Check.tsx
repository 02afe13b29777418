/** Panel that checks a receiver, or sends several requests to it. */

import { createChecks } from "../../checks.js";
import {
  Button,
  Chip,
  createSecret,
  Fragment,
  factsOf,
  Hint,
  h,
  missing,
  SelectField,
  signal,
  Tabs,
  TextField,
  UrlField,
} from "../../lazy-exports.js";
import { sentence } from "../../replies.js";
import { Confirm } from "../request/Confirm.js";
import type { View } from "../view.js";
import { createResults } from "./Results.js";
import { createRun } from "./Run.js";
import { createScore } from "./Score.js";

const IN_PYTHON =
  "This provider sends the secret itself, which a run would need in the kernel. Check this receiver in Python, or give the widget secret=Secret.from_env(…).";

/** Roles of further secrets, each with the checks that need it. */
const ROLES: [string, string][] = [
  ["other_secret", "Of another endpoint (B15)"],
  ["previous_secret", "Previous, still accepted (E3)"],
  ["retired_secret", "Retired (E4)"],
];

export function createCheck(view: View) {
  const { state, id, checkPart } = view;
  const { provider, signer } = state.inputs;
  const checks = createChecks(view);
  const secret = createSecret(view, "check");
  const suite = signal("standard");
  const oracle = signal("");
  const role = signal("other_secret");
  const unfolded = signal(false);
  const slotOf = (name: string) => `${provider()}_${name}`;
  const others = () => ROLES.map(([name]) => name).filter((name) => state.has(slotOf(name)));
  const args = (only: string[] | null = null) => {
    const area = suite().length === 1 ? [suite()] : null;
    return {
      suite: area ? "full" : suite(),
      only: only ?? area,
      others: others(),
      oracle: checks.catalog()?.oracle_set ? "" : oracle().trim(),
    };
  };
  const score = createScore(checks);
  const results = createResults(view, checks, (only) => checks.run(args([only])));
  const several = createRun(view);
  const todoNow = () => missing(state, checkPart() === "checks" ? IN_PYTHON : "");

  const suites = (): [string, string][] => {
    const { checks: all = [], areas = [] } = checks.catalog() ?? {};
    const standard = all.filter(({ suite }) => suite === "standard").length;
    const size = (area: string) => all.filter(({ id }) => id[0] === area).length;
    return [
      ["standard", `Standard, ${standard} checks`],
      ["full", `Full, ${all.length} checks`],
      ...areas
        .filter(([area]) => size(area))
        .map(([area, title]): [string, string] => [area, `${area}: ${title}, ${size(area)} checks`]),
    ];
  };

  const bar = (todo: string) => {
    const busy = checks.running();
    const set = checks.catalog()?.oracle_set;
    return (
      <div class={`hw-check-bar ${checkPart() === "run" ? "hw-check-short" : ""}`}>
        <div class="hw-row">
          <UrlField view={view} name="check-url" />
          {checkPart() === "checks" && (
            <Button
              look="primary"
              disabled={!busy && (todo !== "" || state.kernel() === "none")}
              title={todo}
              onClick={() => (busy ? checks.stop() : checks.run(args()))}
            >
              {busy ? "Stop" : checks.rows().length > 0 ? "Run again" : "Run checks"}
            </Button>
          )}
        </div>
        <div class="hw-row">
          <Tabs
            small
            label="Check"
            panels={id("check-part")}
            current={checkPart()}
            onPick={checkPart.set}
            tabs={[
              ["checks", "Checks"],
              ["run", "Run"],
            ]}
          />
          {checkPart() === "checks" && (
            <>
              <SelectField
                id={id("check-suite")}
                label="Suite"
                value={suite()}
                options={suites()}
                onPick={suite.set}
              />
              <TextField
                id={id("check-oracle")}
                label="Oracle (optional)"
                grow
                readOnly={set || state.locked("url")}
                placeholder={set ? "set in Python" : "http://127.0.0.1:8000/count"}
                value={oracle()}
                onText={oracle.set}
                hint="URL of this machine that responds with the number of times the work was done."
              />
            </>
          )}
        </div>
      </div>
    );
  };

  const confirm = () => {
    const question = checks.question();
    return (
      question && (
        <Confirm
          view={view}
          home=".hw-check-bar"
          text={question.text}
          yes={`Check ${question.host}`}
          onAnswer={(agreed) =>
            agreed ? checks.run(question.args, question.host) : checks.question.set(null)
          }
        />
      )
    );
  };

  /** Draws the secret's field before the first run; later only if it needs attention. */
  const secretField = () => {
    const facts = state.provider();
    const held = signer() === "kernel" || state.has(provider());
    const quiet = held && !state.vault.slot(provider()).paused;
    if (!facts || (quiet && (checks.rows().length > 0 || checks.running() || checkPart() === "run")))
      return null;
    return secret(facts.key, factsOf(facts));
  };

  const otherSecrets = () => {
    const facts = state.provider();
    if (!facts || signer() === "kernel" || state.locked("secret") || state.draft()?.reveals_secret)
      return null;
    return (
      <details class="hw-details" onToggle={({ currentTarget }) => unfolded.set(currentTarget.open)}>
        <summary>Other secrets ({others().length})</summary>
        {unfolded() && (
          <div class="hw-inside">
            <SelectField
              id={id("check-role")}
              label="Role"
              value={role()}
              options={ROLES}
              onPick={role.set}
            />
            {secret(facts.key, { ...factsOf(facts), provider: slotOf(role()) }, "Other secret")}
          </div>
        )}
      </details>
    );
  };

  const draw = (todo: string) => (
    <div class="hw-check">
      <section class="hw-check-side" aria-label="Score">
        {score()}
        {secretField()}
        {otherSecrets()}
      </section>
      <section class="hw-check-main" aria-label="Results of checks">
        {confirm()}
        {todo && <Hint>{todo}</Hint>}
        {checks.failure() && (
          <p class="hw-line">
            <Chip tone="bad">Failed</Chip> {sentence(checks.failure())}
          </p>
        )}
        {results()}
      </section>
    </div>
  );

  return () => {
    void checks.load();
    const todo = todoNow();
    const part = checkPart();
    return (
      <>
        {bar(todo)}
        <div
          id={`${id("check-part")}-${part}`}
          role="tabpanel"
          aria-labelledby={`${id("check-part")}-${part}-tab`}
        >
          {part === "checks" ? draw(todo) : several(todo, secretField())}
        </div>
      </>
    );
  };
}
