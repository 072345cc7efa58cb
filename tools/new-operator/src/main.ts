import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { processTerminal, run } from "@kaji/cli";
import { refuseUse } from "@kaji-tools/script-options";
import { nameByContent } from "./content-names.ts";
import { forgetPackages } from "./forget-packages.ts";
import { withLocalPackages } from "./local-dependencies.ts";
import { packPackages } from "./pack-packages.ts";

const usage = `usage: npm run new -- --folder FOLDER [options of kaji init]

Makes a project for a new operator in a folder outside of this one, with the packages of this clone, and installs it. A project that it has made gets the packages of this clone as they are now, and nothing else
in it is touched.

Example:
  npm run new -- --folder ../web-sites --kind WebSite --group shop.example.com --yes
`;

/** Where a project has the packages of this clone. */
const packagesFolder = "kaji-packages";

const parameters = process.argv.slice(2);
// The other options are for kaji init to judge.
const options = { folder: { type: "string" }, help: { type: "boolean", short: "h" } } as const;
const { values } = parseArgs({ args: parameters, strict: false, options });
if (values.help === true) process.stdout.write(usage);
else
  process.exitCode = await make(
    resolve(typeof values.folder === "string" ? values.folder : refuseUse("new", "--folder FOLDER is missing")),
  );

async function make(folder: string): Promise<number> {
  const terminal = processTerminal();
  if (existsSync(join(folder, packagesFolder))) {
    terminal.out(`${folder} is a project already: it gets the packages of this clone, and no option changes anything else in it\n`);
    return (await installed(folder)) ? 0 : 1;
  }
  // It says in the end what to do next, which here is less: installing is done.
  const code = await run(["init", ...parameters], { ...terminal, out: (text) => terminal.out(text.split("\nNext:\n", 1)[0] ?? "") });
  if (code !== 0) return code;
  if (!(await installed(folder))) return 1;
  process.stdout.write(`\nNext:\n  cd ${folder}\n  npm test\n  npx kaji dev\n`);
  return 0;
}

/** Whether a project could be given the packages of this clone; says why not. */
async function installed(folder: string): Promise<boolean> {
  try {
    await install(folder);
    return true;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${reason.trimEnd()}\n\n${folder} is not installed yet: run this again to finish it, what is there is kept\n`);
    return false;
  }
}

/** Gives a project the packages of this clone. */
async function install(folder: string): Promise<void> {
  process.stdout.write("building and packing the packages of this clone, which takes a minute or so\n");
  const place = join(folder, packagesFolder);
  const packed = nameByContent(place, await packPackages(place));
  const file = join(folder, "package.json");
  const manifest = withLocalPackages(JSON.parse(readFileSync(file, "utf8")), folder, packed);
  writeFileSync(file, `${JSON.stringify(manifest, undefined, 2)}\n`);
  process.stdout.write("installing them\n");
  forgetPackages(
    folder,
    packed.map(({ name }) => name),
  );
  execFileSync("npm", ["install", "--no-audit", "--no-fund"], { cwd: folder, stdio: "inherit" });
}
