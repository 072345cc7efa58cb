import { isIPv6 } from "node:net";

/** Why a call over the network failed, as Go's HTTP client puts it where it has words of its own. */
export function goNetworkError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, address, port, hostname, reason } = fieldsOf(error);
  const verification = "tls: failed to verify certificate: x509:";
  switch (code) {
    case "ECONNREFUSED":
    case "EHOSTUNREACH":
    case "ENETUNREACH":
    case "ETIMEDOUT":
      return `dial tcp ${isIPv6(address) ? `[${address}]` : address}:${port}: connect: ${connectFailures[code]}`;
    case "ENOTFOUND":
      return `dial tcp: lookup ${hostname}: no such host`;
    case "ECONNRESET":
      return "EOF";
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "UNABLE_TO_GET_ISSUER_CERT":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
      return `${verification} certificate signed by unknown authority`;
    case "CERT_HAS_EXPIRED":
    case "CERT_NOT_YET_VALID":
      return `${verification} certificate has expired or is not yet valid`;
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return `${verification} ${wrongName(reason)}`;
    case "EPROTO":
    case "ERR_SSL_WRONG_VERSION_NUMBER":
      return "http: server gave HTTP response to HTTPS client";
    default:
      return error.message;
  }
}

const connectFailures = {
  ECONNREFUSED: "connection refused",
  EHOSTUNREACH: "no route to host",
  ENETUNREACH: "network is unreachable",
  ETIMEDOUT: "connection timed out",
} as const;

/** Node says `Host: a. is not in the cert's altnames: DNS:b, IP Address:c`, or the same of an IP. */
function wrongName(reason: string): string {
  const [, host = "", names = ""] = /^(?:Host|IP): ([^ ]+?)\.? is not (?:in the )?cert's (?:altnames|list): (.*)$/.exec(reason) ?? [];
  const valid = names.split(", ").map((name) => name.replace(/^(DNS|IP Address):/, ""));
  return `certificate is valid for ${valid.join(", ")}, not ${host}`;
}

/** Of several addresses that were tried, the last failure is as good as any. */
function fieldsOf(error: Error): Readonly<Record<"code" | "address" | "port" | "hostname" | "reason", string>> {
  const inner: unknown = error instanceof AggregateError ? error.errors.at(-1) : error;
  const text = (name: string): string => {
    const value: unknown = typeof inner === "object" && inner !== null ? Reflect.get(inner, name) : undefined;
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  };
  return { code: text("code"), address: text("address"), port: text("port"), hostname: text("hostname"), reason: text("reason") };
}
