import { compareGoStrings, quote } from "@kaji/core/go";

/** A semantic version; build metadata is dropped. */
export interface SemverVersion {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  /** Numbers come before texts. */
  readonly prerelease: readonly (bigint | string)[];
}

/** Why a text is no version, in the words of the library that the API server uses. */
export class SemverError extends Error {}

/** Reads a version such as `1.2.3-rc.1+build`. */
export function parseVersion(text: string): SemverVersion {
  if (text === "") throw new SemverError("Version string empty");
  const [major, minor, rest] = splitAt(text, ".", 3);
  if (major === undefined || minor === undefined || rest === undefined) throw new SemverError("No Major.Minor.Patch elements found");
  const [beforeBuild = "", build] = splitAt(rest, "+", 2);
  const [patch = "", prerelease] = splitAt(beforeBuild, "-", 2);
  const version = { major: numberOf(major, "Major"), minor: numberOf(minor, "Minor"), patch: numberOf(patch, "Patch") };
  const parts = prerelease?.split(".").map(prereleaseOf) ?? [];
  for (const part of build?.split(".") ?? []) {
    if (part === "") throw new SemverError("Build meta data is empty");
    if (!/^[0-9A-Za-z-]*$/.test(part)) throw new SemverError(`Invalid character(s) found in build meta data ${quote(part)}`);
  }
  return { ...version, prerelease: parts };
}

/** Makes `v1.02` into `1.2.0`. */
export function normalizeVersion(text: string): string {
  const parts = splitAt(text.replace(/^v/, ""), ".", 3).map((part) => {
    if (part.length < 2) return part;
    const trimmed = part.replace(/^0+/, "");
    return /^\d/.test(trimmed) ? trimmed : `0${trimmed}`;
  });
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? "")) throw new SemverError("short version cannot contain PreRelease/Build meta data");
  return [...parts, "0", "0"].slice(0, 3).join(".");
}

/** Negative, zero or positive; a version before its release is smaller than the release. */
export function compareVersions(left: SemverVersion, right: SemverVersion): -1 | 0 | 1 {
  for (const field of ["major", "minor", "patch"] as const) {
    if (left[field] !== right[field]) return left[field] < right[field] ? -1 : 1;
  }
  const [mine, others] = [left.prerelease, right.prerelease];
  if (mine.length === 0 || others.length === 0) return sign(others.length - mine.length);
  for (let index = 0; index < Math.min(mine.length, others.length); index++) {
    const order = comparePart(mine[index] ?? "", others[index] ?? "");
    if (order !== 0) return order;
  }
  return sign(mine.length - others.length);
}

function comparePart(left: bigint | string, right: bigint | string): -1 | 0 | 1 {
  if (typeof left !== typeof right) return typeof left === "bigint" ? -1 : 1;
  if (typeof left === "string" && typeof right === "string") return sign(compareGoStrings(left, right));
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The last part is all the rest. */
function splitAt(text: string, separator: string, most: number): string[] {
  const parts = text.split(separator);
  return parts.length <= most ? parts : [...parts.slice(0, most - 1), parts.slice(most - 1).join(separator)];
}

function numberOf(text: string, name: string): bigint {
  if (!/^\d+$/.test(text)) {
    if (text === "") throw new SemverError('strconv.ParseUint: parsing "": invalid syntax');
    throw new SemverError(`Invalid character(s) found in ${name.toLowerCase()} number ${quote(text)}`);
  }
  if (text.length > 1 && text.startsWith("0")) throw new SemverError(`${name} number must not contain leading zeroes ${quote(text)}`);
  return limited(text);
}

function prereleaseOf(text: string): bigint | string {
  if (text === "") throw new SemverError("Prerelease is empty");
  if (/^\d+$/.test(text)) {
    if (text.length > 1 && text.startsWith("0"))
      throw new SemverError(`Numeric PreRelease version must not contain leading zeroes ${quote(text)}`);
    return limited(text);
  }
  if (!/^[0-9A-Za-z-]+$/.test(text)) throw new SemverError(`Invalid character(s) found in prerelease ${quote(text)}`);
  return text;
}

function limited(text: string): bigint {
  const value = BigInt(text);
  if (value >= 2n ** 64n) throw new SemverError(`strconv.ParseUint: parsing ${quote(text)}: value out of range`);
  return value;
}

function sign(value: number): -1 | 0 | 1 {
  return value < 0 ? -1 : value > 0 ? 1 : 0;
}
