import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { errorMessage } from "@kaji/core";
import { writePrivateFile } from "@kaji/apiserver";
import type { Certificate } from "@kaji/apiserver";

/** Where a server is, and by what it and its user are known. */
export interface Access {
  readonly url: string;
  /** The certificate of the authority that signed the server's. */
  readonly authority: string;
  readonly client: Certificate;
}

/** The file at this path was not written by kaji, or cannot be read. */
export class KubeconfigFileError extends Error {
  override readonly name = "KubeconfigFileError";
}

/** By its first line a file is known to be ours, and may be replaced. */
const firstLine = "# Written by kaji: replaced whenever a control plane starts.";

/** Refuses a path where there is a file that kaji has not written. */
export function requireReplaceable(path: string): void {
  const text = readIfPresent(path);
  if (text === undefined || text.startsWith(firstLine)) return;
  throw new KubeconfigFileError(`${path} exists and was not written by kaji; choose another path for the kubeconfig`);
}

/** Writes a kubeconfig with a single context, for its owner's eyes only. */
export function writeKubeconfig(path: string, access: Access): void {
  requireReplaceable(path);
  writePrivateFile(path, kubeconfigText(access));
}

function kubeconfigText({ url, authority, client }: Access): string {
  return `${firstLine}
apiVersion: v1
kind: Config
clusters:
  - name: kaji
    cluster:
      server: ${url}
      certificate-authority-data: ${base64(authority)}
users:
  - name: kaji-admin
    user:
      client-certificate-data: ${base64(client.cert)}
      client-key-data: ${base64(namedKey(client.key))}
contexts:
  - name: kaji
    context:
      cluster: kaji
      user: kaji-admin
current-context: kaji
`;
}

/** A private key whose first line says what kind it is. Java's fabric8 takes any other for an RSA key, and cannot read it. */
function namedKey(key: string): string {
  return createPrivateKey(key).export({ type: "sec1", format: "pem" }).toString();
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    const detail = errorMessage(error);
    throw new KubeconfigFileError(`${path} cannot be read: ${detail}`, { cause: error });
  }
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}
