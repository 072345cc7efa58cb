import { subjectNames } from "./peers/subject-program.ts";

/** What a run may be told about its size, as text from the command line. */
export interface SizeFlags {
  readonly objects?: string | undefined;
  readonly growth?: string | undefined;
  readonly updates?: string | undefined;
  readonly bars?: string | undefined;
  readonly rounds?: string | undefined;
  readonly subjects?: string | undefined;
}

/** A flag has a value that it does not take. */
export class FlagError extends Error {
  override readonly name = "FlagError";
}

/** The flags that some benchmarks understand. */
export const sizeFlags = {
  objects: { type: "string" },
  growth: { type: "string" },
  updates: { type: "string" },
  bars: { type: "string" },
  rounds: { type: "string" },
  subjects: { type: "string" },
} as const;

/** The counts that a flag gives, such as `10000,50000`. */
export function counts(flag: string, text: string | undefined, otherwise: readonly number[]): readonly number[] {
  if (text === undefined) return otherwise;
  const numbers = text.split(",").map(Number);
  if (!numbers.every((number) => Number.isSafeInteger(number) && number > 0)) {
    throw new FlagError(`--${flag} takes whole numbers from 1 up, with commas between them, not ${JSON.stringify(text)}`);
  }
  return numbers;
}

/** The one count that a flag gives. */
export function count(flag: string, text: string | undefined, otherwise: number): number {
  const [number, ...others] = counts(flag, text, [otherwise]);
  if (number === undefined || others.length > 0) throw new FlagError(`--${flag} takes one number, not ${JSON.stringify(text)}`);
  return number;
}

/** Which libraries are compared; kaji is always among them. */
export function subjects(text: string | undefined): readonly string[] {
  if (text === undefined) return subjectNames;
  const names = text.split(",");
  const unknown = names.find((name) => !subjectNames.includes(name));
  if (unknown !== undefined) throw new FlagError(`--subjects takes some of ${subjectNames.join(",")}, not ${JSON.stringify(unknown)}`);
  return ["kaji", ...names];
}
