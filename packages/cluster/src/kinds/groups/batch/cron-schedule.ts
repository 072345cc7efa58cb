import { ParseError, parseDuration } from "@kaji/core";

/** What a field of a schedule may be. */
interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly names: readonly string[];
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const fieldBounds: readonly Bounds[] = [
  { least: 0, most: 59, names: [] },
  { least: 0, most: 23, names: [] },
  { least: 1, most: 31, names: [] },
  { least: 1, most: 12, names: months },
  { least: 0, most: 6, names: days },
];
const descriptors = ["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"];

/** What is wrong with the schedule of a CronJob, such as `0,30 8-18 * * mon-fri` or `@hourly`; undefined if nothing is. */
export function scheduleProblem(schedule: string): string | undefined {
  const text = schedule.replace(/^(CRON_)?TZ=\S* */, "").trim();
  if (text.startsWith("@")) return descriptorProblem(text);
  const fields = text.split(/\s+/).filter((field) => field !== "");
  if (fields.length !== fieldBounds.length)
    return `expected exactly ${fieldBounds.length} fields, found ${fields.length}: [${fields.join(" ")}]`;
  for (const [index, bounds] of fieldBounds.entries()) {
    for (const range of (fields[index] ?? "").split(",").filter((part) => part !== "")) {
      const problem = rangeProblem(range, bounds);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function descriptorProblem(text: string): string | undefined {
  if (descriptors.includes(text)) return undefined;
  if (!text.startsWith("@every ")) return `unrecognized descriptor: ${text}`;
  try {
    parseDuration(text.slice("@every ".length));
    return undefined;
  } catch (error) {
    if (error instanceof ParseError) return `failed to parse duration ${text}: ${error.message}`;
    throw error;
  }
}

function rangeProblem(text: string, bounds: Bounds): string | undefined {
  const [range = "", stepText, ...moreSteps] = text.split("/");
  const [firstText = "", lastText, ...moreParts] = range.split("-");
  const isAny = firstText === "*" || firstText === "?";
  const first = isAny ? bounds.least : readNumber(firstText, bounds.names);
  if (typeof first === "string") return first;
  const last = isAny ? bounds.most : lastText === undefined ? first : readNumber(lastText, bounds.names);
  if (typeof last === "string") return last;
  if (!isAny && moreParts.length > 0) return `too many hyphens: ${text}`;
  if (moreSteps.length > 0) return `too many slashes: ${text}`;
  const step = stepText === undefined ? 1 : readNumber(stepText, []);
  if (typeof step === "string") return step;
  const end = stepText !== undefined && lastText === undefined ? bounds.most : last;
  if (first < bounds.least) return `beginning of range (${first}) below minimum (${bounds.least}): ${text}`;
  if (end > bounds.most) return `end of range (${end}) above maximum (${bounds.most}): ${text}`;
  if (first > end) return `beginning of range (${first}) beyond end of range (${end}): ${text}`;
  return step === 0 ? `step of range should be a positive number: ${text}` : undefined;
}

/** A number, or one of the names that stand for it; or else the problem. */
function readNumber(text: string, names: readonly string[]): number | string {
  const named = names.indexOf(text.toLowerCase());
  if (named >= 0) return names === months ? named + 1 : named;
  if (!/^[+-]?\d{1,18}$/.test(text))
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
  return Number(text) < 0 ? `negative number (${Number(text)}) not allowed: ${text}` : Number(text);
}
