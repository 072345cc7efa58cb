import { dns1123SubdomainErrors } from "@kaji/core";

/** A kind, and what things about it are called in a project. */
export interface KindNames {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Of its files, without extension: `web-site`. */
  readonly file: string;
  /** Whether it is told from a kind of the same name in another group. */
  readonly isPrefixed: boolean;
  /** Of its variables, in front of what they are: `webSite`, as in `webSiteController`. */
  readonly variable: string;
}

/** The names for a kind; `prefix` tells it from a kind of the same name in another group. */
export function kindNames({ group, version, kind }: Pick<KindNames, "group" | "version" | "kind">, prefix?: string): KindNames {
  const words = [...(prefix === undefined ? [] : [prefix]), ...wordsOf(kind)];
  const [first = "", ...others] = words;
  const variable = [first, ...others.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join("");
  return { group, version, kind, file: words.join("-"), isPrefixed: prefix !== undefined, variable };
}

/** `HTTPRoute` → `http`, `route`. */
function wordsOf(kind: string): readonly string[] {
  return kind
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(" ");
}

/** What is wrong with the name of a kind: a list of it has four characters more, and 63 are allowed. */
export function kindProblem(kind: string): string | undefined {
  return /^[A-Z][A-Za-z0-9]{0,58}$/.test(kind)
    ? undefined
    : `'${kind}' is not a kind: at most 59 letters and digits, the first a capital, such as WebSite`;
}

/** What is wrong with the group of a custom resource. */
export function groupProblem(group: string): string | undefined {
  const isGroup = dns1123SubdomainErrors(group).length === 0 && group.includes(".");
  return isGroup ? undefined : `'${group}' is not a group: a domain of yours in lower case, such as shop.example.com`;
}

/** What is wrong with a version. */
export function versionProblem(version: string): string | undefined {
  return /^v[1-9]\d*((alpha|beta)[1-9]\d*)?$/.test(version) ? undefined : `'${version}' is not a version such as v1alpha1, v1beta1 or v1`;
}

/** What is wrong with the name of a project. */
export function projectNameProblem(name: string): string | undefined {
  return /^[a-z]([-a-z0-9]{0,50}[a-z0-9])?$/.test(name)
    ? undefined
    : `'${name}' is not a name for an operator: at most 52 lower case letters, digits and dashes, such as web-sites`;
}

/** The kind that the name of a project suggests: `web-site-operator` → `WebSite`. */
export function suggestedKind(project: string): string {
  const words = project.replace(/-?(operator|controller)$/, "").split("-");
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("") || "Thing";
}
