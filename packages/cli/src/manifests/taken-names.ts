import { broughtResources } from "@kaji/manifests";
import type { OperatorDefinition } from "@kaji/runtime";
import { apiGroups, isServedByDefault } from "@kaji/types/tables";

type Definition = ReturnType<typeof broughtResources>[number];

/** What of an operator's kinds kubectl takes for a built-in kind, a sentence for each pair of them. A server has nothing against it. */
export function takenNames(operator: OperatorDefinition): readonly string[] {
  const builtIn = builtInNames();
  return broughtResources(operator).flatMap((definition) => {
    const taken = namesOf(definition).filter(({ name }) => builtIn.has(name));
    return [...Map.groupBy(taken, ({ name }) => builtIn.get(name) ?? "")].map(([kind, names]) => sentenceOf(definition, kind, names));
  });
}

/** A name that kubectl finds a kind by, and where its definition says it. */
interface SaidName {
  readonly name: string;
  readonly field: "kind" | "plural" | "shortNames" | "singular";
}

function namesOf({ kind, singular, plural, shortNames }: Definition): readonly SaidName[] {
  const all: readonly SaidName[] = [
    { name: kind.toLowerCase(), field: "kind" },
    { name: singular, field: "singular" },
    { name: plural, field: "plural" },
    ...shortNames.map((name) => ({ name, field: "shortNames" }) as const),
  ];
  // What follows from the kind is said by it.
  return all.filter(({ name }, index) => all.findIndex((each) => each.name === name) === index);
}

/** The built-in kinds by the names that kubectl finds them by; of several the one that it prefers. */
function builtInNames(): ReadonlyMap<string, string> {
  const resources = apiGroups().flatMap(({ versions }) =>
    versions.filter(({ version }) => isServedByDefault(version)).flatMap((version) => version.resources),
  );
  const names = resources.flatMap(({ name: plural, kind, singular, shortNames = [] }) =>
    [kind.toLowerCase(), singular, plural, ...shortNames].map((name) => [name, kind] as const),
  );
  return new Map(names.toReversed());
}

function sentenceOf({ kind, plural, group }: Definition, builtIn: string, names: readonly SaidName[]): string {
  const fields = [...new Set(names.map(({ field }) => (field === "shortNames" ? "short name" : field)))];
  return (
    `kubectl takes ${listed(names.map(({ name }) => name))} for the built-in ${builtIn}, not for ${kind} of ${group}; ` +
    `choose another ${listed(fields)} in its definition, or call it ${plural}.${group}`
  );
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
