import type { GoFacts, GoType } from "./go-facts.ts";

const root = "k8s.io/api/core/v1.PodTemplateSpec";

/**
 * The Go types of a pod template, for those who must hash it as Kubernetes does: by its fields in the order and under the names that Go has for them.
 * One struct a line: its name, then its fields as `GoName jsonName type`, separated by commas; `-` stands for fields that are inline, `=` for a JSON name
 * that is the Go name with a small first letter. After a name of a type that is no struct comes `:` and what it stands for.
 */
export function podTemplateFile({ structs }: GoFacts): string {
  const lines = new Map<string, string>();
  visit(root);
  return `/** The Go types of a pod template; see tools/generate for the format. */\nexport const podTemplateTypes: string =\n  "${[...lines.values()].join('" +\n  "')}";\n`;

  function visit(name: string): void {
    if (lines.has(name)) return;
    const fields = structs[name] ?? [];
    lines.set(name, "");
    const texts = fields.map(({ goName, name: jsonName, inline, pointer, type }) => {
      const json = inline === true || jsonName === undefined ? "-" : jsonName === smallFirst(goName) ? "=" : jsonName;
      return `${goName} ${json} ${pointer === true ? "*" : ""}${typeText(type)}`;
    });
    lines.set(name, `${shortName(name)}: ${texts.join(",")}\\n`);
  }

  function typeText(type: GoType): string {
    const alias = type.alias === undefined ? "" : `${shortName(type.alias)}:`;
    if (type.struct !== undefined) {
      if (type.opaque !== true) visit(type.struct);
      return shortName(type.struct);
    }
    if (type.list !== undefined) return `${alias}[]${typeText(type.list)}`;
    if (type.map !== undefined) return `${alias}{}${typeText(type.map)}`;
    return `${alias}${type.scalar ?? ""}`;
  }
}

/** As Go prints the name of a type: after its package alone. */
function shortName(qualified: string): string {
  return qualified.slice(qualified.lastIndexOf("/") + 1);
}

function smallFirst(name: string): string {
  return name.slice(0, 1).toLowerCase() + name.slice(1);
}
