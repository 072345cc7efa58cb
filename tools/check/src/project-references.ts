import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path/posix";
import { z } from "zod";
import type { Violation } from "./violation.ts";
import { rootTests } from "./workspace.ts";
import type { Workspace, WorkspacePackage } from "./workspace.ts";

const project = z.object({ references: z.array(z.object({ path: z.string() })).default([]) });

/**
 * What `tsc -b` would not see. The root project must refer to every package, and a package to every package of the workspace it
 * depends on: the compiler itself is silent about a project that nobody refers to.
 */
export function projectViolations(workspace: Workspace): Violation[] {
  const { root, packages } = workspace;
  const folders = [...packages.map(({ directory }) => directory), ...[rootTests].filter((folder) => existsSync(join(root, folder)))];
  const missing = folders.map((folder) => join(folder, "tsconfig.json")).filter((path) => !existsSync(join(root, path)));
  return [
    ...missing.map((file) => violation(file, "is missing; the package is not type-checked")),
    ...compare(root, "tsconfig.json", folders),
    ...packages
      .filter(({ directory }) => !missing.includes(join(directory, "tsconfig.json")))
      .flatMap((each) => packageReferences(each, workspace)),
  ];
}

function packageReferences({ directory, dependencies, devDependencies }: WorkspacePackage, { root, packages }: Workspace): Violation[] {
  const needed = packages.filter(({ name }) => dependencies.has(name) || devDependencies.has(name));
  return compare(
    root,
    join(directory, "tsconfig.json"),
    needed.map((each) => each.directory),
  );
}

function compare(root: string, file: string, wanted: readonly string[]): Violation[] {
  const present = readReferences(root, file);
  const absent = wanted.filter((directory) => !present.includes(directory));
  const stale = present.filter((directory) => !wanted.includes(directory));
  return [
    ...absent.map((directory) => violation(file, `lacks { "path": "${relative(dirname(file), directory)}" } in "references"`)),
    ...stale.map((directory) => violation(file, `refers to ${directory}, which it does not depend on`)),
  ];
}

/** The folders a project refers to, relative to the root of the workspace. */
function readReferences(root: string, file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  return project.parse(JSON.parse(text)).references.map(({ path }) => join(dirname(file), path));
}

function violation(file: string, message: string): Violation {
  return { rule: "project-reference", file, line: 1, message };
}
