import type { ClientCertificate } from "./credentials.ts";
import { hexadecimal } from "./certificate-authorities.ts";

/** In a subject: the user's uid. https://kubernetes.io/docs/reference/access-authn-authz/authentication/#x509-client-certificates */
const uidAttribute = "1.3.6.1.4.1.57683.2";

/** A connection by TLS, as Node has it. */
interface SecureConnection {
  readonly authorized: boolean;
  /** Without a certificate there is an object without fields. */
  getPeerCertificate(isDetailed: true): PeerCertificate;
}

interface PeerCertificate {
  readonly subject?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly fingerprint256?: string;
  readonly issuerCertificate?: PeerCertificate;
}

/** Finds the certificate that a client has shown on its connection, if it is one by TLS. Each connection is asked once. */
export function clientCertificates(): (connection: object | undefined) => ClientCertificate | undefined {
  const found = new WeakMap<object, ClientCertificate | undefined>();
  return (connection) => {
    if (connection === undefined || !isSecure(connection)) return undefined;
    if (!found.has(connection)) found.set(connection, certificateOf(connection));
    return found.get(connection);
  };
}

function isSecure(connection: object): connection is SecureConnection {
  // Not `in`: that of HTTP/2 stands for another one, and answers only when it is asked for a property.
  return typeof Reflect.get(connection, "getPeerCertificate") === "function";
}

function certificateOf(connection: SecureConnection): ClientCertificate | undefined {
  const peer = connection.getPeerCertificate(true);
  const { subject, fingerprint256 = "" } = peer;
  if (subject === undefined) return undefined;
  if (!connection.authorized) return { type: "Untrusted" };
  const [commonName = ""] = listOf(subject["CN"]);
  const [uid] = listOf(subject[uidAttribute]);
  const fingerprint = hexadecimal(fingerprint256);
  const authorities = authoritiesOf(peer);
  return {
    type: "Trusted",
    commonName,
    organizations: listOf(subject["O"]),
    ...(uid === undefined ? {} : { uid }),
    fingerprint,
    authorities,
  };
}

/** A root is its own issuer. */
function authoritiesOf(certificate: PeerCertificate): readonly string[] {
  const { issuerCertificate: issuer } = certificate;
  if (issuer === undefined || issuer === certificate) return [];
  return [hexadecimal(issuer.fingerprint256 ?? ""), ...authoritiesOf(issuer)];
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === "string" ? [value] : value;
}
