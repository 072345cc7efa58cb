import { defineOperator } from "./define-operator.ts";
import { createLog } from "../log/create-log.ts";
import { DebugSwitch } from "../log/debug-switch.ts";
import { explainFailure } from "./explain-failure.ts";
import { UsageError, helpText } from "./flags.ts";
import { operatorFlags, readSettings } from "./operator-settings.ts";
import type { OperatorSettings } from "./operator-settings.ts";
import { Operator } from "./operator.ts";
import type { RunOptions } from "./operator-parts.ts";
import { loadOptionalParts } from "./optional-parts.ts";
import { processSurroundings } from "./surroundings.ts";
import type { ConnectedServer, Surroundings } from "./surroundings.ts";

/**
 * Runs an operator until the process is told to end: what a `main.ts` calls. It exits with 0 when it was told to end and did, with 1 and one line on standard error when it could not go on, and
 * with 2 when it was called wrongly. A second signal ends it at once.
 */
export async function runOperator(options: RunOptions, surroundings: Surroundings = processSurroundings()): Promise<void> {
  defineOperator(options); // Throws at the caller if the declaration is wrong.
  const { argv, env, stdout, stderr, program, exit } = surroundings;
  const say = (line: string): void => void stderr.write(`${options.name}: ${line}\n`);
  let settings: OperatorSettings | "Help";
  try {
    settings = readSettings(
      argv,
      env,
      options.controllers.map((controller) => controller.name),
    );
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    say(error.message);
    return exit(2);
  }
  if (settings === "Help") {
    stdout.write(helpText(operatorFlags, usageOf(program)));
    return exit(0);
  }
  exit(await runWith(options, settings, surroundings, say));
}

async function runWith(
  options: RunOptions,
  settings: OperatorSettings,
  surroundings: Surroundings,
  say: (line: string) => void,
): Promise<number> {
  const { stderr, clock, exit } = surroundings;
  const debug = new DebugSwitch(settings.logLevel);
  const log = createLog(stderr, { level: () => debug.level, format: settings.logFormat, clock });
  using _debugSignals = surroundings.onDebugSignal(() => debug.turn(log));
  const end = new AbortController();
  using _signals = surroundings.onSignal(() => {
    if (end.signal.aborted) return exit(1);
    log.info("shutting down; a second signal exits at once");
    end.abort();
  });
  await using connections = new AsyncDisposableStack();
  const connect = async (): Promise<ConnectedServer> => {
    const connected = await surroundings.connect(settings);
    connections.defer(() => connected.transport[Symbol.asyncDispose]?.());
    return connected;
  };
  let main: ConnectedServer | undefined;
  try {
    main = await connect();
    const operator = new Operator({
      options,
      settings,
      surroundings,
      log,
      main,
      election: settings.leaderElect || settings.shards !== undefined ? await connect() : undefined,
      optional: await loadOptionalParts(options, settings),
    });
    await operator.greet(end.signal);
    await operator.manager.run(end.signal);
    return 0;
  } catch (error) {
    const line = explainFailure(error, main?.server);
    // Told to end before it had begun.
    if (end.signal.aborted && error === end.signal.reason) return 0;
    if (line === undefined) log.error({ err: error }, "unexpected failure");
    say(line ?? (error instanceof Error ? `${error.name}: ${error.message}` : String(error)));
    return 1;
  }
}

function usageOf(program: string): { readonly usage: string; readonly examples: readonly string[] } {
  const examples = [
    ["", "against the cluster that kubectl talks to"],
    [" --context staging --namespaces shop", "one namespace of another cluster"],
    [" --leader-elect --log-format json", "as one of several replicas, of which one works"],
    [" --shards 8", "as one of several replicas, all of which work"],
  ] as const;
  return { usage: `${program} [flags]`, examples: examples.map(([flags, why]) => `${program}${flags.padEnd(38)}# ${why}`) };
}
