import { oneLine } from "@kaji/core";
import type { Clock } from "@kaji/core";
import type { Paint, Terminal } from "../command.ts";
import { projectPlace } from "../project/project-place.ts";
import type { DevOptions } from "./dev-options.ts";
import { logRecord } from "../log-record.ts";
import type { LogRecord } from "../log-record.ts";
import { deedWords, readWords, spanWords, triggerWords } from "./reconcile-words.ts";
import type { SentReport } from "@kaji/runtime/reports";

/** What a log of `kaji dev` is written with. */
export interface DevLogOptions extends Pick<DevOptions, "log" | "output"> {
  readonly terminal: Terminal;
  readonly clock: Clock;
  /** The folder from which places in errors are told. */
  readonly folder: string;
}

const asBefore = "as before";
/** How often the log of the operator may say that something fails as before. */
const repeatMs = 10_000;

/** How wide columns are at first, and at most: they grow with what has to go into them. */
const objectWidths = { least: 16, most: 48 };
const triggerWidths = { least: 10, most: 40 };

/** The live log of an operator under development: a line for each reconcile, in columns, and what the operator says in between. As JSON it goes to stdout, an object on each line. */
export class DevLog {
  readonly #options: DevLogOptions;
  #objectWidth = objectWidths.least;
  #triggerWidth = triggerWidths.least;
  /** Of each object whose last reconcile failed, and of whatever else the operator tells an error of, what was said of it. */
  readonly #failures = new Map<string, string>();
  /** When the operator's log was last passed on of what it tells an error of. */
  readonly #saidAtMs = new Map<string, number>();

  constructor(options: DevLogOptions) {
    this.#options = options;
  }

  /** Something about the development itself, such as that a file was saved. */
  say(text: string): void {
    this.#options.terminal.err(`${this.#time()}  ${text}\n`);
  }

  /** That another life of the operator begins, whose failures are its own. */
  operatorStarted(name: string, durationMs: number): void {
    this.#failures.clear();
    this.#saidAtMs.clear();
    this.say(`operator ${name} was started after ${Math.round(durationMs)} ms`);
  }

  /** A line that the operator has written; that it ends when it was told to end is not worth one. */
  operatorSaid(line: string, { isEnding }: { readonly isEnding: boolean }): void {
    const { output, terminal } = this.#options;
    const record = logRecord(line);
    if (record !== undefined && (record.isReported || (isEnding && record.level === "info"))) return;
    if (output === "json")
      terminal.out(`${JSON.stringify(record === undefined ? { type: "Output", text: line } : { type: "Log", ...record.value })}\n`);
    else if (record === undefined) terminal.err(`${line}\n`);
    else {
      // Of two retries of the same thing that is all that is different.
      const about = `${record.message} ${record.fields.replace(/\bretryInMs=\S+/, "")}`;
      const failure = this.#loggedFailure(about, record.error);
      if (failure === asBefore && !this.#isTimely(about)) return;
      const details = [record.fields, failure ?? ""].join(" ").trim();
      this.#saidAtMs.set(about, this.#options.clock.monotonic());
      this.say(`${this.#paint(levelPaints.get(record.level), record.message)} ${this.#paint("dim", details)}`.trimEnd());
    }
  }

  /** Whether it is time to say once more that something fails as before: what is retried does so twice a second. */
  #isTimely(about: string): boolean {
    return this.#options.clock.monotonic() - (this.#saidAtMs.get(about) ?? -Infinity) >= repeatMs;
  }

  /** The error that the operator logs about something, and where it comes from. */
  #loggedFailure(about: string, error: LogRecord["error"]): string | undefined {
    if (error === undefined) return undefined;
    const place = projectPlace(error.stack, this.#options.folder);
    return this.#newsOf(about, `${error.text}${place === undefined ? "" : ` (${place})`}`);
  }

  reconciled(report: SentReport): void {
    const { output, terminal, log } = this.#options;
    if (output === "json") return terminal.out(`${JSON.stringify(report)}\n`);
    if (hasFailed(report) || log === "info" || log === "debug") terminal.err(`${this.#line(report)}\n`);
  }

