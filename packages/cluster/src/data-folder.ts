import { accessSync, constants, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The folder for a control plane's data cannot be used. */
export class DataFolderError extends Error {
  override readonly name = "DataFolderError";
}

/** Refuses a path where no folder is or could be made. Changes nothing. */
export function requireWritableFolder(path: string): void {
  let present = resolve(path);
  while (!existsSync(present)) present = dirname(present);
  if (!statSync(present).isDirectory()) throw new DataFolderError(`data folder ${path} cannot be used: ${present} is not a folder`);
  try {
    accessSync(present, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new DataFolderError(`data folder ${path} cannot be used: ${present} is not writable`, { cause: error });
  }
}

/** Makes the folder, unless it is there, such that only its owner may look into it and Git ignores what is in it. */
export function makeDataFolder(path: string): void {
  if (existsSync(path)) return;
  mkdirSync(path, { recursive: true, mode: 0o700 });
  writeFileSync(join(path, ".gitignore"), "*\n");
}
