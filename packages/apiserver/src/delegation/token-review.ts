import { createHash } from "node:crypto";
import { isJsonObject } from "@kaji/core";
import type { Clock, JsonValue, Transport } from "@kaji/core";
import { ExpiringCache, unauthorized } from "@kaji/core/serving";
import type { UserInfo } from "@kaji/core/serving";
import { bearerToken } from "../auth/bearer-token.ts";
import type { Authenticator } from "../auth/authenticator.ts";
import { askMainServer } from "./main-server.ts";

/** What the main server has said is believed this long. */
const lifeMs = 10_000;

/** Bearer tokens: the main server says whose they are. */
export function byTokenReview(mainServer: Transport, clock: Clock): Authenticator {
  const cache = new ExpiringCache<UserInfo | undefined>(clock, lifeMs);
  return async (credentials) => {
    const token = bearerToken(credentials);
    if (token === undefined) return undefined;
    // Tokens themselves are nothing to keep in memory.
    const key = createHash("sha256").update(token).digest("base64");
    const user = await cache.get(key, () => review(mainServer, token));
    if (user === undefined) throw unauthorized();
    return user;
  };
}

async function review(mainServer: Transport, token: string): Promise<UserInfo | undefined> {
  const { status } = await askMainServer(mainServer, "POST", "/apis/authentication.k8s.io/v1/tokenreviews", {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenReview",
    spec: { token },
  });
  if (status === undefined || !isJsonObject(status) || status["authenticated"] !== true) return undefined;
  return userOf(status["user"]);
}

function userOf(value: JsonValue | undefined): UserInfo | undefined {
  if (value === undefined || !isJsonObject(value) || typeof value["username"] !== "string") return undefined;
  const { username, uid, groups, extra } = value;
  return {
    username,
    ...(typeof uid === "string" ? { uid } : {}),
    groups: stringsOf(groups),
    ...(extra === undefined || !isJsonObject(extra)
      ? {}
      : { extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, stringsOf(values)])) }),
  };
}

function stringsOf(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
