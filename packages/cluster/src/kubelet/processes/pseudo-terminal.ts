import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { constants, existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { TerminalSize } from "../../kinds/core/container-command.ts";

/** The command line of what runs a program on a new terminal, is joined to that itself, and ends as the program does. */
export type TerminalHost = (program: readonly string[]) => readonly string[];

/** What runs programs on terminals on this machine, which Node cannot. Undefined where there is nothing for that. */
export function findTerminalHost(): TerminalHost | undefined {
  return findScript() ?? findPython();
}

/** `script` as Linux has it. That of other systems has no terminal for others unless it is on one itself. */
export function findScript(): TerminalHost | undefined {
  const script = pathOf("script");
  if (script === undefined || !spawnSync(script, ["--version"], { encoding: "utf8" }).stdout.includes("util-linux")) return undefined;
  return (program) => [script, "--quiet", "--flush", "--return", "--command", `exec ${program.map(quoted).join(" ")}`, "/dev/null"];
}

/** Python, which has it in its library. */
export function findPython(): TerminalHost | undefined {
  const python = pathOf("python3");
  if (python === undefined || spawnSync(python, ["-I", "-c", "import pty"]).status !== 0) return undefined;
  return (program) => [python, "-I", "-c", pythonHost, ...program];
}

/** Why nothing runs on a terminal where no host has been found. */
export const noTerminalHost = "no terminal can be had on this machine: that takes script of util-linux, or python3";

const pythonHost = `import os, pty, sys
code = os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:]))
sys.exit(code if code >= 0 else 128 - code)`;

/** Says on file descriptor 3 who leads the terminal's session and where it is, and becomes the program. */
const prologue = `path=$PATH PATH=/usr/bin:/bin
echo "$$ $(tty)" >&3
stty sane
PATH=$path
exec "$@"`;

/** The same when the program knows nothing of file descriptor 3. */
const closingPrologue = `${prologue} 3>&-`;

/** The command line of a program on a new terminal, which it tells on file descriptor 3 as `terminalOf` reads it. */
export function onTerminal(
  program: readonly string[],
  host: TerminalHost,
  options: { readonly takesDescriptor: boolean },
): readonly string[] {
  return host(["/bin/sh", "-c", options.takesDescriptor ? prologue : closingPrologue, "sh", ...program]);
}

/** A terminal that a program runs on. */
export interface PseudoTerminal {
  /** The process that leads its session. */
  readonly leader: number;
  /** Its device. */
  readonly path: string;
}

/** The terminal that a line tells of. */
export function terminalOf(line: string): PseudoTerminal | undefined {
  const [, leader, path] = /^(\d+) (\/\S+)$/.exec(line) ?? [];
  return leader === undefined || path === undefined ? undefined : { leader: Number(leader), path };
}

/** Gives a terminal its size, of which what runs on it is told by SIGWINCH. One that is gone has none. */
export async function setTerminalSize({ path }: PseudoTerminal, { columns, rows }: TerminalSize): Promise<void> {
  // It must not become ours: then its end would be.
  const device = await open(path, constants.O_RDWR | constants.O_NOCTTY).catch(() => undefined);
  if (device === undefined) return;
  try {
    const stty = spawn("stty", ["rows", String(rows), "cols", String(columns)], { stdio: [device.fd, "ignore", "ignore"] });
    await once(stty, "close");
  } finally {
    await device.close();
  }
}

/** Where a program is that the machine's user has. */
function pathOf(program: string): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

/** A word as a shell reads it. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
