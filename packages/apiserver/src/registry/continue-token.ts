import { badRequest } from "@kaji/core";

/** Where a list goes on: after a key, at the revision of its first page. */
export interface ContinueToken {
  /** Undefined for a list that goes on at the newest revision, since the one it began at is gone. */
  readonly revision: number | undefined;
  /** The last key listed, below the path of the list. */
  readonly after: string;
}

/** The real server's format, so that tests which look inside work here too. */
const tokenVersion = "meta.k8s.io/v1";

/** Writes a token. */
export function encodeContinue({ revision, after }: ContinueToken): string {
  const start = revision === undefined ? after : `/${after}\0`;
  return Buffer.from(JSON.stringify({ v: tokenVersion, rv: revision ?? -1, start })).toString("base64url");
}

/** Reads a token, and refuses what is none. */
export function decodeContinue(token: string): ContinueToken {
  const { v, rv, start } = parseToken(token);
  if (v !== tokenVersion) throw invalidToken(`server does not recognize this encoded version ${typeof v === "string" ? v : ""}`);
  if (typeof start !== "string" || start === "") throw invalidToken("encoded start key empty (version meta.k8s.io/v1)");
  if (rv === 0 || typeof rv !== "number" || !Number.isSafeInteger(rv)) {
    throw invalidToken("incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
  }
  const after = start.replace(/^\//, "").replace(/\0$/, "");
  if (after.split("/").includes("..")) throw invalidToken(`continue key is not valid: ${start}`);
  return { revision: rv < 0 ? undefined : rv, after };
}

function parseToken(token: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, "base64url").toString("utf8"));
    if (typeof value === "object" && value !== null) return { ...value };
    throw new SyntaxError("it is no object");
  } catch (error) {
    throw invalidToken(error instanceof Error ? error.message : String(error));
  }
}

function invalidToken(detail: string): Error {
  return badRequest(`invalid continue token: continue key is not valid: ${detail}`);
}
