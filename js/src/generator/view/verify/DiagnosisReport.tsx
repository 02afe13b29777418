/** Report why a request does not verify: the fix first, then excluded causes and the compared texts. */
import { Pre } from "../../../ui/output.js";
import { Chip, Fragment, h, SelectField, signal } from "../../lazy-exports.js";
import { type Diagnosis, sentence, type Verdict } from "../../replies.js";
import { baseString } from "../parts.js";

/** The framework selected last, on this page. */
const FRAMEWORK = Symbol.for("hook_widgets.framework");
const page = globalThis as { [FRAMEWORK]?: string };

type Finding = Diagnosis["findings"][number];
type Text = Diagnosis["strings"][number];

/** True if bytes and key were compared and nothing else explains the difference. */
export const secretIsLikely = ({ ok, reason }: Verdict, causes: readonly unknown[]) =>
  !ok && reason === "signature_differs" && causes.length === 0;

/** Returns the hints that the request itself shows: not where another secret may come from. */
export const shownByRequest = (hints: Finding[]) => hints.filter(({ cause }) => cause !== "secret-origin");

/** Merges equal texts and joins their labels. */
function distinct(strings: Text[]): Text[] {
  const byHash = new Map<string, Text>();
  for (const each of strings) {
    const entry = byHash.get(each.sha256);
    byHash.set(each.sha256, entry ? { ...entry, label: `${entry.label}, ${each.label}` } : each);
  }
  return [...byHash.values()];
}

/** Creates a function that draws a cause with its change for the framework. */
export function createFinding(id: (name: string) => string) {
  const picked = signal(page[FRAMEWORK] ?? "");

  const frameworks = (all: Finding["frameworks"], n: number) => {
    const [name, text] = all.find(([name]) => name === picked()) ?? all[0] ?? [];
    if (!name) return null;
    return (
      <div class="hw-fix">
        <SelectField
          id={id(`framework-${n}`)}
          label="Framework"
          value={name}
          options={all.map(([name]): [string, string] => [name, name])}
          onPick={(framework) => {
            page[FRAMEWORK] = framework;
            picked.set(framework);
          }}
        />
        <Pre label={`Code for ${name}`}>{text}</Pre>
      </div>
    );
  };

  return ({ title, change, frameworks: all }: Finding, n: number, many: boolean) => (
    <li class="hw-finding">
      <h4>
        {many && `${n + 1}. `}
        {title}
      </h4>
      <p>{change}</p>
      {frameworks(all, n)}
    </li>
  );
}

export function createDiagnosisReport(id: (name: string) => string) {
  const finding = createFinding(id);
  const causes = (title: string, texts: string[], open: boolean) =>
    texts.length > 0 && (
      <details class="hw-details" open={open}>
        <summary>{title}</summary>
        <ul class="hw-excluded">
          {texts.map((text) => (
            <li>{text}</li>
          ))}
        </ul>
      </details>
    );
  return ({ verdict, findings, hints, excluded, not_excluded, strings, difference }: Diagnosis) => (
    <>
      {findings.length > 0 && (
        <ol class="hw-findings" aria-label="Causes">
          {findings.map((each, n) => finding(each, n, findings.length > 1))}
        </ol>
      )}
      {shownByRequest(hints).length > 0 ? (
        <p class="hw-line">
          <Chip tone="warn">Cause not found</Chip> The request itself shows this:
        </p>
      ) : (
        secretIsLikely(verdict, findings) && (
          <p class="hw-line">
            <Chip tone="warn">Cause not found</Chip> Most likely the secret.
          </p>
        )
      )}
      {hints.length > 0 && (
        <ul class="hw-findings" aria-label="Hints">
          {hints.map((each, n) => finding(each, findings.length + n, false))}
        </ul>
      )}
      {strings.length > 0 && (
        <details class="hw-details" open={difference !== ""}>
          <summary>Compare base strings</summary>
          <div class="hw-compared">
            {difference && <p class="hw-difference">{sentence(difference)}.</p>}
            {distinct(strings).map((text) =>
              baseString(text, `${text.label} ·`, `Base string, ${text.label}`),
            )}
          </div>
        </details>
      )}
      {causes("Ruled out", excluded, secretIsLikely(verdict, findings))}
      {causes("Not ruled out", not_excluded, true)}
    </>
  );
}
