import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createAuthority, issueServing } from "@kaji/apiserver";
import type { Certificate, IssueOptions } from "@kaji/apiserver";
import { flagValue } from "./go-flags.ts";
import type { GoFlags } from "./go-flags.ts";

/** Where a certificate and its key are. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/** What clients in a cluster call the server. */
const names = ["kubernetes.default.svc", "kubernetes.default", "kubernetes"];

/** What the server shows: the files that are named, or those in `--cert-dir`. Where neither is there it makes them, as kube-apiserver does: clients trust the authority at the end of the first. */
export async function servingCertificate(flags: GoFlags, options: IssueOptions): Promise<Certificate> {
  const [cert, key] = [flagValue(flags, "tls-cert-file"), flagValue(flags, "tls-private-key-file")];
  if (cert !== undefined || key !== undefined) {
    if (key === undefined) throw new Error(`--tls-cert-file ${cert} needs --tls-private-key-file`);
    if (cert === undefined) throw new Error(`--tls-private-key-file ${key} needs --tls-cert-file`);
    return readCertificate({ cert, key });
  }
  const folder = flagValue(flags, "cert-dir") ?? "/var/run/kubernetes";
  const files = { cert: join(folder, "apiserver.crt"), key: join(folder, "apiserver.key") };
  if (!existsSync(files.cert) && !existsSync(files.key)) {
    await mkdir(folder, { recursive: true });
    await makeCertificate(files, [...addresses(flags), ...names], options);
  }
  return readCertificate(files);
}

export async function readCertificate({ cert, key }: CertificateFiles): Promise<Certificate> {
  return { cert: await readFile(cert, "utf8"), key: await readFile(key, "utf8") };
}

/** Whoever finds the key finds the whole certificate. */
async function makeCertificate(files: CertificateFiles, hosts: readonly string[], options: IssueOptions): Promise<void> {
  const authority = createAuthority("kube-apiserver-ca", options);
  const { cert, key } = issueServing(authority, hosts, options);
  await writeFile(files.cert, `${cert.trimEnd()}\n${authority.cert}`);
  await writeFile(files.key, key, { mode: 0o600 });
}

function addresses(flags: GoFlags): readonly string[] {
  const bound = flagValue(flags, "bind-address") ?? "0.0.0.0";
  const advertised = flagValue(flags, "advertise-address");
  return [...new Set([bound === "0.0.0.0" || bound === "::" ? "localhost" : bound, ...(advertised === undefined ? [] : [advertised])])];
}
