import { errorMessage } from "@kaji/core";
import type { FailedRequest } from "@kaji/core";
import { TransportError } from "../transport-error.ts";
import type { TransportFailure } from "../transport-error.ts";

/** What had become of a request when its connection failed. */
interface Progress {
  /** Default false. */
  readonly wasSent?: boolean;
}

/** The `TransportError` for a failure of the network; its message says what to check. */
export function networkFailure(error: unknown, way: string, request: FailedRequest, { wasSent = false }: Progress = {}): TransportError {
  if (error instanceof TransportError) return error;
  const code = codeOf(error);
  const detail = errorMessage(error);
  if (code === "PROXY_REFUSED") return new TransportError("Unreachable", `no answer from ${way}: ${detail}`, { request, cause: error });
  const [reason, why] = meanings[code] ?? meaningOfAlert(code, wasSent) ?? otherwise(code, detail, wasSent);
  // The system says the same of a connection that cannot be made and of one that is lost.
  const isLost = wasSent && (code === "ETIMEDOUT" || code === "EHOSTUNREACH" || code === "ENETUNREACH");
  return new TransportError(isLost ? "Interrupted" : reason, `no answer from ${way}: ${why}`, { request, cause: error });
}

/** A failure of a connection that Node does not report itself. */
export function connectionError(code: "ETIMEDOUT" | "CLOSED_BY_SERVER" | "CLIENT_CLOSED"): Error {
  return Object.assign(new Error(meanings[code]?.[1]), { code });
}

const meanings: Readonly<Record<string, readonly [TransportFailure, string]>> = {
  ECONNREFUSED: ["Unreachable", "connection refused"],
  ENOTFOUND: ["Unreachable", "no such host"],
  EAI_AGAIN: ["Unreachable", "temporary failure in name resolution"],
  EHOSTUNREACH: ["Unreachable", "no route to host"],
  ENETUNREACH: ["Unreachable", "network is unreachable"],
  ETIMEDOUT: ["Unreachable", "connection timed out"],
  CLIENT_CLOSED: ["Unreachable", "the client has been closed"],
  ECONNRESET: ["Interrupted", "the connection was reset"],
  EPIPE: ["Interrupted", "the connection was closed"],
  CLOSED_BY_SERVER: ["Interrupted", "the server closed the connection"],
  ERR_SSL_WRONG_VERSION_NUMBER: ["Unreachable", "it does not speak TLS; is it an http:// server?"],
  ERR_SSL_PACKET_LENGTH_TOO_LONG: ["Unreachable", "it does not speak TLS; is it an http:// server?"],
  ERR_TLS_CERT_ALTNAME_INVALID: ["Untrusted", "its certificate is for another host; tls-server-name can name the one it is for"],
  CERT_HAS_EXPIRED: ["Untrusted", "its certificate has expired"],
  CERT_NOT_YET_VALID: ["Untrusted", "its certificate is not valid yet"],
};

const refused = "the server does not accept the client certificate";

/** What a server says that ends a TLS connection, by OpenSSL's name of it. */
const alerts: Readonly<Record<string, readonly [TransportFailure, string]>> = {
  CERTIFICATE_REQUIRED: ["Unauthenticated", "the server requires a client certificate"],
  CERTIFICATE_EXPIRED: ["Unauthenticated", "the client certificate has expired"],
  UNKNOWN_CA: ["Unauthenticated", "the client certificate is signed by an authority unknown to the server"],
  BAD_CERTIFICATE: ["Unauthenticated", refused],
  UNSUPPORTED_CERTIFICATE: ["Unauthenticated", refused],
  CERTIFICATE_REVOKED: ["Unauthenticated", refused],
  CERTIFICATE_UNKNOWN: ["Unauthenticated", refused],
  ACCESS_DENIED: ["Unauthenticated", refused],
  // Of a server that goes no further than TLS 1.2.
  HANDSHAKE_FAILURE: ["Unreachable", "the server ended the TLS handshake; it may require a client certificate"],
};

/** Before the name of an alert stands a version of the protocol, which depends on that of OpenSSL: `SSLV3`, `SSL/TLS`, `TLSV1`. */
function meaningOfAlert(code: string, wasSent: boolean): readonly [TransportFailure, string] | undefined {
  const alert = /^ERR_SSL_.*_ALERT_(\w+)$/.exec(code)?.[1];
  if (alert === undefined) return undefined;
  const words = alert.toLowerCase().replaceAll("_", " ");
  return alerts[alert] ?? (wasSent ? undefined : ["Unreachable", `the server ended the TLS handshake: ${words}`]);
}

function otherwise(code: string, detail: string, wasSent: boolean): readonly [TransportFailure, string] {
  if (isCertificateCode(code)) return ["Untrusted", `its certificate is not trusted: ${detail}`];
  return [wasSent ? "Interrupted" : "Unreachable", detail];
}

/** OpenSSL's names for what can be wrong with a certificate chain, as Node has them. */
function isCertificateCode(code: string): boolean {
  return /CERT|SIGNATURE|ISSUER|CRL/.test(code) && !code.startsWith("ERR_SSL");
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if ("code" in error && typeof error.code === "string") return error.code;
  return error.cause === undefined ? "" : codeOf(error.cause);
}
