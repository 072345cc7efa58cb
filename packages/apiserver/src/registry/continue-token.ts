import { badRequest, isJsonObject, parseJson } from "@kaji/core";
import type { JsonValue } from "@kaji/core";
import { jsonTypeOf } from "../request/body-type.ts";
import { goSyntaxError } from "../request/go-syntax-error.ts";

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
  if (after.split("/").includes("..")) throw invalidToken(start);
  return { revision: rv < 0 ? undefined : rv, after };
}

function parseToken(token: string): Readonly<Record<string, unknown>> {
  const wrong = token.search(/[^A-Za-z0-9_-]/);
  if (wrong >= 0 || token.length % 4 === 1) throw invalidToken(`illegal base64 data at input byte ${wrong < 0 ? token.length - 1 : wrong}`);
  const bytes = Buffer.from(token, "base64url");
  let value: JsonValue;
  try {
    value = parseJson(bytes.toString("utf8"));
  } catch {
    throw invalidToken(goSyntaxError(bytes) ?? "");
  }
  if (isJsonObject(value)) return value;
  throw invalidToken(`json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type storage.continueToken`);
}

function invalidToken(detail: string): Error {
  return badRequest(`invalid continue token: continue key is not valid: ${detail}`);
}
