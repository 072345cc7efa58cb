import { fork } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { ProgramEnd } from "./program-host.ts";

const host = join(import.meta.dirname, "program-host.ts");

/** Runs programs one after the other in a process of theirs, and tells of each when it has ended. */
export function runHosted(paths: readonly string[], root: string): ReadonlyMap<string, Promise<ProgramEnd>> {
  const ends = new Map(paths.map((path) => [path, Promise.withResolvers<ProgramEnd>()]));
  const child = fork(host, paths, { cwd: root, execArgv: ["--conditions=@kaji/source"], stdio: ["ignore", "pipe", "pipe", "ipc"] });
  child.on("message", (sent) => {
    const end = sent as ProgramEnd;
    ends.get(end.path)?.resolve(end);
  });
  const printed = [child.stdout, child.stderr].map(async (stream) => (stream === null ? "" : await text(stream)));
  child.once("close", (code, signal) => {
    const failure = `the process of this program and others ended with ${signal ?? `code ${code}`}`;
    // Of those that have ended before, all is known.
    for (const [path, { resolve }] of ends) resolve(Promise.all(printed).then((texts) => ({ path, output: texts.join(""), failure })));
  });
  return new Map([...ends].map(([path, { promise }]) => [path, promise]));
}
