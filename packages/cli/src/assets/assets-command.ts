import { access, chmod, constants, lstat, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { delimiter, extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command, Terminal } from "../command.ts";
import { CommandError, UsageError } from "../command.ts";
import { oneOf, optionalText, textOf } from "../option-values.ts";
import { isStandIn, standInScript } from "./stand-in-script.ts";

/** `kaji assets DIR`: programs that stand in for those of a real control plane in the tests of any language. */
export const assetsCommand: Command = {
  help: `Usage: kaji assets FOLDER [options]

Writes programs into a folder that stand in for kube-apiserver, etcd and kubectl: they take the same flags, and an embedded API server is behind
them. Test suites built on envtest use them without a change.

Options:
  --kubectl FILE       the kubectl that the folder refers to (default: the first on PATH)
  --output FORMAT      text or json (default text)
  --verbose            show where an error comes from

Example:
  kaji assets .kaji/assets && KUBEBUILDER_ASSETS=$PWD/.kaji/assets go test ./...
`,
  options: { folder: { type: "string" }, kubectl: { type: "string" }, output: { type: "string" } },
  positionals: ["folder"],
  async run(values, terminal) {
    const output = oneOf(values, "output", ["text", "json"]);
    if (values["folder"] === undefined) throw new UsageError("kaji assets needs a folder to write to; kaji assets --help shows an example");
    const folder = resolve(textOf(values, "folder", ""));
    const named = optionalText(values, "kubectl");
    const kubectl = named === undefined ? await kubectlOnPath() : await requireProgram(resolve(named));
    await writeAssets(folder, kubectl, terminal);
    terminal.out(output === "json" ? `${JSON.stringify({ folder, ...(kubectl === undefined ? {} : { kubectl }) })}\n` : `${folder}\n`);
  },
};

async function writeAssets(folder: string, kubectl: string | undefined, terminal: Terminal): Promise<void> {
  for (const name of ["kube-apiserver", "etcd", "kubectl"]) await requireReplaceable(join(folder, name));
  await mkdir(folder, { recursive: true }).catch((error: Error) =>
    Promise.reject(new CommandError(`${folder} cannot be made: ${error.message}`)),
  );
  for (const name of ["kube-apiserver", "etcd"] as const) await writeProgram(join(folder, name), standInScript(name, commandFor(name)));
  if (kubectl === undefined) {
    terminal.err("kaji: there is no kubectl on PATH, so that the folder has none either; most suites do not need it\n");
  } else {
    await rm(join(folder, "kubectl"), { force: true });
    await symlink(kubectl, join(folder, "kubectl"));
  }
}

const programs = {
  "kube-apiserver": new URL("./kube-apiserver.ts", import.meta.url),
  etcd: new URL("./etcd.ts", import.meta.url),
} as const;

/** The command that runs a program of this package, whether it is installed, with another ending, or run from its source. */
function commandFor(name: keyof typeof programs): readonly string[] {
  const program = fileURLToPath(programs[name]).replace(/\.ts$/, extname(import.meta.url));
  return [process.execPath, ...process.execArgv.filter((flag) => flag.startsWith("--conditions")), program];
}

async function writeProgram(path: string, text: string): Promise<void> {
  await writeFile(path, text);
  await chmod(path, 0o755);
}

/** The real programs may be in the folder, by mistake: they are not replaced. */
async function requireReplaceable(path: string): Promise<void> {
  const file = await lstat(path).catch(() => undefined);
  if (file === undefined || file.isSymbolicLink() || (file.size < largestScript && isStandIn(await readFile(path, "utf8")))) return;
  throw new CommandError(`${path} was not written by kaji; choose another folder`);
}

const largestScript = 64 * 1024;

async function requireProgram(path: string): Promise<string> {
  try {
    await access(path, constants.X_OK);
    return path;
  } catch (error) {
    throw new CommandError(`${path} is not a program that can be run; --kubectl takes one`, { cause: error });
  }
}

async function kubectlOnPath(): Promise<string | undefined> {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    const path = join(folder, "kubectl");
    try {
      await access(path, constants.X_OK);
      return path;
    } catch {
      // Not there.
    }
  }
  return undefined;
}
