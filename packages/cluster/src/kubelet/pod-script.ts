import { compileSelector, parseSelector } from "@kaji/core";
import type { Clock, LabelSelector } from "@kaji/core";
import type { Pod } from "@kaji/types/core/v1";
import { consumptionOf } from "./consumption.ts";
import type { Consumption, ScriptedUsage } from "./consumption.ts";

/** What a test says the containers of a pod do, where it says anything. */
export interface ScriptedBehaviour {
  /** They end with this code whenever they run, but not before that time. */
  readonly exit?: { readonly code: number; readonly notBeforeMs: number } | undefined;
  readonly isReady?: boolean | undefined;
  readonly logs?: readonly string[] | undefined;
  /** Why their image cannot be pulled. */
  readonly pullFailure?: string | undefined;
  readonly onCommand?: CommandScript | undefined;
  /** What they use at the moment; undefined if nobody can tell. */
  readonly usage?: ((pod: Pod) => Consumption | undefined) | undefined;
}

/** Says what each container of a pod uses at the moment; undefined if nobody can tell. */
export type UsageScript = (pod: Pod) => ScriptedUsage | undefined;

/** A command that somebody runs in a container, as `kubectl exec` does. */
export interface ScriptedCommand {
  readonly words: readonly string[];
  /** All that it was given to read. */
  readonly stdin: string;
  readonly pod: Pod;
  readonly container: string;
}

/** What a command writes, and how it ends. */
export interface CommandAnswer {
  readonly stdout?: string;
  readonly stderr?: string;
  /** Default 0. */
  readonly exitCode?: number;
}

/** Says what a command does; undefined if it does what its name says, as far as that is known. */
export type CommandScript = (command: ScriptedCommand) => CommandAnswer | undefined | Promise<CommandAnswer | undefined>;

/** Which pods are meant. */
export type PodMatcher = string | LabelSelector | ((pod: Pod) => boolean);

/** Which containers of the pods are meant. Default all but init containers. */
export interface ScriptOptions {
  readonly container?: string;
}

/** What tests say that pods do. Of two contradictory statements the later one holds. */
export class PodScripts {
  readonly #clock: Clock;
  readonly #scripts: { readonly matches: (pod: Pod) => boolean; readonly script: PodScript }[] = [];
  readonly #listeners = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** An independent copy on another clock: what a test says later to one does not change the other. */
  copy(clock: Clock): PodScripts {
    const copy = new PodScripts(clock);
    for (const { matches, script } of this.#scripts) copy.#scripts.push({ matches, script: script.copy(clock, () => copy.#changed()) });
    return copy;
  }

  /** Means the pods with these labels, such as `app=web`, that there are or will be; or those that a function picks. */
  match(matcher: PodMatcher): PodScript {
    const script = new PodScript(this.#clock, () => this.#changed());
    this.#scripts.push({ matches: predicateOf(matcher), script });
    return script;
  }

  /** What is said of a container. */
  of(pod: Pod, container: string, isInit: boolean): ScriptedBehaviour {
    const said = this.#scripts.filter(({ matches, script }) => !script.isEmpty && matches(pod));
    return Object.assign({}, ...said.map(({ script }) => script.of(container, isInit)));
  }

  onChange(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => this.#listeners.delete(listener) };
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** What some pods do, from now on. */
export class PodScript {
  readonly #clock: Clock;
  readonly #changed: () => void;
  /** By the name of a container; undefined for all but init containers. */
  readonly #behaviours = new Map<string | undefined, ScriptedBehaviour>();

  constructor(clock: Clock, changed: () => void) {
    this.#clock = clock;
    this.#changed = changed;
  }

  get isEmpty(): boolean {
    return this.#behaviours.size === 0;
  }

  copy(clock: Clock, changed: () => void): PodScript {
    const copy = new PodScript(clock, changed);
    for (const [container, behaviour] of this.#behaviours) copy.#behaviours.set(container, behaviour);
    return copy;
  }

  /** They end with a code as soon as they run, each time that they are run. */
  exit(code: number, options: ScriptOptions = {}): this {
    return this.#say({ exit: { code, notBeforeMs: this.#clock.now() } }, options);
  }

  /** They fail as soon as they run, each time that they are run. */
  crashLoop(options: ScriptOptions = {}): this {
    return this.exit(1, options);
  }

  /** They end well. */
  succeed(options: ScriptOptions = {}): this {
    return this.exit(0, options);
  }

  /** They run, but never become ready; those that are cease to be. */
  neverReady(options: ScriptOptions = {}): this {
    return this.#say({ isReady: false }, options);
  }

  /** They run, and are ready. */
  run(options: ScriptOptions = {}): this {
    return this.#say({ exit: undefined, isReady: true, pullFailure: undefined }, options);
  }

  /** Their image cannot be pulled. */
  failPull(message = "not found", options: ScriptOptions = {}): this {
    return this.#say({ pullFailure: message }, options);
  }

  /** They wrote these lines. */
  logs(lines: readonly string[], options: ScriptOptions = {}): this {
    return this.#say({ logs: lines }, options);
  }

  /** What commands do that somebody runs in them. */
  onCommand(script: CommandScript, options: ScriptOptions = {}): this {
    return this.#say({ onCommand: script }, options);
  }

  /** Each of them uses this much of its node, which metrics tell, or as much as a function says whenever it is asked. */
  use(usage: ScriptedUsage | UsageScript, options: ScriptOptions = {}): this {
    if (typeof usage !== "function") {
      const consumption = consumptionOf(usage);
      return this.#say({ usage: () => consumption }, options);
    }
    const script = (pod: Pod): Consumption | undefined => {
      const said = usage(pod);
      return said && consumptionOf(said);
    };
    return this.#say({ usage: script }, options);
  }

  /** What is said of a container. */
  of(container: string, isInit: boolean): ScriptedBehaviour {
    return { ...(isInit ? {} : this.#behaviours.get(undefined)), ...this.#behaviours.get(container) };
  }

  #say(behaviour: ScriptedBehaviour, { container }: ScriptOptions): this {
    this.#behaviours.set(container, { ...this.#behaviours.get(container), ...behaviour });
    this.#changed();
    return this;
  }
}

function predicateOf(matcher: PodMatcher): (pod: Pod) => boolean {
  if (typeof matcher === "function") return matcher;
  const selector = typeof matcher === "string" ? parseSelector(matcher) : compileSelector(matcher);
  return ({ metadata }) => selector.matches(metadata.labels);
}
