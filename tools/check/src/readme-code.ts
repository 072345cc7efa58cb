import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path/posix";
import type { ProgramEnd } from "./program-host.ts";
import { runHosted } from "./run-hosted.ts";
import { runStep } from "./step.ts";
import type { Outcome } from "./step.ts";

/** A program that a README shows: one block, with those that continue it. */
export interface ReadmeProgram {
  /** The README, relative to the root. */
  readonly file: string;
  /** Where its first block begins. */
  readonly line: number;
  /** The file that it is laid out as, by which other programs of the README import it. */
  readonly name: string;
  /** Each line of code stands at its line in the README, so that messages point there. */
  readonly code: string;
}

/** Programs in a temporary folder inside the workspace, which is deleted on disposal. */
export interface ProgramFolder extends Disposable {
  /** Type-checks all programs against the source of the workspace: what is wrong, by README and line; empty when all is well. */
  typeCheck(): Promise<string>;
  /** Runs programs: what each died of or did not print as promised, empty when it ended well. */
  execute(programs: readonly ReadmeProgram[]): ReadonlyMap<ReadmeProgram, Promise<string>>;
}

/** The READMEs, and the pages whose code is whole programs. */
const pages = ["README.md", "docs/{from-a-loop,getting-started}.md", "docs/guide/*.md", "packages/*/README.md", "examples/*/README.md"];

/** The programs of all READMEs of a workspace, and of the pages that are programs. */
export function readmePrograms(root: string): ReadmeProgram[] {
  return globSync(pages, { cwd: root })
    .toSorted()
    .flatMap((file) => extractPrograms(file, readFileSync(join(root, file), "utf8")));
}

/**
 * The programs of one README: every block marked `ts`. One marked `ts continued` goes on where the one before ended, and one with the name of a
 * file, `ts website.ts`, is that file beside the others.
 */
export function extractPrograms(file: string, markdown: string): ReadmeProgram[] {
  const programs: ReadmeProgram[] = [];
  for (const { index, groups } of markdown.matchAll(/^```(?<info>(?:ts|js|typescript|javascript)\b.*)\n(?<code>[^]*?)^```$/gm)) {
    const { info, code = "" } = groups ?? {};
    const line = markdown.slice(0, index).split("\n").length;
    const [, mark] = /^ts(?: (continued|[a-z-]+(?:\.test)?\.ts))?$/.exec(info ?? "") ?? [];
    if (mark === undefined && info !== "ts")
      throw new Error(`${file}:${line}: mark code "ts", "ts continued" or "ts FILE.ts", or "text" if it cannot run`);
    const previous = mark === "continued" ? programs.pop() : undefined;
    const before = previous?.code ?? "";
    const padding = "\n".repeat(line - before.split("\n").length + 1);
    const name = previous?.name ?? mark ?? `line-${line}.ts`;
    programs.push({ file, line: previous?.line ?? line, name, code: before + padding + code });
  }
  return programs;
}

/** Lays programs out below the root, where the packages resolve; not under `node_modules`, where Node strips no types. */
export function layOutPrograms(root: string, programs: readonly ReadmeProgram[]): ProgramFolder {
  mkdirSync(join(root, ".cache"), { recursive: true });
  const folder = mkdtempSync(join(root, ".cache/readme-code-"));
  const pathOf = ({ file, name }: ReadmeProgram): string => join(folder, file, name);
  for (const program of programs) write(pathOf(program), program.code);
  write(join(folder, "tsconfig.json"), JSON.stringify(project));
  return {
    typeCheck: async () =>
      failureOf(await runStep({ name: "types", command: ["tsc", "--pretty", "false", "-p", relative(root, folder)] }, root)),
    execute(all) {
      const [alone, together] = [all.filter(isTest), all.filter((program) => !isTest(program))];
      const ends = runHosted(together.map(pathOf), root);
      const outcomeOf = async (program: ReadmeProgram): Promise<string> => {
        const { output, failure } = await (ends.get(pathOf(program)) ?? ranAlone(pathOf(program), root));
        return failure === undefined ? brokenPromises(program, output) : withPages(output + failure);
      };
      return new Map([...together, ...alone].map((program) => [program, outcomeOf(program)]));
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

/** As a user's project is: strict, but free to leave exported things without a written type. */
const project = {
  extends: "../../tsconfig.base.json",
  compilerOptions: { noEmit: true, composite: false, declarationMap: false, isolatedDeclarations: false, noUnusedLocals: false },
};

function failureOf(outcome: Outcome): string {
  return withPages(outcome.type === "Failed" ? outcome.output : "");
}

/** A message with the pages that programs stand in, instead of their files. */
function withPages(message: string): string {
  return message.replaceAll(/(?:[^\s(]*\/)?\.cache\/readme-code-\w+\/(.+?\.md)\/[\w-]+(?:\.test)?\.ts(?:\?program)?/g, "$1");
}

/** A test runs as its reader runs it: Node tells of it when its process ends. */
function isTest({ name }: ReadmeProgram): boolean {
  return name.endsWith(".test.ts");
}

type End = Pick<ProgramEnd, "failure" | "output">;

async function ranAlone(path: string, root: string): Promise<End> {
  const outcome = await runStep({ name: "run", command: [process.execPath, "--conditions=@kaji/source", path] }, root);
  return outcome.type === "Passed" ? { output: outcome.output, failure: undefined } : { output: "", failure: failureOf(outcome) };
}

/** A comment behind `console.log` on its line promises what is printed; the promises must be kept in their order. */
function brokenPromises({ file, line, code }: ReadmeProgram, output: string): string {
  const promised = [...code.matchAll(/^ *console\.log\(.*\); \/\/ (.+)$/gm)].map(([, text = ""]) => text);
  const printed = output.split("\n");
  const broken = promised.find((text) => {
    const at = printed.indexOf(text);
    printed.splice(0, at + 1);
    return at < 0;
  });
  return broken === undefined ? "" : `${file}:${line}: does not print "${broken}" in its turn, but:\n${output}`;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
