import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";
import type { JsonWebKey, KeyObject } from "node:crypto";
import type { Clock, ObjectMeta, Random } from "@kaji/core";
import type { JWTPayload } from "jose";
import { unauthorized } from "@kaji/core/serving";
import type { UserInfo } from "@kaji/core/serving";
import { bearerToken } from "./bearer-token.ts";
import type { Authenticator } from "./authenticator.ts";
import { keptClaimsIn, keptTokenPayload } from "./kept-token.ts";
import type { KeptTokenClaims } from "./kept-token.ts";
import { claimsIn, readPayload } from "./token-claims.ts";
import type { ObjectName, TokenClaims } from "./token-claims.ts";
import { tokenUser } from "./token-user.ts";
import type { TokenOwner } from "./token-user.ts";

/** Who issues tokens, and for whom unless a request says otherwise. */
const defaultIssuer = "https://kubernetes.default.svc";

/** What a token is asked for. */
export interface TokenRequest {
  readonly namespace: string;
  /** Of the ServiceAccount. */
  readonly name: string;
  readonly uid: string;
  /** Empty: those of this server. */
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  /** With the end of which the token ends. */
  readonly bound?: BoundObject;
}

/** What a token can be bound to. That of a pod names its node, too, if it has one. */
export type BoundObject =
  | { readonly kind: "Pod"; readonly name: string; readonly uid: string; readonly node?: ObjectName }
  | { readonly kind: "Node" | "Secret"; readonly name: string; readonly uid: string };

/** What tokens depend on of an object. */
export interface FoundObject extends Pick<ObjectMeta, "uid" | "deletionTimestamp"> {
  /** That a Secret keeps. */
  readonly token?: string;
}

/** Tells what is there of a kind under a name now; the namespace is absent for nodes. */
export type ObjectLookup = (
  kind: "ServiceAccount" | "Pod" | "Secret" | "Node",
  namespace: string | undefined,
  name: string,
) => FoundObject | undefined | Promise<FoundObject | undefined>;

/** What a token came to: whose it is and which of the audiences it is for; why not; or that it is not one of ours. */
export type TokenReview =
  | { readonly type: "Accepted"; readonly user: UserInfo; readonly audiences: readonly string[] }
  | { readonly type: "Refused"; readonly reason: string }
  | { readonly type: "Foreign" };

/** Where time and chance come from, and who the issuer is. */
export interface ServiceAccountTokensOptions {
  /** A private key on P-256, of RSA, or of Ed25519, in PEM. */
  readonly key: string;
  /** Default `https://kubernetes.default.svc`. */
  readonly issuer?: string;
  readonly clock: Clock;
  readonly random: Random;
}

/** What a token claims: for whom it is good, and for whom it is asked about. */
interface Reviewed {
  readonly claims: TokenOwner;
  readonly good: readonly string[];
  readonly asked: readonly string[];
  /** Why it is not good any more, if so. */
  readonly problem: () => Promise<string | undefined>;
}

/** A token of a pod that is asked for with just this duration is given a year, and is only reported as stale after it. */
const warnOnlySeconds = 3607;
const yearSeconds = 365 * 24 * 60 * 60;
/** Clocks may differ by this much, and what is deleted is good for as long. */
const leewayMs = 60_000;
/** Signatures are checked once; the tokens of so many users are remembered. */
const rememberedTokens = 1000;

/** Issues the tokens of service accounts and says whose they are: signed JWTs. */
export class ServiceAccountTokens {
  /** The audiences of whatever says none. */
  readonly audiences: readonly string[];
  readonly issuer: string;
  /** How they are signed, which follows from the key. */
  readonly algorithm: "ES256" | "RS256" | "EdDSA";
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  readonly #keyId: string;
  readonly #clock: Clock;
  readonly #random: Random;
  /** Tokens whose signature is right, oldest first. */
  readonly #genuine = new Set<string>();

