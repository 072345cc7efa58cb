import { parseApiVersion } from "@kaji/core";
import type { OperatorDefinition } from "@kaji/runtime";

/** What kubectl lets a kind be called by. */
export interface KubectlNames {
  readonly group: string;
  readonly kind: string;
  readonly singular: string;
  readonly plural: string;
  readonly shortNames: readonly string[];
}

/** What the kinds of an operator are called by. */
export function operatorNames({ controllers }: Pick<OperatorDefinition, "controllers">): readonly KubectlNames[] {
  return controllers.map(({ resource }) => ({ ...resource, shortNames: shortNamesOf(resource) }));
}

/** A kind that others have defined says nothing of short names. */
function shortNamesOf(resource: OperatorDefinition["controllers"][number]["resource"]): readonly string[] {
  return "shortNames" in resource && Array.isArray(resource.shortNames) ? resource.shortNames : [];
}

/** Whether a text names the kind of an object as kubectl takes it: `Deployment`, `deployments`, `deploy`, each also with its group, `deploy.apps`, or with version and group, `deployments.v1.apps`. */
export function isNamed(
  text: string,
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  known: readonly KubectlNames[],
): boolean {
  const { group, version } = parseApiVersion(apiVersion);
  const own = known.filter((each) => each.group === group && each.kind === kind);
  const names = [kind, ...own.flatMap(({ singular, plural, shortNames }) => [singular, plural, ...shortNames])];
  const endings = ["", `.${group}`, `.${version}.${group}`];
  return names.some((name) => endings.some((ending) => `${name}${ending}`.toLowerCase() === text.toLowerCase()));
}
