import { firstOf } from "@kaji/apiserver";
import type { Authenticator, ObjectLookup, ServiceAccountTokens } from "@kaji/apiserver";
import { isReason } from "@kaji/core";
import type { TokenAuthenticator } from "./kinds/groups/authentication/reviews.ts";

/** Says whose a token is: a service account's, or a user's whom the server itself authenticates by it. */
export function tokenReviewer(tokens: ServiceAccountTokens, others: readonly Authenticator[], lookup: ObjectLookup): TokenAuthenticator {
  const authenticate = firstOf(others);
  return async (token, asked) => {
    const review = await tokens.review(token, asked.length === 0 ? tokens.audiences : asked, lookup);
    if (review.type === "Refused") return review;
    if (review.type === "Accepted") return { ...review, user: { ...review.user, groups: [...review.user.groups, "system:authenticated"] } };
    // Other tokens are for this server alone.
    const audiences = asked.length === 0 ? tokens.audiences : tokens.audiences.filter((audience) => asked.includes(audience));
    if (audiences.length === 0) return review;
    try {
      return { type: "Accepted", user: await authenticate({ headers: { authorization: `Bearer ${token}` } }), audiences };
    } catch (error) {
      if (!isReason(error, "Unauthorized")) throw error;
      return review;
    }
  };
}