  constructor({ key, issuer = defaultIssuer, clock, random }: ServiceAccountTokensOptions) {
    this.issuer = issuer;
    this.audiences = [issuer];
    this.#privateKey = createPrivateKey(key);
    this.#publicKey = createPublicKey(this.#privateKey);
    this.algorithm = algorithmOf(this.#privateKey);
    this.#keyId = createHash("sha256")
      .update(this.#publicKey.export({ type: "spki", format: "der" }))
      .digest("base64url");
    this.#clock = clock;
    this.#random = random;
  }

  /** The public key, by which others can check tokens. */
  get publicJwk(): JsonWebKey {
    return { use: "sig", ...this.#publicKey.export({ format: "jwk" }), kid: this.#keyId, alg: this.algorithm };
  }

  /** Issues a token for a Secret to keep. */
  async issueKept(claims: KeptTokenClaims): Promise<string> {
    return this.#signed(keptTokenPayload(claims));
  }

  /** Issues a token. That the ServiceAccount and what it is bound to exist has been checked before. */
  async issue({ namespace, name, uid, audiences, expirationSeconds, bound }: TokenRequest): Promise<string> {
    const aud = audiences.length === 0 ? this.audiences : audiences;
    const nowSeconds = Math.floor(this.#clock.now() / 1000);
    const isWarnOnly = bound?.kind === "Pod" && expirationSeconds === warnOnlySeconds && aud.every((each) => this.audiences.includes(each));
    return this.#signed({
      aud: [...aud],
      exp: nowSeconds + (isWarnOnly ? yearSeconds : expirationSeconds),
      iat: nowSeconds,
      iss: this.issuer,
      jti: this.#random.uuid(),
      "kubernetes.io": {
        namespace,
        ...boundClaims(bound),
        serviceaccount: { name, uid },
        ...(isWarnOnly ? { warnafter: nowSeconds + expirationSeconds } : {}),
      },
      nbf: nowSeconds,
      sub: `system:serviceaccount:${namespace}:${name}`,
    });
  }

  /** Knows the tokens issued here, as long as what they are bound to exists. */
  authenticator(lookup: ObjectLookup): Authenticator {
    return async (credentials) => {
      const token = bearerToken(credentials);
      if (token === undefined) return undefined;
      const review = await this.review(token, this.audiences, lookup);
      if (review.type === "Refused") throw unauthorized();
      return review.type === "Accepted" ? review.user : undefined;
    };
  }

  /** Says whose a token is, if it is for one of the audiences. */
  async review(token: string, audiences: readonly string[], lookup: ObjectLookup): Promise<TokenReview> {
    const payload = readPayload(token);
    const kept = keptClaimsIn(payload);
    if (kept !== undefined) {
      return this.#reviewed(token, {
        claims: kept,
        good: this.audiences,
        asked: audiences,
        problem: () => keptTokenProblem(token, kept, lookup),
      });
    }
    const claims = claimsIn(payload);
    if (claims?.issuer !== this.issuer) return { type: "Foreign" };
    const problem = async (): Promise<string | undefined> => this.#outOfTime(claims) ?? (await this.#withoutObjects(claims, lookup));
    return this.#reviewed(token, { claims, good: claims.audiences, asked: audiences, problem });
  }

