import { X509Certificate } from "node:crypto";
import type { Clock, Random } from "@kaji/core";
import { skewMs } from "@kaji/core/x509";
import { createAuthority, crossSign, issueServing } from "./certificate-authority.ts";
import { isFor, isIssuedBy, pemBlocks, validityOf } from "./certificate.ts";
import type { Certificate, Validity } from "./certificate.ts";

/** The keys of an operator's webhooks. */
export interface WebhookKeys {
  /** The authorities of the CA bundle, newest first. One without a key no longer signs. */
  readonly authorities: readonly Authority[];
  /** What the webhook servers show. */
  readonly serving: ServingCertificate;
}

/** An authority of ours. */
export interface Authority extends Partial<Certificate>, Validity {
  readonly cert: string;
  readonly x509: X509Certificate;
}

/** A certificate that servers show, and the authority that has signed it. */
export interface ServingCertificate extends Certificate, Validity {
  readonly x509: X509Certificate;
  /** The certificate of an authority. */
  readonly issuer: string;
}

/** What certificates are for, and how long they are good. */
export interface RotationOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** The names of the servers. */
  readonly names: readonly string[];
  readonly authorityLifetimeMs: number;
  readonly certificateLifetimeMs: number;
  /** How long an authority is in the bundle before it signs, so that every API server and replica has read it. */
  readonly overlapMs: number;
}

/** Authorities and certificates are replaced when this share of their lifetime is over. */
const renewAfter = 2 / 3;

/**
 * What the keys shall be now: the same object where nothing is due. A new authority is first only trusted; once `isTrusted` says that it is so
 * everywhere, and the overlap is over, certificates are signed by it. The one before stays trusted until it expires, and cross-signs the new one for API servers that
 * have not read the new bundle.
 */
export function rotate(keys: WebhookKeys | undefined, isTrusted: boolean, options: RotationOptions): WebhookKeys {
  const { clock, random, names } = options;
  const nowMs = clock.now();
  const live = (keys?.authorities ?? []).filter((each) => isValid(each, nowMs));
  const [newest] = live;
  const authorities =
    newest?.key !== undefined && !isDue(newest, nowMs)
      ? live
      : [readAuthority(createAuthority("kaji webhooks", { clock, random, lifetimeMs: options.authorityLifetimeMs })), ...live];

  const signer = signerOf(authorities, isTrusted, nowMs - options.overlapMs);
  const isGood =
    keys?.serving.issuer === signer.cert && isFor(keys.serving.x509, names) && isValid(keys.serving, nowMs) && !isDue(keys.serving, nowMs);
  const serving = keys !== undefined && isGood ? keys.serving : signedBy(signer, authorities, keys?.serving.cert ?? "", options);

  // Authorities older than the one that signs have been replaced by it, and lose their keys.
  const signing = authorities.findIndex(({ cert }) => cert === signer.cert);
  const kept = authorities.map(({ key, ...each }, index) => (index > signing || key === undefined ? each : { ...each, key }));
  return keys !== undefined && serving === keys.serving && isSame(kept, keys.authorities) ? keys : { authorities: kept, serving };
}

/** When `rotate` has something to do next: to replace, to sign with a newer authority, or to drop an expired one. */
export function nextDueMs({ authorities, serving }: WebhookKeys, { clock, overlapMs }: RotationOptions): number {
  const nowMs = clock.now();
  const moments = [...authorities, serving].flatMap((each) => [dueAtMs(each), each.fromMs + skewMs + overlapMs, each.toMs]);
  return Math.min(...moments.filter((moment) => moment > nowMs));
}

/** The CA bundle: the certificates of all authorities as one PEM text. */
export function bundleOf({ authorities }: WebhookKeys): string {
  return authorities.map(({ cert }) => cert).join("");
}

/** An authority from its certificate, and its key if there is one. */
export function readAuthority(certificate: { readonly cert: string; readonly key?: string }): Authority {
  const x509 = new X509Certificate(certificate.cert);
  return { ...certificate, ...validityOf(x509), x509 };
}

/** The certificate of a server, which any of the authorities may have signed, or none. */
export function readServingCertificate(certificate: Certificate, authorities: readonly Authority[]): ServingCertificate {
  const x509 = new X509Certificate(certificate.cert);
  const issuer = authorities.find((authority) => isIssuedBy(x509, authority.x509))?.cert ?? "";
  return { ...certificate, ...validityOf(x509), x509, issuer };
}

/** A new certificate for servers, followed by the cross-signatures of older authorities for its own: those that can be made now, and those that were shown before. */
function signedBy(signer: Certificate, authorities: readonly Authority[], shown: string, options: RotationOptions): ServingCertificate {
  const { clock, random, names, certificateLifetimeMs } = options;
  const issued = issueServing(signer, names, { clock, random, lifetimeMs: certificateLifetimeMs });
  const older = authorities.slice(authorities.findIndex(({ cert }) => cert === signer.cert) + 1);
  let chain = issued.cert;
  for (const { cert, key, x509 } of older) {
    const kept = pemBlocks(shown, "CERTIFICATE").find((each) => isCrossSignature(each, signer, x509)) ?? "";
    chain += key === undefined ? kept : crossSign(signer, { cert, key }, { clock, random });
  }
  return readServingCertificate({ ...issued, cert: chain }, authorities);
}

/** Whether a certificate is the cross-signature of one authority for another. */
function isCrossSignature(cert: string, { cert: vouchedFor }: Certificate, older: X509Certificate): boolean {
  const voucher = new X509Certificate(cert);
  return voucher.ca && voucher.publicKey.equals(new X509Certificate(vouchedFor).publicKey) && isIssuedBy(voucher, older);
}

/** The newest authority that may sign; a newer one has to wait while there is an older one that still can. */
function signerOf(authorities: readonly Authority[], isTrusted: boolean, trustedSinceMs: number): Certificate {
  const able = authorities.flatMap(({ cert, key, fromMs }) => (key === undefined ? [] : [{ cert, key, fromMs }]));
  const [newest, previous] = able;
  if (newest === undefined) throw new TypeError("no webhook authority has a private key");
  return previous === undefined || (isTrusted && newest.fromMs + skewMs <= trustedSinceMs) ? newest : previous;
}

/** What was made while the clock was wrong may not be valid yet. */
function isValid({ fromMs, toMs }: Validity, nowMs: number): boolean {
  return fromMs <= nowMs && nowMs < toMs;
}

function isDue(validity: Validity, nowMs: number): boolean {
  return nowMs >= dueAtMs(validity);
}

function dueAtMs({ fromMs, toMs }: Validity): number {
  const madeMs = fromMs + skewMs;
  return madeMs + (toMs - madeMs) * renewAfter;
}

function isSame(some: readonly Authority[], others: readonly Authority[]): boolean {
  return some.length === others.length && some.every(({ cert, key }, index) => cert === others[index]?.cert && key === others[index].key);
}
