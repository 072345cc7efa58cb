import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { DetailedPeerCertificate } from "node:tls";
import type { ClientCertificate } from "../auth/authenticator.ts";
import { hexadecimal } from "../auth/certificate-authorities.ts";

/** In a subject: the user's uid. https://kubernetes.io/docs/reference/access-authn-authz/authentication/#x509-client-certificates */
const uidAttribute = "1.3.6.1.4.1.57683.2";

/** Finds the certificate that a client has shown on its connection. Each connection is asked once. */
export function clientCertificates(): (socket: Socket | undefined) => ClientCertificate | undefined {
  const found = new WeakMap<Socket, ClientCertificate | undefined>();
  return (socket) => {
    if (!(socket instanceof TLSSocket)) return undefined;
    if (!found.has(socket)) found.set(socket, certificateOf(socket));
    return found.get(socket);
  };
}

function certificateOf(socket: TLSSocket): ClientCertificate | undefined {
  // Without a certificate there is an object without fields.
  const peer: DetailedPeerCertificate | Absent = socket.getPeerCertificate(true);
  const { subject, fingerprint256 } = peer;
  if (subject === undefined) return undefined;
  if (!socket.authorized) return { type: "Untrusted" };
  const attributes: Readonly<Record<string, string | readonly string[] | undefined>> = { ...subject };
  const [commonName = ""] = listOf(attributes["CN"]);
  const [uid] = listOf(attributes[uidAttribute]);
  const fingerprint = hexadecimal(fingerprint256);
  const authorities = authoritiesOf(peer);
  return {
    type: "Trusted",
    commonName,
    organizations: listOf(attributes["O"]),
    ...(uid === undefined ? {} : { uid }),
    fingerprint,
    authorities,
  };
}

/** A root is its own issuer. */
function authoritiesOf(certificate: DetailedPeerCertificate): readonly string[] {
  const { issuerCertificate: issuer }: Partial<DetailedPeerCertificate> = certificate;
  if (issuer === undefined || issuer === certificate) return [];
  return [hexadecimal(issuer.fingerprint256), ...authoritiesOf(issuer)];
}

interface Absent {
  readonly subject?: undefined;
  readonly fingerprint256?: undefined;
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === "string" ? [value] : value;
}
