import { existsSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** What to do about an import that leads nowhere; undefined if something else is wrong. */
export function missingImport(error: unknown, folder: string): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || !isUnresolved(error.code)) return undefined;
  const path = "url" in error && typeof error.url === "string" && error.url.startsWith("file:") ? fileURLToPath(error.url) : undefined;
  if (path === undefined) {
    const [, name] = /^Cannot find package '([^']+)'/.exec(error.message) ?? [];
    if (name === undefined) return undefined;
    // Node remembers that a package was not there, and looks for its file instead of reading what it has meanwhile.
    return isAbsolute(name) ? "it was installed meanwhile: start this again" : `npm install ${name} brings it`;
  }
  const [, group] = /[\\/]kaji[\\/](?:dist|src)[\\/]generated[\\/](.+)\.[jt]s$/.exec(path) ?? [];
  if (group !== undefined)
    return `kaji/${group.replaceAll("\\", "/")} is no group and version of Kubernetes; there are kaji/core/v1, kaji/apps/v1 and so on`;
  return wholeName(path, folder);
}

/** An import may leave out the end of a file's name, as bundlers let one and Node does not. */
function wholeName(path: string, folder: string): string | undefined {
  const meant = [path.replace(/\.js$/, ".ts"), `${path}.ts`, join(path, "index.ts")].find((each) => each !== path && existsSync(each));
  return meant === undefined ? undefined : `there is ${relative(folder, meant)}, and an import names its file whole`;
}

/** A folder that is imported is another error than a file that is not there. */
function isUnresolved(code: unknown): boolean {
  return code === "ERR_MODULE_NOT_FOUND" || code === "ERR_UNSUPPORTED_DIR_IMPORT";
}
