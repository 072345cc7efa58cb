/** What a command does, as far as it can be told by looking at it. */
export interface CommandOutcome {
  /** What it writes. */
  readonly lines: readonly string[];
  /** How it ends; undefined if it runs until it is stopped. */
  readonly exit: { readonly code: number; readonly afterMs: number } | undefined;
}

/** A program with a name that nothing is known of runs on. */
const runsOn: CommandOutcome = { lines: [], exit: undefined };

const shells: ReadonlySet<string> = new Set(["sh", "bash", "ash", "dash"]);

/** Foretells `true`, `false`, `sleep`, `echo`, `date` and `exit`, alone or one after the other in a shell. */
export function commandOutcome(command: readonly string[], startMs: number): CommandOutcome {
  const [program = "", option = "", script = ""] = command;
  if (isShell(program)) return /^-[a-z]*c$/.test(option) ? scriptOutcome(script, startMs) : runsOn;
  const step = stepOutcome(command, startMs);
  if (step === undefined) return runsOn;
  return { lines: step.lines, exit: { code: step.code, afterMs: step.ms } };
}

/** Whether a program is a shell, by its name. */
export function isShell(program: string): boolean {
  return shells.has(baseName(program));
}

function scriptOutcome(script: string, startMs: number): CommandOutcome {
  const lines: string[] = [];
  let [code, ms] = [0, 0];
  let isSkipped = false;
  for (const { text, operator } of statements(script)) {
    const words = text.match(/"[^"]*"|'[^']*'|\S+/g)?.map(unquote) ?? [];
    if (isSkipped) {
      isSkipped = operator === "&&";
      continue;
    }
    if (words.length === 0) continue;
    const step = stepOutcome(words, startMs + ms);
    if (step === undefined) return { lines, exit: undefined };
    lines.push(...step.lines);
    ms += step.ms;
    code = step.code;
    if (words[0] === "exit") break;
    isSkipped = (operator === "&&" && code !== 0) || (operator === "||" && code === 0);
  }
  return { lines, exit: { code, afterMs: ms } };
}

/** The statements of a script, each with what stands after it. Quoted separators separate nothing. */
function statements(script: string): readonly { readonly text: string; readonly operator: string }[] {
  const parts = script.match(/(?:"[^"]*"|'[^']*'|&&|\|\||[;\n]|[^"';&|\n]+|.)/g) ?? [];
  const found: { text: string; operator: string }[] = [];
  let text = "";
  for (const part of parts) {
    if (part !== "&&" && part !== "||" && part !== ";" && part !== "\n") text += part;
    else {
      found.push({ text, operator: part });
      text = "";
    }
  }
  return [...found, { text, operator: ";" }];
}

interface Step {
  readonly lines: readonly string[];
  readonly code: number;
  readonly ms: number;
}

function stepOutcome([program = "", ...words]: readonly string[], nowMs: number): Step | undefined {
  const [first = ""] = words;
  switch (baseName(program)) {
    case "true":
    case ":":
      return { lines: [], code: 0, ms: 0 };
    case "false":
      return { lines: [], code: 1, ms: 0 };
    case "exit":
      return /^\d*$/.test(first) ? { lines: [], code: Number(first) & 0xff, ms: 0 } : undefined;
    case "echo":
      return { lines: [words.join(" ")], code: 0, ms: 0 };
    case "date":
      return first === "" || first === "-u" ? { lines: [dateLine(nowMs)], code: 0, ms: 0 } : undefined;
    case "sleep":
      return sleepStep(first);
    default:
      return undefined;
  }
}

function sleepStep(duration: string): Step | undefined {
  const [, amount, unit = "s"] = /^(\d+(?:\.\d+)?)([smhd])?$/.exec(duration) ?? [];
  const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit];
  return amount === undefined || unitMs === undefined ? undefined : { lines: [], code: 0, ms: Number(amount) * unitMs };
}

/** A time as `date` writes it: `Thu Jan  1 00:00:05 UTC 2026`. */
function dateLine(nowMs: number): string {
  const [weekday = "", day = "", month = "", year = "", time = ""] = new Date(nowMs).toUTCString().split(/,? /);
  return `${weekday} ${month} ${String(Number(day)).padStart(2)} ${time} UTC ${year}`;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function unquote(word: string): string {
  return /^(?:".*"|'.*')$/s.test(word) ? word.slice(1, -1) : word;
}
