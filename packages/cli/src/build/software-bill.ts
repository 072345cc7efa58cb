import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Project } from "../project/project.ts";

/** The bill of materials of a bundle, in CycloneDX: each package of which a file went into it. The same bundle gives the same text. */
export function softwareBill({ name, version, folder }: Project, inputs: readonly string[]): string {
  const packages = new Map<string, PackageName>();
  for (const input of inputs) {
    const found = packageOf(dirname(input), folder);
    if (found !== undefined) packages.set(purlOf(found), found);
  }
  const components = [...packages].sort(([left], [right]) => (left < right ? -1 : 1));
  const bill = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { type: "application", name, version } },
    components: components.map(([purl, each]) => ({ type: "library", ...each, purl })),
  };
  return `${JSON.stringify(bill, undefined, 2)}\n`;
}

interface PackageName {
  readonly name: string;
  readonly version: string;
}

function purlOf({ name, version }: PackageName): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

/** The package that a folder belongs to; undefined for the project itself. */
function packageOf(folder: string, project: string): PackageName | undefined {
  for (let at = folder; at !== project && at !== dirname(at); at = dirname(at)) {
    const path = join(at, "package.json");
    if (!existsSync(path)) continue;
    const manifest = JSON.parse(readFileSync(path, "utf8")) as Partial<PackageName>;
    // Some packages have a manifest in each folder that says nothing but its module format.
    if (manifest.name !== undefined && manifest.version !== undefined) return { name: manifest.name, version: manifest.version };
  }
  return undefined;
}
