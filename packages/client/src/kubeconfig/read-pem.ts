import { access } from "node:fs/promises";
import type { PemSource } from "../connection/connection.ts";
import { Redacted } from "../connection/secret.ts";
import type { ConfigNode } from "./config-node.ts";

/** PEM in a field named `…-data`, or in the file that the field without it names. */
export async function readPem(parent: ConfigNode, name: string): Promise<PemSource | undefined> {
  const [inFile, inline] = [parent.at(name), parent.at(`${name}-data`)];
  if (!inFile.isAbsent && !inline.isAbsent) throw inline.error(`cannot be given together with ${name}`);
  const data = inline.decoded();
  if (data !== undefined) {
    if (!data.includes("-----BEGIN ")) throw inline.error("is not PEM in base64");
    return { type: "Data", data: new Redacted(data) };
  }
  const path = await readablePath(inFile);
  return path === undefined ? undefined : { type: "File", path };
}

/** The path of a file that must be there. */
export async function readablePath(node: ConfigNode): Promise<string | undefined> {
  const path = node.path();
  if (path === undefined) return undefined;
  try {
    await access(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw node.error(`names ${path}, which cannot be read (${code})`, error);
  }
  return path;
}
