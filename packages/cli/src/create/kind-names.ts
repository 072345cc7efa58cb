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

/** The kind that the name of a project suggests: `web-site-operator` → `WebSite`. */
export function suggestedKind(project: string): string {
  const words = project.replace(/-?(operator|controller)$/, "").split("-");
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("") || "Thing";
}
