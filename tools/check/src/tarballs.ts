import { execFileSync } from "node:child_process";
import { z } from "zod";

const packed = z.array(z.object({ name: z.string(), files: z.array(z.object({ path: z.string() })) }));

/** Files that a published package would carry though no user needs them. */
function strayFiles(folders: readonly string[]): string[] {
  const listing = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts", ...folders], { encoding: "utf8" });
  return packed.parse(JSON.parse(listing)).flatMap(({ name, files }) => {
    const strays = files.map(({ path }) => path).filter((path) => /\.test\.|\.tsbuildinfo$/.test(path));
    return strays.map((path) => `${name} would publish ${path}; leave it out in "files"`);
  });
}

const strays = strayFiles(process.argv.slice(2));
process.stdout.write(strays.map((line) => `${line}\n`).join(""));
process.exitCode = strays.length === 0 ? 0 : 1;
