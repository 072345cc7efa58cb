import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path/posix";
import { z } from "zod";

const names = z.record(z.string(), z.string()).default({});

const manifest = z.object({
  name: z.string(),
  private: z.boolean().default(false),
  workspaces: z.array(z.string()).default([]),
  exports: z.record(z.string(), z.record(z.string(), z.string()).nullable()).default({}),
  dependencies: names,
  devDependencies: names,
  peerDependencies: names,
  optionalDependencies: names,
});

/** A package of the workspace, or the root itself, as its manifest declares it. */
export interface WorkspacePackage {
  /** Relative to the root: `packages/core`; the root's own is `.`. */
  readonly directory: string;
  readonly name: string;
  readonly private: boolean;
  /** Sub-path, such as `./testing`, to its target under each condition; null shuts what a pattern would open. */
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>> | null>>;
  /** What is installed with it. */
  readonly dependencies: ReadonlySet<string>;
  /** What only its own development needs. */
  readonly devDependencies: ReadonlySet<string>;
}

/** All packages below a root folder. */
export interface Workspace {
  readonly root: string;
  readonly rootPackage: WorkspacePackage;
  readonly packages: readonly WorkspacePackage[];
  /** Folders where packages live that have source but no manifest, relative to the root. */
  readonly strays: readonly string[];
}

/** Where tests of several packages together live. They belong to the manifest of the root. */
export const rootTests = "test";

/** The condition under which `exports` leads to source. */
const sourceCondition = "@kaji/source";

/** Folders that hold no source of the package they stand in. */
const foreignFolders: ReadonlySet<string> = new Set(["node_modules", "dist", "fixtures", "testdata"]);

/** Reads the manifests of a workspace. */
export function readWorkspace(root: string): Workspace {
  const { workspaces } = readManifest(root, ".");
  const folders = globSync(workspaces, { cwd: root }).toSorted();
  const isPackage = (folder: string): boolean => existsSync(join(root, folder, "package.json"));
  return {
    root,
    rootPackage: readPackage(root, "."),
    packages: folders.filter(isPackage).map((folder) => readPackage(root, folder)),
    strays: folders.filter((folder) => !isPackage(folder) && sourcePaths(root, folder).length > 0),
  };
}

/** The TypeScript files of a folder, generated ones included, relative to the root. */
export function sourcePaths(root: string, folder: string): string[] {
  const paths = globSync(join(folder, "**/*.{ts,tsx}"), { cwd: root, exclude: (name) => foreignFolders.has(name) });
  return paths.filter((path) => !path.endsWith(".d.ts")).toSorted();
}

/** The folder under `packages/` that a package lives in; undefined for tools, examples and the root. */
export function layerOf({ directory }: WorkspacePackage): string | undefined {
  return /^packages\/([^/]+)$/.exec(directory)?.[1];
}

/** The files that `exports` names as source, relative to the root. Patterns stay patterns. */
export function entryPaths({ directory, exports }: WorkspacePackage): string[] {
  const sources = Object.values(exports).flatMap((target) => target?.[sourceCondition] ?? []);
  return sources.map((source) => join(directory, source));
}

function readPackage(root: string, directory: string): WorkspacePackage {
  const { name, private: isPrivate, exports, ...declared } = readManifest(root, directory);
  const dependencies = { ...declared.dependencies, ...declared.peerDependencies, ...declared.optionalDependencies };
  return {
    directory,
    name,
    private: isPrivate,
    exports,
    dependencies: new Set(Object.keys(dependencies)),
    devDependencies: new Set(Object.keys(declared.devDependencies)),
  };
}

function readManifest(root: string, directory: string): z.infer<typeof manifest> {
  const path = join(directory, "package.json");
  const parsed = manifest.safeParse(JSON.parse(readFileSync(join(root, path), "utf8")));
  if (!parsed.success) throw new Error(`${path} is not a manifest the checks understand: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}
