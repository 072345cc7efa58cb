import { readFile } from "node:fs/promises";
import { ConfigNode } from "./config-node.ts";
import type { ConfigOrigin } from "./config-node.ts";
import { KubeconfigError } from "./kubeconfig-error.ts";
import { readPlainYaml } from "./plain-yaml.ts";

/** What a kubeconfig has, by name; each entry is read when it is used. */
export interface KubeconfigFile {
  readonly clusters: ReadonlyMap<string, ConfigNode>;
  readonly users: ReadonlyMap<string, ConfigNode>;
  readonly contexts: ReadonlyMap<string, ConfigNode>;
  readonly currentContext: ConfigNode;
}

/** Reads a file; undefined if there is none. */
export async function readKubeconfig(file: string): Promise<KubeconfigFile | undefined> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ENOENT") return undefined;
    throw new KubeconfigError(`cannot be read (${code})`, { file, cause: error });
  }
  return parseKubeconfig(file, text);
}

/** Reads the text of a kubeconfig. `file` is what messages call it, and what relative paths in it are relative to. */
export async function parseKubeconfig(file: string, text: string, origin?: ConfigOrigin): Promise<KubeconfigFile> {
  const root = new ConfigNode(file, "", await parseYaml(file, text), origin);
  const kind = root.at("kind").text() ?? "Config";
  if (kind !== "Config") throw root.at("kind").error(`must be "Config", and is ${JSON.stringify(kind)}: this is no kubeconfig`);
  const version = root.at("apiVersion").text() ?? "v1";
  if (version !== "v1") throw root.at("apiVersion").error(`must be "v1", and is ${JSON.stringify(version)}`);
  return {
    clusters: named(root.at("clusters"), "cluster"),
    users: named(root.at("users"), "user"),
    contexts: named(root.at("contexts"), "context"),
    currentContext: root.at("current-context"),
  };
}

async function parseYaml(file: string, text: string): Promise<unknown> {
  const plain = readPlainYaml(text);
  if (plain !== undefined) return plain;
  // Loaded on demand: kubeconfigs that tools have written do not need it.
  const { LineCounter, parseDocument } = await import("yaml");
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const [problem] = document.errors;
  if (problem === undefined) return plainValue(document, file);
  const { line, col } = lineCounter.linePos(problem.pos[0]);
  // Its code, not its message, which may quote a secret in the file.
  throw new KubeconfigError(`is not YAML: ${problem.code.toLowerCase().replaceAll("_", " ")}`, { file: `${file}:${line}:${col}` });
}

/** Resolves aliases, which may be undefined, or expand to more than fits into memory. */
function plainValue(document: { toJS(): unknown }, file: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    throw new KubeconfigError("is not YAML: an alias is undefined or expands too far", { file });
  }
}

function named(list: ConfigNode, content: string): ReadonlyMap<string, ConfigNode> {
  const entries = new Map<string, ConfigNode>();
  for (const item of list.items()) {
    const name = item.at("name");
    const text = name.requiredText();
    if (entries.has(text)) throw name.error(`is a duplicate: ${JSON.stringify(text)}`);
    entries.set(text, item.at(content));
  }
  return entries;
}
