import { cpSync, globSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { sourceSteps } from "../check-steps.ts";
import { runStep } from "../step.ts";

const root = join(import.meta.dirname, "../../../..");
const fixtures = join(import.meta.dirname, "../../fixtures");

/** The configuration that the fixtures are judged by is that of the workspace itself. */
const configuration = [
  ".gitignore",
  ".oxfmtrc.json",
  ".oxlintrc.json",
  "knip.json",
  "tsconfig.base.json",
  "tsconfig.browser.json",
  "tsconfig.check.json",
  "tsconfig.user.json",
];

/** A workspace of its own in a temporary folder, which is deleted on disposal. */
export interface FixtureWorkspace extends Disposable {
  readonly root: string;
  /** Runs one step of the check in it: what the step prints when it fails, empty when it passes. */
  run(stepName: string): Promise<string>;
}

/** The sound workspace, with the files of these fixtures laid over it. */
export function layOut(...overlays: readonly string[]): FixtureWorkspace {
  const folder = mkdtempSync(join(tmpdir(), "kaji-check-"));
  for (const fixture of ["sound", ...overlays]) cpSync(join(fixtures, fixture), folder, { recursive: true });
  for (const file of configuration) cpSync(join(root, file), join(folder, file));
  linkModules(folder);
  return {
    root: folder,
    run: (stepName) => run(stepName, folder),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

async function run(stepName: string, folder: string): Promise<string> {
  const step = sourceSteps.find(({ name }) => name === stepName);
  if (step === undefined) throw new Error(`the check has no step "${stepName}"`);
  const outcome = await runStep(step, folder);
  return outcome.type === "Failed" ? outcome.output : "";
}

/** Third parties as the real workspace has them; the packages of the house are the fixture's own. */
function linkModules(folder: string): void {
  const own = ["@kaji", "@kaji-tools"];
  for (const scope of own) mkdirSync(join(folder, "node_modules", scope), { recursive: true });
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (!own.includes(name) && name !== ".cache") symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  }
  for (const path of globSync("packages/*", { cwd: folder }))
    symlinkSync(join(folder, path), join(folder, "node_modules/@kaji", basename(path)));
  for (const path of globSync("tools/*", { cwd: folder }))
    symlinkSync(join(folder, path), join(folder, "node_modules/@kaji-tools", basename(path)));
}
