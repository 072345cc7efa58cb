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
    "/** Every group and version that a server can serve, in its order of preference. */",
    `export const groups: readonly ApiGroup[] = [\n${body.join("")}];\n`,
  ].join("\n");
}

function resourceLine(resource: ResourceFact): string {
  return `          ${JSON.stringify(resource)},\n`;
}
