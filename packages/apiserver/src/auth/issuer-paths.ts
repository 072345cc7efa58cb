import type { PathHandler } from "../api-server.ts";
import { exactPath } from "../exact-path.ts";
import { bytesResponse } from "../response/api-response.ts";
import type { ApiResponse } from "../response/api-response.ts";
import type { ServiceAccountTokens } from "./service-account-tokens.ts";

const keysPath = "/openid/v1/jwks";

/** What others need to check the tokens of service accounts: OpenID Connect discovery. `url` is where this server is reached. */
export function issuerPaths({ issuer, publicJwk, algorithm }: ServiceAccountTokens, url: string): Readonly<Record<string, PathHandler>> {
  const configuration = {
    issuer,
    jwks_uri: `${url}${keysPath}`,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [algorithm],
  };
  return {
    ...exactPath("/.well-known/openid-configuration", () => cacheable("application/json", configuration)),
    ...exactPath(keysPath, () => cacheable("application/jwk-set+json", { keys: [publicJwk] })),
  };
}

function cacheable(contentType: string, value: unknown): ApiResponse {
  const response = bytesResponse(200, contentType, Buffer.from(JSON.stringify(value)));
  return { ...response, headers: { ...response.headers, "cache-control": "public, max-age=3600" } };
}
