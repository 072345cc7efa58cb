import type { ControllerEnvironment, EventRecorder } from "@kaji/runtime";
import { builtinControllers } from "./builtin-controllers.ts";
import type { Activity, BuiltinController } from "./builtin-controllers.ts";

/** Which controllers run, and in what. */
export interface ControllersOptions extends ControllerEnvironment {
  /** Their names. Default: all. */
  readonly only?: readonly string[];
  /** Who says what a controller did, by its name. Default: the recorder of them all. */
  readonly recorderOf?: (controller: string) => EventRecorder;
}

/** Controllers at work, until they are disposed of. */
export interface RunningControllers extends AsyncDisposable {
  /** What all of them together have left to do. */
  readonly activity: Activity;
  /** Resolves when each has seen all that there is. */
  readonly synced: Promise<unknown>;
}

/** Starts the controllers of a cluster. A name that no controller has is refused. */
export function startControllers({ only, recorderOf, ...environment }: ControllersOptions): RunningControllers {
  const { recorder } = environment;
  const running = chosen(only).map(({ name, start }) => start({ ...environment, recorder: recorderOf?.(name) ?? recorder }));
  const end = new AbortController();
  const ended = Promise.all(running.map((each) => each.run(end.signal)));
  // Whoever disposes of them hears of it.
  ended.catch(() => {});
  return {
    synced: Promise.race([Promise.all(running.map(({ synced }) => synced)), ended]),
    get activity() {
      return running.map(({ activity }) => activity).reduce(together, idle);
    },
    async [Symbol.asyncDispose]() {
      end.abort();
      await ended;
    },
  };
}

const idle: Activity = { queued: 0, inFlight: 0, nextDueInMs: undefined };

function chosen(only: readonly string[] | undefined): readonly BuiltinController[] {
  if (only === undefined) return builtinControllers;
  const unknown = only.find((name) => builtinControllers.every((controller) => controller.name !== name));
  if (unknown !== undefined) throw new TypeError(`there is no controller "${unknown}"; there are ${names()}`);
  return builtinControllers.filter(({ name }) => only.includes(name));
}

function names(): string {
  return [...new Set(builtinControllers.map(({ name }) => name))].toSorted().join(", ");
}

function together(left: Activity, right: Activity): Activity {
  const due = [left.nextDueInMs, right.nextDueInMs].filter((ms) => ms !== undefined);
  return {
    queued: left.queued + right.queued,
    inFlight: left.inFlight + right.inFlight,
    nextDueInMs: due.length === 0 ? undefined : Math.min(...due),
  };
}
