import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { errorMessage } from "@kaji/core";
import type { Clock, Random } from "@kaji/core";
import { mastersGroup } from "@kaji/core/serving";
import { fromPem, isValidAt, isValidFor, toPem } from "./certificate.ts";
import type { Certificate } from "./certificate.ts";
import { createAuthority, issueClient, issueServing } from "./certificate-authority.ts";
import { writePrivateFile } from "./private-file.ts";

/** All keys and certificates of a control plane. */
export interface Pki {
  readonly authority: Certificate;
  /** What the server shows. */
  readonly serving: Certificate;
  /** Who has it may do everything. */
  readonly admin: Certificate;
  /** Signs the front proxy's certificate only, so that no client's certificate can pass for it. */
  readonly frontProxyAuthority: Certificate;
  /** By which extension servers know that a request was passed on by this server. */
  readonly frontProxy: Certificate;
  /** Signs the tokens of service accounts: a private key on P-256, in PEM. */
  readonly tokenKey: string;
  /** Writes what is new into the folder. */
  save(): void;
}

/** What certificates depend on. */
export interface PkiOptions {
  /** Names and addresses the server is reached by, besides those that every control plane has. */
  readonly hosts?: readonly string[];
  readonly clock: Clock;
  readonly random: Random;
}

/** A file with keys cannot be used, and making another in its place would lock out the clients that trust it. */
export class PkiError extends Error {
  override readonly name = "PkiError";
}

/** The address of the service `kubernetes`: the first of the default range of service addresses. */
const firstServiceIp = "10.0.0.1";

/** Whom the front proxy's certificate names. */
export const frontProxyName = "front-proxy-client";

/** By which a server is known on its own machine and to the pods of its cluster. */
const everyServersNames = [
  "localhost",
  "127.0.0.1",
  "::1",
  "kubernetes",
  "kubernetes.default",
  "kubernetes.default.svc",
  "kubernetes.default.svc.cluster.local",
  firstServiceIp,
];

/** Certificates are made anew this long before they expire. */
const renewBeforeMs = 30 * 24 * 60 * 60_000;

/**
 * The keys and certificates kept in a folder. Those that are missing, about to expire or for other hosts are made; nothing is
 * written before `save`.
 */
export function openPki(folder: string, { hosts = [], clock, random }: PkiOptions): Pki {
  const unsaved = new Map<string, string>();
  const untilMs = clock.now() + renewBeforeMs;
  const issuing = { clock, random };
  const names = [...new Set([...everyServersNames, ...hosts])];
  const keep = (file: string, certificate: Certificate): Certificate => {
    unsaved.set(file, toPem(certificate));
    return certificate;
  };

  const authorityIn = (file: string, commonName: string): Certificate => {
    const kept = readAuthority(join(folder, file));
    const isKept = kept !== undefined && isValidAt(kept, untilMs);
    return isKept ? kept : keep(file, createAuthority(commonName, issuing));
  };
  const renewed = (file: string, signer: Certificate, wanted: readonly string[], issue: () => Certificate): Certificate => {
    const present = readCertificate(join(folder, file));
    return present !== undefined && isValidFor(present, signer, wanted, untilMs) ? present : keep(file, issue());
  };
  const authority = authorityIn(files.authority, "kaji");
  const frontProxyAuthority = authorityIn(files.frontProxyAuthority, "kaji-front-proxy");

  return {
    authority,
    serving: renewed(files.serving, authority, names, () => issueServing(authority, names, issuing)),
    admin: renewed(files.admin, authority, [], () => issueClient(authority, adminSubject, issuing)),
    frontProxyAuthority,
    frontProxy: renewed(files.frontProxy, frontProxyAuthority, [], () => issueClient(frontProxyAuthority, frontProxySubject, issuing)),
    tokenKey: readText(join(folder, files.tokenKey)) ?? newTokenKey(unsaved),
    save() {
      for (const [file, text] of unsaved) writePrivateFile(join(folder, file), text);
      unsaved.clear();
    },
  };
}

const files = {
  authority: "ca.pem",
  serving: "apiserver.pem",
  admin: "admin.pem",
  frontProxyAuthority: "front-proxy-ca.pem",
  frontProxy: "front-proxy-client.pem",
  tokenKey: "service-account.pem",
};
const adminSubject = { commonName: "kubernetes-admin", organizations: [mastersGroup] };
const frontProxySubject = { commonName: frontProxyName };

/** Clients trust the authority, so one that is there and cannot be used is not replaced behind their backs. */
function readAuthority(path: string): Certificate | undefined {
  const text = readText(path);
  try {
    return text === undefined ? undefined : fromPem(text);
  } catch (error) {
    const detail = errorMessage(error);
    throw new PkiError(`${path} is not a certificate with its key (${detail}); remove it to have a new one made`, { cause: error });
  }
}

function readCertificate(path: string): Certificate | undefined {
  try {
    return fromPem(readText(path) ?? "");
  } catch {
    return undefined;
  }
}

function newTokenKey(unsaved: Map<string, string>): string {
  const text = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  unsaved.set(files.tokenKey, text);
  return text;
}

/** Undefined when there is no such file. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    const detail = errorMessage(error);
    throw new PkiError(`${path} cannot be read: ${detail}`, { cause: error });
  }
}
