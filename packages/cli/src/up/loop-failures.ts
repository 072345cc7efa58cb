import { ToldError } from "@kaji/cluster/control-plane";
import { ApiError, RecentMap } from "@kaji/core";
import type { Log, LogLine } from "@kaji/runtime";
import type { Terminal } from "../command.ts";

/** So many failures are remembered, so that none of them is told again. */
const mostTold = 1000;

/**
 * Writes what goes wrong in controllers, scheduler and kubelets themselves, each thing once, with its stack: on a cluster such programs have logs of their own. What the server refuses them is for users
 * to see, in events.
 */
export function loopFailures(terminal: Terminal): Log {
  return logOf({}, terminal, new RecentMap(mostTold));
}

interface Fields {
  readonly component?: unknown;
  readonly object?: unknown;
  readonly err?: unknown;
}

function logOf(common: Fields, terminal: Terminal, told: RecentMap<string, true>): Log {
  const ignored = (): void => {};
  return {
    debug: ignored,
    info: ignored,
    warn: ignored,
    error(...line: LogLine) {
      const [fields] = line;
      if (typeof fields === "string") return;
      const { component, object, err }: Fields = { ...common, ...fields };
      if (!(err instanceof Error) || err instanceof ApiError || err instanceof ToldError) return;
      const what = `${String(component)} ${err.name} ${err.message}`;
      if (told.get(what) === true) return;
      told.set(what, true);
      const place = typeof object === "string" ? ` at ${object}` : "";
      terminal.err(`internal error in ${String(component)}${place}: ${err.stack ?? err.message}\n`);
    },
    child: (fields) => logOf({ ...common, ...fields }, terminal, told),
  };
}
