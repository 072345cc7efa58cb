import { createPrivateKey, generateKeyPairSync, webcrypto } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { isIP } from "node:net";
import type * as X509 from "@peculiar/x509";
import type { Clock, Random } from "@kaji/core";
import type { Certificate } from "./certificate.ts";

const dayMs = 24 * 60 * 60_000;
const authorityDays = 3650;
const certificateDays = 365;
/** Certificates begin a little before they are made, for clients whose clock is behind. */
const skewMs = 5 * 60_000;
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

interface Issuance extends IssueOptions {
  readonly keys: Keys;
  readonly days: number;
  readonly subject: SubjectName;
  readonly issuer: { readonly name: SubjectName; readonly privateKey: KeyObject };
  readonly extensions: readonly X509.Extension[];
}

async function issue({ clock, random, keys, days, subject, issuer, extensions }: Issuance): Promise<Certificate> {
  const x509 = await loadX509();
  const publicKey = keys.publicKey.toCryptoKey(curve, true, ["verify"]);
  const certificate = await x509.X509CertificateGenerator.create(
    {
      serialNumber: serialNumber(random),
      notBefore: new Date(clock.now() - skewMs),
      notAfter: new Date(clock.now() + days * dayMs),
      subject,
      issuer: issuer.name,
      publicKey,
      signingKey: issuer.privateKey.toCryptoKey(curve, false, ["sign"]),
      signingAlgorithm: signature,
      extensions: [...extensions, await x509.SubjectKeyIdentifierExtension.create(publicKey, false, webcrypto)],
    },
    webcrypto,
  );
  return { cert: `${certificate.toString("pem")}\n`, key: keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
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
async function loadX509(): Promise<typeof X509> {
  await import("reflect-metadata");
  return import("@peculiar/x509");
}
