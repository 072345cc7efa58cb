import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Runs a program and resolves to what it writes to stdout; rejects with all it wrote if it fails. */
export function runProgram(program: string, parameters: readonly string[], input = ""): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, [...parameters], { maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      error === null ? resolve(stdout) : reject(new Error(`${program} ${parameters.join(" ")}: ${error.message}\n${stdout}${stderr}`)),
    );
    child.stdin?.end(input);
  });
}

/** Runs `kaji` from its sources. */
export function kaji(...parameters: readonly string[]): Promise<string> {
  return runProgram(process.execPath, ["--conditions=@kaji/source", `${root}packages/cli/src/main.ts`, ...parameters]);
}

/** The folder of an example. */
export function exampleFolder(name: "bar" | "bucket-prober" | "cronjob"): string {
  return `${root}examples/${name}`;
}
