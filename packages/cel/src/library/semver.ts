import { declare, memberOverload, overload } from "../check/declaration.ts";
import type { FunctionDeclaration } from "../check/declaration.ts";
import { boolType, intType, namedType, stringType } from "../check/type.ts";
import type { Type } from "../check/type.ts";
import { intOf } from "../value/int-arithmetic.ts";
import { ErrorValue } from "../value/value.ts";
import type { OpaqueValue, Value } from "../value/value.ts";
import { SemverError, compareVersions, normalizeVersion, parseVersion } from "./semver-version.ts";
import type { SemverVersion } from "./semver-version.ts";

const semverName = "kubernetes.Semver";
const semverType: Type<SemverValue> = namedType(semverName);

/** Semantic versions; the functions that take a second argument read versions such as `v1.2`, too, if it is true. */
export const semver: readonly FunctionDeclaration[] = [
  declare(
    "semver",
    overload("string_to_semver", [stringType], semverType, (text) => read(text)),
    overload("string_bool_to_semver", [stringType, boolType], semverType, read),
  ),
  declare(
    "isSemver",
    overload("is_semver_string", [stringType], boolType, (text) => !(read(text) instanceof ErrorValue)),
    overload(
      "is_semver_string_bool",
      [stringType, boolType],
      boolType,
      (text, normalize) => !(read(text, normalize) instanceof ErrorValue),
    ),
  ),
  declare(
    "isGreaterThan",
    memberOverload("semver_is_greater_than", [semverType, semverType], boolType, (v, other) => compared(v, other) > 0),
  ),
  declare(
    "isLessThan",
    memberOverload("semver_is_less_than", [semverType, semverType], boolType, (v, other) => compared(v, other) < 0),
  ),
  declare("compareTo", memberOverload("semver_compare_to", [semverType, semverType], intType, compared)),
  declare(
    "major",
    memberOverload("semver_major", [semverType], intType, ({ version }) => part(version.major)),
  ),
  declare(
    "minor",
    memberOverload("semver_minor", [semverType], intType, ({ version }) => part(version.minor)),
  ),
  declare(
    "patch",
    memberOverload("semver_patch", [semverType], intType, ({ version }) => part(version.patch)),
  ),
];

class SemverValue implements OpaqueValue {
  readonly kind = "opaque";
  readonly typeName = semverName;
  readonly version: SemverVersion;

  constructor(version: SemverVersion) {
    this.version = version;
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof SemverValue && compared(this, other) === 0;
  }

  toString(): string {
    return `${this.version.major}.${this.version.minor}.${this.version.patch}`;
  }
}

function read(text: string, normalize = false): SemverValue | ErrorValue {
  try {
    return new SemverValue(parseVersion(normalize ? normalizeVersion(text) : text));
  } catch (error) {
    if (error instanceof SemverError) return new ErrorValue(error.message);
    throw error;
  }
}

function compared(left: SemverValue, right: SemverValue): number {
  return compareVersions(left.version, right.version);
}

/** Upstream converts the unsigned parts to signed ones without a check, so large ones wrap around. */
function part(value: bigint): Value {
  return intOf(BigInt.asIntN(64, value));
}
