import { parseArgs } from "node:util";
import type { ParseArgsConfig } from "node:util";

/** What a script understands: its usage, which names it first, and its options. */
interface Script<Options> {
  /** `npm run NAME`, as who uses it writes it. */
  readonly name: string;
  /** What `--help` prints. */
  readonly usage: string;
  readonly options: Options;
  readonly allowPositionals?: boolean;
}

type OptionsConfig = NonNullable<ParseArgsConfig["options"]>;

type Given<Options extends OptionsConfig> = ReturnType<
  typeof parseArgs<{ readonly options: Options; readonly allowPositionals: true; readonly strict: true }>
>;

/**
 * What this process was given. It ends here when that is not understood, with one line and code 2, and when it is asked how
 * it is used.
 */
export function scriptOptions<const Options extends OptionsConfig>(script: Script<Options>): Given<Options> {
  const { name, usage, options, allowPositionals = false } = script;
  if (isHelp(process.argv.slice(2))) {
    process.stdout.write(`${usage.trimEnd()}\n`);
    process.exit(0);
  }
  try {
    return parseArgs({ options, allowPositionals, strict: true });
  } catch (error) {
    // What Node says after the first sentence is about options in general.
    const [sentence = ""] = (error instanceof Error ? error.message : String(error)).split(/\.? This |\. |\n/);
    return refuseUse(name, `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`);
  }
}

/** Ends the process: it was used in a way that it does not understand. */
export function refuseUse(name: string, problem: string): never {
  process.stderr.write(`${name}: ${problem}; npm run ${name} -- --help shows how it is used\n`);
  process.exit(2);
}

/** What follows `--` is for another program. */
function isHelp(given: readonly string[]): boolean {
  const end = given.indexOf("--");
  const own = end === -1 ? given : given.slice(0, end);
  return own.includes("--help") || own.includes("-h");
}
