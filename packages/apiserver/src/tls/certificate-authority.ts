import { createPrivateKey, generateKeyPairSync, webcrypto } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { isIP } from "node:net";
import type * as X509 from "@peculiar/x509";
import type { Clock, Random } from "@kaji/core";
import type { Certificate } from "./certificate.ts";

const dayMs = 24 * 60 * 60_000;
const authorityDays = 3650;
const certificateDays = 365;
/** How long a certificate is good at most. */
export const certificateMs: number = certificateDays * dayMs;
/** Certificates begin a little before they are made, for clients whose clock is behind. */
export const skewMs: number = 5 * 60_000;
const curve = { name: "ECDSA", namedCurve: "P-256" };
const signature = { name: "ECDSA", hash: "SHA-256" };

/** Whom a client certificate names: a user and the user's groups. */
export interface ClientSubject {
  readonly commonName: string;
  readonly organizations?: readonly string[];
}

/** Where an authority takes time and serial numbers from. */
export interface IssueOptions {
  readonly clock: Clock;
  readonly random: Random;
}

/** Makes a certificate authority of its own, with an EC key on P-256. */
export async function createAuthority(commonName: string, options: IssueOptions): Promise<Certificate> {
  const x509 = await loadX509();
  const keys = newKeys();
  const usage = x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign | x509.KeyUsageFlags.digitalSignature;
  return issue({
    ...options,
    keys,
    days: authorityDays,
    subject: [{ CN: [commonName] }],
    issuer: { name: [{ CN: [commonName] }], privateKey: keys.privateKey },
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true), new x509.KeyUsagesExtension(usage, true)],
  });
}

/** Makes a certificate that a server shows for all of the names: host names and IP addresses. */
export async function issueServing(authority: Certificate, names: readonly string[], options: IssueOptions): Promise<Certificate> {
  const x509 = await loadX509();
  const alternatives = names.map((value) => ({ type: isIP(value) === 0 ? ("dns" as const) : ("ip" as const), value }));
  const extensions = [
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
    new x509.SubjectAlternativeNameExtension(alternatives),
  ];
  return issueLeaf(authority, [{ CN: ["kube-apiserver"] }], extensions, options);
}

/** Makes a certificate by which a client shows who it is. */
export async function issueClient(authority: Certificate, subject: ClientSubject, options: IssueOptions): Promise<Certificate> {
  const x509 = await loadX509();
  const { commonName, organizations = [] } = subject;
  const name = [...organizations.map((organization) => ({ O: [organization] })), { CN: [commonName] }];
  return issueLeaf(authority, name, [new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth])], options);
}

type SubjectName = Exclude<X509.X509CertificateCreateParamsName, string>;

async function issueLeaf(
  authority: Certificate,
  subject: SubjectName,
  extensions: readonly X509.Extension[],
  options: IssueOptions,
): Promise<Certificate> {
  const x509 = await loadX509();
  const issuer = new x509.X509Certificate(authority.cert);
  return issue({
    ...options,
    keys: newKeys(),
    days: certificateDays,
    subject,
    issuer: { name: issuer.subjectName.toJSON(), privateKey: createPrivateKey(authority.key) },
    extensions: [
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.BasicConstraintsExtension(false, undefined, true),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      ...extensions,
    ],
  });
}

interface Issuance extends Omit<Signing, "publicKey" | "notAfterMs"> {
  readonly keys: Keys;
  readonly days: number;
}

async function issue({ keys, days, extensions, ...signing }: Issuance): Promise<Certificate> {
  const x509 = await loadX509();
  const publicKey = keys.publicKey.toCryptoKey(curve, true, ["verify"]);
  const keyId = await x509.SubjectKeyIdentifierExtension.create(publicKey, false, webcrypto);
  const notAfterMs = signing.clock.now() + days * dayMs;
  const cert = await signCertificate({ ...signing, publicKey, notAfterMs, extensions: [...extensions, keyId] });
  return { cert, key: keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}

/** What an authority signs. */
export interface Signing extends IssueOptions {
  readonly publicKey: X509.PublicKeyType;
  readonly notAfterMs: number;
  readonly subject: SubjectName;
  readonly issuer: { readonly name: SubjectName; readonly privateKey: KeyObject };
  readonly extensions: readonly X509.Extension[];
}

/** Signs a certificate, which begins a little before now. In PEM. */
export async function signCertificate({ clock, random, publicKey, notAfterMs, subject, issuer, extensions }: Signing): Promise<string> {
  const x509 = await loadX509();
  const certificate = await x509.X509CertificateGenerator.create(
    {
      serialNumber: serialNumber(random),
      notBefore: new Date(clock.now() - skewMs),
      notAfter: new Date(notAfterMs),
      subject,
      issuer: issuer.name,
      publicKey,
      signingKey: issuer.privateKey.toCryptoKey(curve, false, ["sign"]),
      signingAlgorithm: signature,
      extensions: [...extensions],
    },
    webcrypto,
  );
  return `${certificate.toString("pem")}\n`;
}

interface Keys {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

function newKeys(): Keys {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

/** A positive number of at most 20 bytes. */
function serialNumber(random: Random): string {
  return `4${random.uuid().replaceAll("-", "").slice(1)}`;
}

/** The library takes longer to load than a server to start, so it is loaded only when a certificate has to be made. */
export async function loadX509(): Promise<typeof X509> {
  await import("reflect-metadata");
  return import("@peculiar/x509");
}
