import type { ControllerEnvironment } from "@kaji/runtime";
import type { BuiltinLoad } from "../builtin-load.ts";
import { chosenControllers } from "../chosen-controllers.ts";

/** Which controllers run, and in what. */
export interface ControllersOptions extends ControllerEnvironment {
  /** Their names. Default: all. */
  readonly only?: readonly string[];
}

/** Controllers at work, until they are disposed of. */
export interface RunningControllers extends AsyncDisposable {
  /** What all of them together have left to do. */
  readonly load: BuiltinLoad;
  /** Resolves when each has seen all that there is. */
  readonly synced: Promise<unknown>;
}

/** Starts the controllers of a cluster. A name that no controller has is refused. */
export function startControllers({ only, ...environment }: ControllersOptions): RunningControllers {
  const running = chosenControllers(only).map(({ start }) => start(environment));
  const end = new AbortController();
  const ended = Promise.all(running.map((each) => each.run(end.signal)));
  // The failure is reported by `synced` and by the disposal, so it is not an unhandled rejection.
  ended.catch(() => {});
  return {
    synced: Promise.race([Promise.all(running.map(({ synced }) => synced)), ended]),
    get load() {
      return running.map(({ load }) => load).reduce(together, idle);
    },
    async [Symbol.asyncDispose]() {
      end.abort();
      await ended;
    },
  };
}

const idle: BuiltinLoad = { queued: 0, inFlight: 0, nextDueInMs: undefined };

function together(left: BuiltinLoad, right: BuiltinLoad): BuiltinLoad {
  const due = [left.nextDueInMs, right.nextDueInMs].filter((ms) => ms !== undefined);
  return {
    queued: left.queued + right.queued,
    inFlight: left.inFlight + right.inFlight,
    nextDueInMs: due.length === 0 ? undefined : Math.min(...due),
  };
}
