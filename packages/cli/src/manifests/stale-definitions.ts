import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { ManifestFiles } from "@kaji/manifests";

/** The folders of a chart that Helm installs definitions from. */
const places = ["crds", "templates"] as const;

/**
 * The files of a chart in which there is a definition that the operator had there before, and has no more: its kind is gone, or is in the other folder now that its versions are converted. Helm would
 * install it all the same, beside the present one. What somebody else has put there is not looked at.
 */
export function staleDefinitions(folder: string, chart: ManifestFiles, operator: string): readonly string[] {
  const paths = places.flatMap((place) => namesIn(join(folder, place)).map((name) => join(place, name)));
  const others = paths.filter((path) => path.endsWith(".yaml") && !chart.has(path)).map((path) => join(folder, path));
  return others.filter((path) => isDefinitionOf(operator, readFileSync(path, "utf8")));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}

/** Told by its lines: with Helm's expressions in it, it may be no YAML. */
function isDefinitionOf(operator: string, text: string): boolean {
  const lines = new Set(text.split(/\r?\n/).map((line) => line.trim()));
  return ["kind: CustomResourceDefinition", "app.kubernetes.io/managed-by: kaji", `app.kubernetes.io/name: ${operator}`].every((line) =>
    lines.has(line),
  );
}
