import { pathToFileURL } from "node:url";
import { inspect } from "node:util";

/** What became of a program. */
export interface ProgramEnd {
  /** Where it is. */
  readonly path: string;
  /** All that it has printed. */
  readonly output: string;
  /** What it died of; undefined if it ended well. */
  readonly failure: string | undefined;
}

// The process of programs that run one after the other, so that what they import is loaded and compiled once. Each has ended when nothing is left that runs,
// as it would have in a process of its own; what became of it is sent to whoever has started this.

const paths = process.argv.slice(2).values();
let running: { readonly path: string; isLoaded: boolean } | undefined;
let output = "";
let failure: string | undefined;

for (const stream of [process.stdout, process.stderr]) {
  stream.write = (chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean => {
    output += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
    for (const called of rest) if (typeof called === "function") process.nextTick(called);
    return true;
  };
}
process.on("uncaughtException", fail);
process.on("beforeExit", (code) => {
  if (running !== undefined) end(running, code);
  const { value: path } = paths.next();
  running = path === undefined ? undefined : { path, isLoaded: false };
  if (running !== undefined) start(running);
});

function start(program: NonNullable<typeof running>): void {
  [output, failure] = ["", undefined];
  // Apart from the module of that name which other programs of the page import.
  import(`${pathToFileURL(program.path).href}?program`).catch(fail).finally(() => (program.isLoaded = true));
  // Without anything to wait for Node would not come back.
  setImmediate(() => {});
}

function end({ path, isLoaded }: NonNullable<typeof running>, code: number): void {
  if (!isLoaded) fail("it waits for what never comes");
  if (code !== 0) fail(`it ended with code ${code}`);
  process.exitCode = undefined;
  process.send?.({ path, output, failure } satisfies ProgramEnd);
}

function fail(error: unknown): void {
  failure = `${failure ?? ""}${typeof error === "string" ? error : inspect(error)}\n`;
}
