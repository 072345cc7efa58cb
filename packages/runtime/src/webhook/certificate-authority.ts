import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { isIP } from "node:net";
import type * as X509 from "@peculiar/x509";
import type { Clock, Random } from "@kaji/core";
import type { Certificate } from "./certificate.ts";
import { promptCrypto } from "./prompt-crypto.ts";

/** Certificates begin a little before they are made, for API servers whose clock is behind. */
export const skewMs: number = 5 * 60_000;

const curve = { name: "ECDSA", namedCurve: "P-256" };
const signature = { name: "ECDSA", hash: "SHA-256" };

/** Where an authority takes time and serial numbers from, and how long what it makes is valid. */
export interface IssueOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly lifetimeMs: number;
}

/** Makes a certificate authority of its own, with an EC key on P-256. A random number makes its name unique. */
export async function createAuthority(commonName: string, options: IssueOptions): Promise<Certificate> {
  const x509 = await loadX509();
  const keys = newKeys();
  const subject = [{ CN: [`${commonName} ${options.random.uuid().slice(0, 8)}`] }];
  const issuer = { name: subject, privateKey: keys.privateKey };
  return issue(x509, { ...options, keys, subject, issuer, extensions: authorityExtensions(x509, 1) });
}

/**
 * Cross-signs the next authority by the previous one: a client that trusts only the previous one can verify what the next one has signed. It is not valid for
 * longer than the older one.
 */
export async function crossSign(
  authority: Pick<Certificate, "cert">,
  older: Certificate,
  options: Omit<IssueOptions, "lifetimeMs">,
): Promise<string> {
  const x509 = await loadX509();
  const [next, issuer] = [new x509.X509Certificate(authority.cert), new x509.X509Certificate(older.cert)];
  const publicKey = createPublicKey(authority.cert);
  const { cert } = await issue(x509, {
    ...options,
    lifetimeMs: Math.min(issuer.notAfter.getTime(), next.notAfter.getTime()) - options.clock.now(),
    keys: { publicKey, privateKey: createPrivateKey(older.key) },
    subject: next.subjectName.toJSON(),
    issuer: { name: issuer.subjectName.toJSON(), privateKey: createPrivateKey(older.key) },
    extensions: [...authorityExtensions(x509, 0), await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey, false, promptCrypto)],
  });
  return cert;
}

/** The extensions of a CA certificate; the path length limits how many authorities may stand between it and a server. */
function authorityExtensions(x509: typeof X509, pathLength: number): readonly X509.Extension[] {
  const usage = x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature;
  return [new x509.BasicConstraintsExtension(true, pathLength, true), new x509.KeyUsagesExtension(usage, true)];
}

/** Makes a certificate that a server shows for all of the names: host names and IP addresses. It is not valid for longer than its authority. */
export async function issueServing(authority: Certificate, names: readonly string[], options: IssueOptions): Promise<Certificate> {
  const x509 = await loadX509();
  const issuer = new x509.X509Certificate(authority.cert);
  const alternatives = names.map((value) => ({ type: isIP(value) === 0 ? ("dns" as const) : ("ip" as const), value }));
  return issue(x509, {
    ...options,
    lifetimeMs: Math.min(options.lifetimeMs, issuer.notAfter.getTime() - options.clock.now()),
    keys: newKeys(),
    subject: [{ CN: ["webhook"] }],
    issuer: { name: issuer.subjectName.toJSON(), privateKey: createPrivateKey(authority.key) },
    extensions: [
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(alternatives),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey, false, promptCrypto),
    ],
  });
}

type SubjectName = Exclude<X509.X509CertificateCreateParamsName, string>;

interface Issuance extends IssueOptions {
  readonly keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  readonly subject: SubjectName;
  readonly issuer: { readonly name: SubjectName; readonly privateKey: KeyObject };
  readonly extensions: readonly X509.Extension[];
}

async function issue(x509: typeof X509, issuance: Issuance): Promise<Certificate> {
  const { clock, random, lifetimeMs, keys, subject, issuer, extensions } = issuance;
  const publicKey = keys.publicKey.toCryptoKey(curve, true, ["verify"]);
  const certificate = await x509.X509CertificateGenerator.create(
    {
      serialNumber: serialNumber(random),
      notBefore: new Date(clock.now() - skewMs),
      notAfter: new Date(clock.now() + lifetimeMs),
      subject,
      issuer: issuer.name,
      publicKey,
      signingKey: issuer.privateKey.toCryptoKey(curve, true, ["sign"]),
      signingAlgorithm: signature,
      extensions: [...extensions, await x509.SubjectKeyIdentifierExtension.create(publicKey, false, promptCrypto)],
    },
    promptCrypto,
  );
  return { cert: `${certificate.toString("pem")}\n`, key: keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}

function newKeys(): Issuance["keys"] {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

/** A positive number of at most 20 bytes. */
function serialNumber(random: Random): string {
  return `4${random.uuid().replaceAll("-", "").slice(1)}`;
}

/** The library takes longer to load than an operator to start, so it is loaded only when a certificate has to be made. */
async function loadX509(): Promise<typeof X509> {
  await import("reflect-metadata");
  return import("@peculiar/x509");
}
