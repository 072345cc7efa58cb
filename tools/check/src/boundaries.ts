import { fileViolations, indexViolations } from "./file-rules.ts";
import { importViolations } from "./import-rules.ts";
import { layers } from "./layers.ts";
import { projectViolations } from "./project-references.ts";
import { readSource } from "./source-file.ts";
import { formatViolations } from "./violation.ts";
import type { Violation } from "./violation.ts";
import { layerOf, readWorkspace, rootTests, sourcePaths } from "./workspace.ts";
import type { Workspace, WorkspacePackage } from "./workspace.ts";

/** Everything in a workspace that stands where it must not, or imports what it must not. */
function boundaryViolations(workspace: Workspace): Violation[] {
  const ofPackages = workspace.packages.flatMap((each) => packageViolations(each, sourcePaths(workspace.root, each.directory), workspace));
  const rootPaths = sourcePaths(workspace.root, rootTests);
  return [
    ...workspace.strays.map((folder) => unknownPackage(folder, "has no manifest, so that nothing checks what is in it")),
    ...ofPackages,
    ...sourceViolations(workspace.rootPackage, rootPaths, workspace),
    ...projectViolations(workspace),
  ];
}

function packageViolations(owner: WorkspacePackage, paths: readonly string[], workspace: Workspace): Violation[] {
  const layer = layerOf(owner);
  if (layer !== undefined && !layers.has(layer)) return [unknownPackage(owner.directory, "is not in the table of layers.ts")];
  return [...indexViolations(owner, paths), ...sourceViolations(owner, paths, workspace)];
}

function sourceViolations(owner: WorkspacePackage, paths: readonly string[], workspace: Workspace): Violation[] {
  return paths.flatMap((path) => {
    const file = readSource(workspace.root, path);
    const shape = path.includes("/generated/") ? [] : fileViolations(file, owner);
    return [...importViolations(file, owner, workspace), ...shape];
  });
}

function unknownPackage(folder: string, message: string): Violation {
  return { rule: "unknown-package", file: `${folder}/package.json`, line: 1, message };
}

if (import.meta.main) {
  const violations = boundaryViolations(readWorkspace(process.cwd()));
  process.stdout.write(formatViolations(violations));
  process.exitCode = violations.length === 0 ? 0 : 1;
}