  async #reviewed(token: string, { claims, good, asked, problem }: Reviewed): Promise<TokenReview> {
    if (!(await this.#isGenuine(token))) return refused("go-jose/go-jose: error in cryptographic primitive");
    const audiences = good.filter((audience) => asked.includes(audience));
    if (audiences.length === 0) return refused(`token audiences ${list(good)} is invalid for the target audiences ${list(asked)}`);
    const reason = await problem();
    return reason === undefined ? { type: "Accepted", user: tokenUser(claims), audiences } : refused(reason);
  }

  /** Whether the signature of a token is ours. */
  async #isGenuine(token: string): Promise<boolean> {
    if (this.#genuine.has(token)) return true;
    const { compactVerify } = await import("jose");
    try {
      await compactVerify(token, this.#publicKey, { algorithms: [this.algorithm] });
    } catch {
      return false;
    }
    this.#remember(token);
    return true;
  }

  #remember(token: string): void {
    this.#genuine.add(token);
    const [oldest] = this.#genuine;
    if (this.#genuine.size > rememberedTokens && oldest !== undefined) this.#genuine.delete(oldest);
  }

  /** At once rather than on another thread, so that a simulation in which nothing else happens does not let time go by meanwhile. */
  #signed(payload: JWTPayload): string {
    const text = [{ alg: this.algorithm, kid: this.#keyId }, payload].map((part) => base64url(JSON.stringify(part))).join(".");
    const digest = this.algorithm === "EdDSA" ? undefined : "sha256";
    return `${text}.${base64url(sign(digest, Buffer.from(text), { key: this.#privateKey, dsaEncoding: "ieee-p1363" }))}`;
  }

  #outOfTime({ expiresAt, notBefore, issuedAt }: TokenClaims): string | undefined {
    const nowMs = this.#clock.now();
    if (nowMs - leewayMs > expiresAt * 1000) return "service account token has expired";
    if (nowMs + leewayMs < notBefore * 1000) return "service account token is not valid yet";
    return nowMs + leewayMs < issuedAt * 1000 ? "service account token is issued in the future" : undefined;
  }

  /** Why the token has ended with one of its objects, if it has. */
  async #withoutObjects({ namespace, serviceAccount, pod, secret, node }: TokenClaims, lookup: ObjectLookup): Promise<string | undefined> {
    const bound = [
      { kind: "ServiceAccount", namespace, claim: serviceAccount } as const,
      { kind: "Secret", namespace, claim: secret } as const,
      { kind: "Pod", namespace, claim: pod } as const,
      { kind: "Node", namespace: undefined, claim: pod === undefined ? node : undefined } as const,
    ];
    for (const { kind, namespace: where, claim } of bound) {
      if (claim === undefined) continue;
      const found = await lookup(kind, where, claim.name);
      if (found !== undefined && found.uid === claim.uid && !this.#isLongDeleted(found.deletionTimestamp)) continue;
      if (kind !== "ServiceAccount") return "service account token has been invalidated";
      if (found === undefined) return `serviceaccounts ${JSON.stringify(claim.name)} not found`;
      if (this.#isLongDeleted(found.deletionTimestamp)) return `service account ${namespace}/${claim.name} has been deleted`;
      return `service account UID (${found.uid}) does not match claim (${claim.uid})`;
    }
    return undefined;
  }

  #isLongDeleted(deletionTimestamp: string | undefined): boolean {
    return deletionTimestamp !== undefined && Date.parse(deletionTimestamp) < this.#clock.now() - leewayMs;
  }
}

function base64url(content: string | Uint8Array): string {
  return Buffer.from(content).toString("base64url");
}

function algorithmOf({ asymmetricKeyType }: KeyObject): ServiceAccountTokens["algorithm"] {
  if (asymmetricKeyType === "ed25519") return "EdDSA";
  return asymmetricKeyType === "rsa" ? "RS256" : "ES256";
}

function boundClaims(bound: BoundObject | undefined): Readonly<Record<string, ObjectName>> {
  if (bound === undefined) return {};
  const { kind, name, uid } = bound;
  if (kind !== "Pod") return { [kind.toLowerCase()]: { name, uid } };
  return { ...(bound.node === undefined ? {} : { node: bound.node }), pod: { name, uid } };
}

/** Why a token that a Secret keeps is not good any more, if so. */
async function keptTokenProblem(token: string, claims: KeptTokenClaims, lookup: ObjectLookup): Promise<string | undefined> {
  const { namespace, secret, serviceAccount } = claims;
  const keeper = await lookup("Secret", namespace, secret);
  if (keeper === undefined || keeper.deletionTimestamp !== undefined) return "Token has been invalidated";
  if (keeper.token !== token) return "Token does not match server's copy";
  const account = await lookup("ServiceAccount", namespace, serviceAccount.name);
  if (account === undefined) return `serviceaccounts ${JSON.stringify(serviceAccount.name)} not found`;
  if (account.deletionTimestamp !== undefined) return `ServiceAccount ${namespace}/${serviceAccount.name} has been deleted`;
  if (account.uid === serviceAccount.uid) return undefined;
  return `ServiceAccount UID (${account.uid}) does not match claim (${serviceAccount.uid})`;
}

function refused(reason: string): TokenReview {
  return { type: "Refused", reason };
}

function list(audiences: readonly string[]): string {
  return `[${audiences.map((audience) => JSON.stringify(audience)).join(" ")}]`;
}
