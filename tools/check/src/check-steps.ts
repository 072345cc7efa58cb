import { fileURLToPath } from "node:url";
import type { Step } from "./step.ts";
import { layerOf } from "./workspace.ts";
import type { Workspace } from "./workspace.ts";

/**
 * `npm run check`, the longest parts first so that two cores are busy to the end. Types are checked in one program, so that nothing is read
 * twice; the projects, of which each can be built alone, only emit.
 */
export const sourceSteps: readonly Step[] = [
  { name: "types", command: ["tsc", "-p", "tsconfig.check.json", "--pretty", "false"] },
  { name: "declarations", command: ["tsc", "-b", "--noCheck", "--pretty", "false"] },
  // What runs in a browser has other globals, and none of Node.
  { name: "browser types", command: ["tsc", "-p", "tsconfig.browser.json", "--pretty", "false"] },
  // Users have fewer of the compiler's options than we do, and our declarations instead of our sources.
  { name: "types of users", command: ["tsc", "-p", "tsconfig.user.json", "--pretty", "false"], after: "declarations" },
  { name: "unused", command: ["knip", "--no-progress", "--no-config-hints"] },
  { name: "lint", command: ["oxlint"] },
  { name: "boundaries", command: program("boundaries.ts") },
  { name: "links", command: program("links.ts") },
  { name: "format", command: ["oxfmt", "--check"] },
  { name: "api", command: program("api-report.ts", "--check"), after: "declarations" },
];

/** `npm run check:packages`: whether what was built is fit to be published. */
export function packageSteps({ packages }: Workspace): Step[] {
  const published = packages.filter((each) => layerOf(each) !== undefined && !each.private);
  const folders = published.map(({ directory }) => `./${directory}`);
  return [
    // Corepack would fetch the npm that such a field names; any npm will do here.
    { name: "consistency", command: ["sherif", "--ignore-rule", "root-package-manager-field"] },
    { name: "tarballs", command: program("tarballs.ts", ...folders) },
    ...folders.map((folder): Step => ({ name: `publint ${folder}`, command: ["publint", "--strict", folder] })),
  ];
}

function program(file: string, ...parameters: readonly string[]): Step["command"] {
  return [process.execPath, fileURLToPath(new URL(file, import.meta.url)), ...parameters];
}
