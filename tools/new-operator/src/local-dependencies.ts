import { relative } from "node:path";
import type { PackedPackage } from "./pack-packages.ts";

/** What is read and written of a project's manifest. */
export interface ProjectManifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly overrides?: Readonly<Record<string, string>>;
}

/** The manifest of a project in a folder, whose packages of the house are the packed ones: what it asks for itself, and what those ask for in turn. */
export function withLocalPackages<M extends ProjectManifest>(manifest: M, folder: string, packed: readonly PackedPackage[]): M {
  const places = new Map(packed.map(({ name, tarball }) => [name, `file:${relative(folder, tarball)}`]));
  const placed = (dependencies: Readonly<Record<string, string>> = {}): Record<string, string> =>
    Object.fromEntries(Object.entries(dependencies).map(([name, range]) => [name, places.get(name) ?? range]));
  const [dependencies, devDependencies] = [placed(manifest.dependencies), placed(manifest.devDependencies)];
  const indirect = [...places].filter(([name]) => !(name in dependencies) && !(name in devDependencies));
  return { ...manifest, dependencies, devDependencies, overrides: { ...manifest.overrides, ...Object.fromEntries(indirect) } };
}
