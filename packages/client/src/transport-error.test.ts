import assert from "node:assert/strict";
import { test } from "node:test";
import { TransportError, explainTransportError } from "./transport-error.ts";
import type { TransportFailure } from "./transport-error.ts";

test("why there was no answer is one line that says what to look at", () => {
  const explained = (reason: TransportFailure, message = "why"): string =>
    explainTransportError(new TransportError(reason, message), "https://example.com");
  for (const reason of ["Unreachable", "Interrupted", "TimedOut"] as const)
    assert.match(explained(reason), /^cannot reach https:\/\/example\.com: why; see whether it runs/);
  assert.match(explained("Untrusted"), /^https:\/\/example\.com cannot be trusted: why; see whether the kubeconfig has the authority/);
  assert.equal(
    explained("Unauthenticated", "the plugin failed:\n  no token"),
    "no credentials for https://example.com: the plugin failed: no token",
  );
  assert.match(
    explained("Unreachable", "no answer from https://example.com: connection refused (GET /version)"),
    /\.com: connection refused \(GET \/version\); see/,
  );
  assert.match(
    explained("Unreachable", "no answer from https://example.com through the proxy proxy:3128: connection refused"),
    /\.com: through the proxy proxy:3128: connection refused; see/,
  );
  assert.equal(explained("Malformed"), "https://example.com is no API server: why");
});
