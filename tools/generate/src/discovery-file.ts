import type { GroupFact, ResourceFact } from "./discovery-facts.ts";

/** The groups as a module with one typed literal, one resource per line. */
export function discoveryFile(groups: readonly GroupFact[]): string {
  const body = groups.map(
    ({ group, versions }) =>
      `  {\n    group: ${JSON.stringify(group)},\n    versions: [\n${versions
        .map(
          ({ version, resources }) =>
            `      {\n        version: ${JSON.stringify(version)},\n        resources: [\n${resources.map(resourceLine).join("")}        ],\n      },\n`,
        )
        .join("")}    ],\n  },\n`,
  );
  return [
    'import type { ApiGroup } from "../../api-group.ts";',
    "",
    "/** The verbs of most resources. */",
    `const all = ${everyVerb} as const;`,
    "",
    "/** Every group and version that a server can serve, in its order of preference. */",
    `export const groups: readonly ApiGroup[] = [\n${body.join("")}];\n`,
  ].join("\n");
}

function resourceLine(resource: ResourceFact): string {
  return `          ${JSON.stringify(resource).replace(`"verbs":${everyVerb}`, '"verbs":all')},\n`;
}

/** Most resources have all of them: written once, since every client installs the file. */
const everyVerb = JSON.stringify(["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"]);
