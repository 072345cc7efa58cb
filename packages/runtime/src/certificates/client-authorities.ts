import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { TlsOptions } from "node:tls";
import { thrownError } from "@kaji/core";
import { pemBlocks } from "./certificate.ts";

/** The authorities of those who may call cannot be read. */
export class ClientAuthoritiesError extends Error {
  override readonly name = "ClientAuthoritiesError";
}

/** What TLS asks of callers. */
export type ClientCheck = Pick<TlsOptions, "ca" | "rejectUnauthorized" | "requestCert">;

/** What TLS asks of callers: a certificate of an authority in the file, or nothing where there is no file. */
export async function clientCheck(file: string | undefined): Promise<ClientCheck> {
  if (file === undefined) return {};
  try {
    const ca = await readFile(file, "utf8");
    const certificates = pemBlocks(ca, "CERTIFICATE");
    if (certificates.length === 0) throw new TypeError("it has no certificate in PEM");
    // TLS itself passes over those that it cannot read.
    for (const certificate of certificates) void new X509Certificate(certificate);
    return { ca, requestCert: true, rejectUnauthorized: true };
  } catch (error) {
    const why = thrownError(error).message;
    throw new ClientAuthoritiesError(`the authorities of clients cannot be read from ${file}: ${why}`, { cause: error });
  }
}

/** The same where the front proxy is to be known, too, by its authority (PEM). Nobody who is not turned away by `check` is turned away for another certificate. */
export function withFrontProxy({ ca, rejectUnauthorized = false }: ClientCheck, authority: string): ClientCheck {
  // Never without `ca`, which would have TLS believe all that the machine trusts.
  return { ca: [ca ?? [], authority === "" ? [] : authority].flat(), requestCert: true, rejectUnauthorized };
}
