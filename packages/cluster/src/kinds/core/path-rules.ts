import { invalidValue } from "@kaji/core";
import type { FieldError, FieldPath } from "@kaji/core";

/** What is wrong with a path that must not lead upwards. */
export function backstepErrors(path: string, at: FieldPath): readonly FieldError[] {
  return path.split("/").includes("..") ? [invalidValue(at, path, "must not contain '..'")] : [];
}

/** What is wrong with a path that must stay below where it starts. */
export function descendingPathErrors(path: string, at: FieldPath): readonly FieldError[] {
  return [...(path.startsWith("/") ? [invalidValue(at, path, "must be a relative path")] : []), ...backstepErrors(path, at)];
}

/** What is wrong with a path at which the kubelet puts a file: names that begin with two dots are its own. */
export function filePathErrors(path: string, at: FieldPath): readonly FieldError[] {
  const isReserved = path.startsWith("..") && !path.startsWith("../");
  return [...descendingPathErrors(path, at), ...(isReserved ? [invalidValue(at, path, "must not start with '..'")] : [])];
}

/** What is wrong with the permissions of a file. */
export function fileModeErrors(mode: number | undefined, at: FieldPath): readonly FieldError[] {
  if (mode === undefined || (mode >= 0 && mode <= 0o777)) return [];
  return [invalidValue(at, mode, "must be a number between 0 and 0777 (octal), both inclusive")];
}
