/** Report why a request does not verify: the fix first, then excluded causes and the compared texts. */
import { Chip, count, Fragment, h, Pre, SelectField, shortHash, signal } from "../../lazy-exports.js";
import { type Diagnosis, sentence } from "../../replies.js";

/** The framework selected last, on this page. */
const FRAMEWORK = Symbol.for("hook_widgets.framework");
const page = globalThis as { [FRAMEWORK]?: string };

type Finding = Diagnosis["findings"][number];
type Text = Diagnosis["strings"][number];

/** Merges equal texts and joins their labels. */
function distinct(strings: Text[]): Text[] {
  const byHash = new Map<string, Text>();
  for (const each of strings) {
    const entry = byHash.get(each.sha256);
    byHash.set(each.sha256, entry ? { ...entry, label: `${entry.label}, ${each.label}` } : each);
  }
  return [...byHash.values()];
}

export function createDiagnosisReport(id: (name: string) => string) {
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

  const finding = ({ title, change, frameworks: all }: Finding, n: number, many: boolean) => (
    <li class="hw-finding">
      <h4>
        {many && `${n + 1}. `}
        {title}
      </h4>
      <p>{change}</p>
      {frameworks(all, n)}
    </li>
  );

  return ({ verdict, findings, hints, excluded, strings, difference }: Diagnosis) => (
    <>
      {findings.length > 0 && (
        <ol class="hw-findings" aria-label="Causes">
          {findings.map((each, n) => finding(each, n, findings.length > 1))}
        </ol>
      )}
      {!verdict.ok && findings.length === 0 && (
        <p class="hw-line">
          <Chip tone="warn">Cause not found</Chip>{" "}
          {hints.length > 0 ? "The request itself shows this:" : "Most likely the secret."}
        </p>
      )}
      {hints.length > 0 && (
        <ul class="hw-findings" aria-label="Hints">
          {hints.map((each, n) => finding(each, findings.length + n, false))}
        </ul>
      )}
      {excluded.length > 0 && (
        <details class="hw-details" open={findings.length === 0}>
          <summary>Ruled out</summary>
          <ul class="hw-excluded">
            {excluded.map((text) => (
              <li>{text}</li>
            ))}
          </ul>
        </details>
      )}
      {strings.length > 0 && (
        <details class="hw-details" open={difference !== ""}>
          <summary>Compare base strings</summary>
          <div class="hw-compared">
            {difference && <p class="hw-difference">{sentence(difference)}.</p>}
            {distinct(strings).map(({ label, length, sha256, shown }) => (
              <>
                <p class="hw-facts" title={`sha256 ${sha256}`}>
                  {`${label} · ${count(length, "byte")} · sha256 ${shortHash(sha256)}`}
                </p>
                <Pre label={`Base string, ${label}`}>{shown}</Pre>
              </>
            ))}
          </div>
        </details>
      )}
    </>
  );
}
