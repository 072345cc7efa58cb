import type { TokenReview, UserInfo } from "@kaji/apiserver";
import { badRequest, formatTime, objectOf } from "@kaji/core";
import type { DynamicObject, JsonObject } from "@kaji/core";
import { objectField, stringField, stringsField } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";

/** Says whose a token is; no audiences mean those of the server. */
export type TokenAuthenticator = (token: string, audiences: readonly string[]) => TokenReview | Promise<TokenReview>;

/** `TokenReview`: asks whose a token is. Without an authenticator it is left without a status. */
export function tokenReview(authenticate: TokenAuthenticator | undefined): KindDetails {
  return {
    answer: async (object) => {
      const spec = objectField(object, "spec");
      const token = stringField(spec, "token");
      if (token === "") throw badRequest("token is required for TokenReview in authentication");
      const review = await authenticate?.(token, stringsField(spec, "audiences"));
      return review === undefined ? object : { ...object, status: statusOf(review) };
    },
  };
}

/** `SelfSubjectReview`: asks who the asker is. */
export const selfSubjectReview: KindDetails = {
  answer: async ({ apiVersion, kind }, { request, nowMs }): Promise<DynamicObject> => {
    const metadata = { creationTimestamp: formatTime(nowMs) };
    return objectOf({ apiVersion, kind, metadata, status: { userInfo: userFields(request.user) } });
  },
};

function statusOf(review: TokenReview): JsonObject {
  // An authenticator of other tokens does not know this one; the authenticator it is for has a reason besides.
  if (review.type === "Foreign") return { user: {}, error: "invalid bearer token" };
  if (review.type === "Refused") return { user: {}, error: `[invalid bearer token, ${review.reason}]` };
  return { authenticated: true, user: userFields(review.user), ...(review.audiences.length === 0 ? {} : { audiences: review.audiences }) };
}

function userFields({ username, uid = "", groups, extra = {} }: UserInfo): JsonObject {
  return {
    ...(username === "" ? {} : { username }),
    ...(uid === "" ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}
