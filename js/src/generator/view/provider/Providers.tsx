/** Provider list: searchable by names and events, filtered by kind and evidence for the signature. */
import type { ComponentChildren } from "preact";
import { wordsOf } from "../../../core/bytes.js";
import { type Signal, signal } from "../../../core/signals.js";
import { createCombobox, type Option } from "../../../ui/Combobox.js";
import type { Tone } from "../../../ui/controls.js";
import type { Listed } from "../../wire.js";
import type { View } from "../view.js";

export interface FiltersProps {
  kind: Signal<string>;
  signature: Signal<string>;
  /** Providers that one filter alone passes. */
  ofKind: Listed[];
  ofSignature: Listed[];
}

/** Evidence for a part of a provider's requests, and its tone. */
const EVIDENCE: Record<string, [text: string, tone: Tone]> = {
  sdk: ["own library", "ok"],
  peer: ["another library", "ok"],
  model: ["a library's types", "ok"],
  source: ["sender's source code", "ok"],
  captured: ["recorded delivery", "ok"],
  docs: ["documentation", "plain"],
  unconfirmed: ["unconfirmed", "warn"],
  seed: ["generic, no specific provider", "plain"],
};

export function evidenceLabel(evidence: string): [text: string, tone: Tone] {
  return EVIDENCE[evidence] ?? [evidence, "plain"];
}

/** Formats a kind: "Issue tracking"; short names are abbreviations: "CI". */
export function kindTitle(kind: string): string {
  return kind.length < 4 ? kind.toUpperCase() : wordsOf(kind);
}

/** Recently selected providers of this page, newest first. */
const RECENT = Symbol.for("hook_widgets.recent_providers");
const page = globalThis as { [RECENT]?: string[] };
const RECENT_KEPT = 5;
const recentOf = () => page[RECENT] ?? [];
/** Number of popular providers above the other groups. */
const POPULAR = 12;
const LAST = 1e6;

/** Returns recent, popular, then all other providers by kind; the neutral one comes first. */
function optionsOf(providers: Listed[], recent: string[]): Option[] {
  return providers
    .map(({ id, title, kind, confidence, words, rank }) => {
      const picked = recent.indexOf(id);
      const known = rank ?? LAST;
      const [order, group] =
        picked >= 0 ? [0, "Recent"] : known < POPULAR ? [1, "Popular"] : [2, kindTitle(kind)];
      const place = picked >= 0 ? picked - RECENT_KEPT : known;
      const hint = evidenceLabel(confidence.scheme)[0];
      return { id, label: title, group, hint, words, order, rank: place, first: id === kind };
    })
    .sort(
      (a, b) =>
        a.order - b.order ||
        (a.order < 2 ? a.rank - b.rank : a.group.localeCompare(b.group)) ||
        Number(b.first) - Number(a.first),
    );
}

interface Props {
  value: string;
  locked?: boolean;
  /** Options other than providers, listed first. */
  more?: Option[];
  onPick: (id: string) => void;
}

/** `filters` draws the choices above the list. */
export function createProviderPicker(
  { state, id }: View,
  name: string,
  filters: (props: FiltersProps) => ComponentChildren,
) {
  const combobox = createCombobox(id(name), "provider", state.say);
  const kind = signal("");
  const signature = signal("");
  let listed: { of: Listed[]; recent: string[]; options: Option[] } | null = null;

  return ({ value, locked = false, more = [], onPick }: Props) => {
    const all = state.catalog()?.providers ?? [];
    const isListed = (id: string) => all.some((provider) => provider.id === id);
    const recent = recentOf();
    if (listed?.of !== all || listed.recent !== recent)
      listed = { of: all, recent, options: optionsOf(all, recent) };
    const ofKind = all.filter((provider) => !kind() || provider.kind === kind());
    const ofSignature = all.filter((provider) => !signature() || provider.confidence.scheme === signature());
    const filtered = new Set(
      ofKind.filter((provider) => ofSignature.includes(provider)).map((provider) => provider.id),
    );
    return combobox({
      label: "Provider",
      options: [...more, ...listed.options],
      shown: ({ id }) => filtered.has(id) || more.some((option) => option.id === id),
      value,
      locked,
      onPick(picked) {
        if (isListed(picked))
          page[RECENT] = [picked, ...recent.filter((id) => id !== picked)].slice(0, RECENT_KEPT);
        onPick(picked);
      },
      // Its data is there when it is picked.
      onAim: (id) => isListed(id) && state.providerOf(id),
      filters: filters({ kind, signature, ofKind, ofSignature }),
    });
  };
}
