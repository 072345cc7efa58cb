import { execFileSync } from "node:child_process";
import { z } from "zod";

const packed = z.array(z.object({ name: z.string(), files: z.array(z.object({ path: z.string() })) }));

const expected = ["LICENSE", "README.md"];

/** Every file of every package takes some hundred bytes of the listing, which is more than Node takes of a command unless told otherwise. */
const mostOutput = 64 * 1024 ** 2;

/** What is wrong with the files that the packages would publish: some that no user needs, or none of those that every package has. */
function complaints(folders: readonly string[]): string[] {
  const command = ["pack", "--dry-run", "--json", "--ignore-scripts", ...folders];
  const listing = execFileSync("npm", command, { encoding: "utf8", maxBuffer: mostOutput });
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