  /** `12:00:05  Bar default/example  Deployment web changed  done  9 ms  read Deployment web; patched status`. */
  #line(report: SentReport): string {
    const [word, paint] = results[report.outcome];
    const [object, trigger] = [`${report.object.kind} ${report.object.key}`, triggerWords(report)];
    this.#objectWidth = Math.max(this.#objectWidth, Math.min(object.length, objectWidths.most));
    this.#triggerWidth = Math.max(this.#triggerWidth, Math.min(trigger.length, triggerWidths.most));
    const before = `${object.padEnd(this.#objectWidth)}  ${trigger.padEnd(this.#triggerWidth)}  `;
    const after = `${spanWords(report.durationMs).padStart(7)}  `;
    const room = (this.#options.terminal.screen?.columns ?? Infinity) - "00:00:00  ".length - before.length - resultWidth - after.length;
    const details = this.#newsOf(object, this.#failureOf(report)) ?? cut(detailsOf(report), room);
    return `${this.#time()}  ${before}${this.#paint(paint, word.padEnd(resultWidth))}${after}${details}`;
  }

  /** What went wrong and where, and what comes of it. */
  #failureOf(report: SentReport): string | undefined {
    const { outcome, error } = report;
    if (error === undefined || !hasFailed(report)) return undefined;
    const before = [readWords(report) ?? [], deedWords(report)].flat();
    const place = projectPlace(error.stack, this.#options.folder);
    const { text, remedy } = deniedWords(error) ?? { text: error.message, remedy: "" };
    const message = oneLine(text, "; ");
    const next = outcome === "TerminalError" ? "not retried until something changes" : "will be retried";
    return `${message}${place === undefined ? "" : ` (${place})`}${remedy}; ${next}${before.length === 0 ? "" : `; before, it ${before.join("; ")}`}`;
  }

  /** What fails again and again in the same way is said in full once. */
  #newsOf(object: string, failure: string | undefined): string | undefined {
    const isRepeated = failure !== undefined && this.#failures.get(object) === failure;
    if (failure === undefined) this.#failures.delete(object);
    else this.#failures.set(object, failure);
    return isRepeated ? asBefore : failure;
  }

  #time(): string {
    return this.#paint("dim", new Date(this.#options.clock.now()).toTimeString().slice(0, 8));
  }

  #paint(paint: Paint | undefined, text: string): string {
    const { screen } = this.#options.terminal;
    return screen === undefined || paint === undefined || text === "" ? text : screen.paint(paint, text);
  }
}

/** What was refused to the operator, and how it may do so; nothing of a refusal that is not about who asks, such as that of a quota. */
function deniedWords({
  reason,
  message,
}: NonNullable<SentReport["error"]>): { readonly text: string; readonly remedy: string } | undefined {
  if (reason !== "Forbidden") return undefined;
  if (/ is forbidden: User ".*" cannot /.test(message)) {
    return { text: message, remedy: "; declare it in owns, uses or selfVerbs of the controller" };
  }
  // Of another user, for whom the operator writes: what that one does not hold follows, a line for each rule of the role.
  const [ungranted] = /^.* is attempting to grant RBAC permissions not currently held(?=:\n)/.exec(message) ?? [];
  return ungranted === undefined ? undefined : { text: ungranted, remedy: "" };
}

const levelPaints: ReadonlyMap<string, Paint> = new Map([
  ["debug", "dim"],
  ["warn", "yellow"],
  ["error", "red"],
]);

/** How a reconcile ended, in a word. */
export const results: Readonly<Record<SentReport["outcome"], readonly [word: string, paint: Paint]>> = {
  Done: ["done", "green"],
  Requeue: ["again", "green"],
  RecheckAfter: ["done", "green"],
  RequeueAfter: ["again", "green"],
  Conflict: ["conflict", "yellow"],
  NamespaceEnding: ["waits", "yellow"],
  Error: ["failed", "red"],
  TerminalError: ["gave up", "red"],
  Timeout: ["too slow", "red"],
  Aborted: ["stopped", "yellow"],
};

const resultWidth = "conflict".length;

/** Whether something went wrong that does not pass by itself. */
function hasFailed({ outcome, error }: SentReport): boolean {
  return error !== undefined && outcome !== "Conflict" && outcome !== "NamespaceEnding";
}

function detailsOf(report: SentReport): string {
  const { outcome, requeueAfterMs } = report;
  const read = readWords(report);
  const done = deedWords(report);
  return [
    ...(read === undefined ? [] : [read]),
    ...(done.length === 0 ? ["nothing to write"] : done),
    ...(outcome === "Conflict" ? ["another client wrote at the same time"] : []),
    ...(outcome === "NamespaceEnding" ? ["the namespace is being deleted"] : []),
    ...(requeueAfterMs === undefined ? [] : [`again in ${spanWords(requeueAfterMs)}`]),
  ].join("; ");
}

/** What does not fit on a line is left out, unless next to nothing would be left. */
function cut(text: string, room: number): string {
  return text.length <= room || room < 20 ? text : `${text.slice(0, room - 1)}…`;
}
