import { execFile } from "node:child_process";
import { globSync, mkdirSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";
import { removeStaleOutputs } from "./stale-outputs.ts";

/** A package of this workspace as it would be published. */
export interface PackedPackage {
  readonly name: string;
  readonly tarball: string;
}

const root = fileURLToPath(new URL("../../..", import.meta.url));
const report = z.array(z.object({ name: z.string(), filename: z.string() }));

/** Builds all packages of this workspace, and packs them into a folder. */
export async function packPackages(folder: string): Promise<readonly PackedPackage[]> {
  mkdirSync(folder, { recursive: true });
  const packages = globSync("packages/*", { cwd: root }).map((path) => `./${path}`);
  for (const path of packages) removeStaleOutputs(join(root, path));
  await run("node_modules/.bin/tsc", ["-b", ...packages], process.env);
  // The scripts that prepare a package run on the Node of this workspace.
  const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}` };
  const packed = await run("npm", ["pack", "--json", "--silent", "--pack-destination", folder, ...packages], env);
  return report.parse(JSON.parse(packed)).map(({ name, filename }) => ({ name, tarball: join(folder, filename) }));
}

/** What a program prints; throws with what it printed when it fails. */
async function run(program: string, parameters: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  try {
    return (await promisify(execFile)(program, parameters, { cwd: root, env, maxBuffer: 2 ** 26 })).stdout;
  } catch (error) {
    const printed = error instanceof Error && "stdout" in error && "stderr" in error ? `:\n${error.stdout}${error.stderr}` : "";
    throw new Error(`${program} failed in this clone${printed}`, { cause: error });
  }
}
