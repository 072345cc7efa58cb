import { execFileSync } from "node:child_process";
import { z } from "zod";

const packed = z.array(z.object({ name: z.string(), files: z.array(z.object({ path: z.string() })) }));

const expected = ["LICENSE", "README.md"];

/** What is wrong with the files that the packages would publish: some that no user needs, or none of those that every package has. */
function complaints(folders: readonly string[]): string[] {
  const listing = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts", ...folders], { encoding: "utf8" });
  return packed.parse(JSON.parse(listing)).flatMap(({ name, files }) => {
    const paths = files.map(({ path }) => path);
    const strays = paths.filter((path) => /\.test\.|\.tsbuildinfo$/.test(path));
    const missing = expected.filter((path) => !paths.includes(path));
    return [
      ...strays.map((path) => `${name} would publish ${path}; leave it out in "files"`),
      ...missing.map((path) => `${name} would be published without ${path}`),
    ];
  });
}

const found = complaints(process.argv.slice(2));
process.stdout.write(found.map((line) => `${line}\n`).join(""));
process.exitCode = found.length === 0 ? 0 : 1;
