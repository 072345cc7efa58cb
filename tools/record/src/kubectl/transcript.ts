import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { maskOutput } from "./mask-output.ts";

/** With what a script is run. */
export interface ScriptOptions {
  /** A file of shell commands, one in each line, besides comments and empty lines. */
  readonly script: URL;
  /** The path of the kubectl that they mean. */
  readonly kubectl: string;
  readonly kubeconfig: string;
}

/** A command of a script, and what it printed. */
export interface Turn {
  readonly command: string;
  /** What it wrote to its outputs, and how it ended if not well; masked. */
  readonly output: string;
}

/** Runs the commands one after the other, in the folder `manifests` beside the script, with a home and a kubeconfig of their own. */
export async function runScript({ script, kubectl, kubeconfig }: ScriptOptions): Promise<readonly Turn[]> {
  const folder = mkdtempSync(join(tmpdir(), "kubectl-"));
  try {
    const [programs, config] = [join(folder, "bin"), join(folder, "kubeconfig")];
    mkdirSync(programs);
    symlinkSync(kubectl, join(programs, "kubectl"));
    copyFileSync(kubeconfig, config);
    const env = { PATH: `${programs}:${process.env["PATH"]}`, HOME: folder, KUBECONFIG: config, TZ: "UTC" };
    const cwd = join(dirname(fileURLToPath(script)), "manifests");
    const turns: Turn[] = [];
    for (const command of commandsOf(script)) turns.push({ command, output: await run(command, { cwd, env }) });
    return turns;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A script's output for people to read, and for `parseTranscript`. */
export function formatTranscript(turns: readonly Turn[]): string {
  return turns.map(({ command, output }) => `$ ${command}\n${output}\n`).join("");
}

/** The other way round. */
export function parseTranscript(transcript: string): readonly Turn[] {
  return transcript
    .split(/^\$ /m)
    .slice(1)
    .map((turn) => {
      const end = turn.indexOf("\n");
      return { command: turn.slice(0, end), output: turn.slice(end + 1, -1) };
    });
}

/** Which version a kubectl is of, such as `v1.36.3`. */
export async function kubectlVersion(kubectl: string): Promise<string> {
  const program = spawn(kubectl, ["version", "--client", "-o", "json"], { stdio: ["ignore", "pipe", "ignore"] });
  const [output] = await Promise.all([text(program.stdout), once(program, "close")]);
  const { clientVersion } = JSON.parse(output) as { readonly clientVersion: { readonly gitVersion: string } };
  return clientVersion.gitVersion;
}

/** Where a program is that the shell would run; undefined when there is none. */
export function programOnPath(name: string): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

function commandsOf(script: URL): readonly string[] {
  return readFileSync(script, "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
}

async function run(command: string, options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }): Promise<string> {
  const shell = spawn("bash", ["-c", command], { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const [out, err] = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, "close")]);
  const end = shell.exitCode === 0 ? "" : `(exit code ${shell.exitCode})\n`;
  return maskOutput(out + err) + end;
}
