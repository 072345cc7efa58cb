import { existsSync } from "node:fs";
import { join } from "node:path";

/** The oldest Node that runs this program, as its package says. */
const oldest = 24;

/** Why a version of Node will not do; undefined if it does. A project may have a Node of its own, which only npm puts first in the path. */
export function nodeProblem(version: string, folder = "."): string | undefined {
  if (Number.parseInt(version, 10) >= oldest) return undefined;
  const own = existsSync(join(folder, "node_modules/.bin/node")) ? "npx kaji runs on the one that this project has; or " : "";
  return `it takes Node ${oldest} or newer, and this is ${version}; ${own}install a newer one from https://nodejs.org, or with your version manager`;
}
