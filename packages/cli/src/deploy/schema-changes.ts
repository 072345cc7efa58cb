/**
 * Fields of a definition, as people know them: those of its schemas by the version, the field of the resource and what is new about it, as in `v1 spec.replicas (default, maximum)`. Any other
 * field stays as it is.
 */
export function schemaChanges(fields: readonly string[]): readonly string[] {
  const said = new Map<string, Set<string>>();
  for (const field of fields) {
    const { place, keyword } = placeOf(field);
    const keywords = said.get(place) ?? new Set();
    if (keyword !== undefined) keywords.add(keyword);
    said.set(place, keywords);
  }
  return [...said].map(([place, keywords]) => (keywords.size === 0 ? place : `${place} (${[...keywords].join(", ")})`));
}

function placeOf(field: string): { readonly place: string; readonly keyword?: string } {
  const [, version, path] = /^spec\.versions\[([^\]]+)\]\.schema\.openAPIV3Schema\.(.+)$/.exec(field) ?? [];
  if (version === undefined || path === undefined) return { place: field };
  const steps = path.split(".");
  let name = "";
  for (let index = 0; index < steps.length; index++) {
    const step = steps[index] ?? "";
    if (step === "properties" && index + 1 < steps.length) name += `.${steps[++index]}`;
    else if (step === "items" || step === "additionalProperties") name += "[*]";
    else return { place: `${version} ${placeNamed(name)}`, keyword: step.replace(/\[.*$/, "") };
  }
  return { place: `${version} ${placeNamed(name)}` };
}

function placeNamed(name: string): string {
  return name === "" ? "the object" : name.replace(/^\./, "");
}
