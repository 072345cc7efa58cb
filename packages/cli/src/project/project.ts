import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { CommandError } from "../command.ts";

/** An operator's project: a folder with a package.json. */
export interface Project {
  /** Where it really is, whatever links lead there: Node names modules by that. */
  readonly folder: string;
  /** The name in package.json. */
  readonly name: string;
  readonly version: string;
  /** The file that exports the operator, from the folder. */
  readonly operatorFile: string;
  /** The file that runs the operator, from the folder. */
  readonly mainFile: string;
  /** What its package.json has as `kaji.env`, as it is there; undefined if nothing. */
  readonly env: unknown;
  /** What it has as `kaji.deploy`, as it is there; undefined if nothing. */
  readonly deploy: unknown;
  /** The files and folders, from the folder, of what the cluster of `kaji dev` starts with. */
  readonly devResources: readonly string[];
}

/** Finds the project in a folder. `kaji.operator` and `kaji.main` in its package.json say where its files are, if not in `src/operator.ts` and `src/main.ts`. */
export function openProject(folder: string): Project {
  const path = join(folder, "package.json");
  if (!existsSync(path)) {
    throw new CommandError(
      `there is no package.json in ${resolve(folder)}; run this in an operator's folder, or make one with kaji init NAME`,
    );
  }
  const manifest = readManifest(path);
  const kaji = readOptions(fieldOf(manifest, "kaji"));
  return {
    folder: realpathSync(folder),
    name: textField(manifest, "name") ?? "operator",
    version: textField(manifest, "version") ?? "0.1.0",
    operatorFile: pathField(kaji, "operator") ?? "src/operator.ts",
    mainFile: pathField(kaji, "main") ?? "src/main.ts",
    env: fieldOf(kaji, "env"),
    deploy: fieldOf(kaji, "deploy"),
    devResources: readDevOptions(fieldOf(kaji, "dev")),
  };
}

/** Refuses a project without the file that runs the operator. */
export function requireMain({ folder, mainFile }: Pick<Project, "folder" | "mainFile">): void {
  if (existsSync(join(folder, mainFile))) return;
  throw new CommandError(`${mainFile} does not exist; it runs the operator: await runOperator(operator)`);
}

function readManifest(path: string): unknown {
  try {
    // Node and npm read over the mark that some editors put before a text.
    return JSON.parse(readFileSync(path, "utf8").replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** What a package.json may have as `kaji`. */
const optionNames: readonly string[] = ["operator", "main", "env", "deploy", "dev"];

function readOptions(kaji: unknown = {}): object {
  if (typeof kaji !== "object" || kaji === null || Array.isArray(kaji)) throw new CommandError("package.json: kaji must be an object");
  const unknown = Object.keys(kaji).find((name) => !optionNames.includes(name));
  if (unknown === undefined) return kaji;
  throw new CommandError(`package.json: kaji.${unknown} is unknown; there is ${optionNames.join(", ")}`);
}

function readDevOptions(dev: unknown = {}): readonly string[] {
  if (typeof dev !== "object" || dev === null || Array.isArray(dev)) throw new CommandError("package.json: kaji.dev must be an object");
  const unknown = Object.keys(dev).find((name) => name !== "resources");
  if (unknown !== undefined) throw new CommandError(`package.json: kaji.dev.${unknown} is unknown; there is resources`);
  const paths = fieldOf(dev, "resources") ?? [];
  if (Array.isArray(paths) && paths.every((path) => typeof path === "string" && path !== "")) return paths;
  throw new CommandError(`package.json: kaji.dev.resources must be a list of files and folders, such as ["crds"]`);
}

function pathField(kaji: object, name: string): string | undefined {
  const path = textField(kaji, name);
  if (path === undefined && Object.hasOwn(kaji, name)) throw new CommandError(`package.json: kaji.${name} must be the path of a file`);
  return path;
}

function textField(object: unknown, name: string): string | undefined {
  const value = fieldOf(object, name);
  return typeof value === "string" && value !== "" ? value : undefined;
}

function fieldOf(object: unknown, name: string): unknown {
  if (typeof object !== "object" || object === null || !Object.hasOwn(object, name)) return undefined;
  return (object as Readonly<Record<string, unknown>>)[name];
}
