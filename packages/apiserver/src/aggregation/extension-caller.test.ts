import assert from "node:assert/strict";
import { test } from "node:test";
import type { ServerRequest } from "../http/server-request.ts";
import { listen } from "../http/http-listener.ts";
import { textResponse } from "../response/api-response.ts";
import { createTestCertificates } from "../testing/test-certificates.ts";
import { ExtensionCaller } from "./extension-caller.ts";

test("[AGG3] names of users may have any letters, there and back", async () => {
  const seen: (string | undefined)[] = [];
  const handle = ({ headers }: ServerRequest): Promise<ReturnType<typeof textResponse>> => {
    seen.push(headers["x-remote-user"], headers["x-remote-group"]);
    return Promise.resolve({ ...textResponse(200, ""), headers: { warning: '299 - "舵"' } });
  };
  const { serving } = createTestCertificates();
  await using listener = await listen({ handle }, { tls: serving });
  using caller = new ExtensionCaller({ resolveService: () => new URL(listener.url) });
  const remote = { name: "a", namespace: "b", port: 443, ca: "", skipsVerification: true };
  const headers = { "x-remote-user": "Łukasz", "x-remote-group": ["ops", "日本"] };
  const response = await caller.call(remote, { method: "GET", path: "/", headers, body: undefined, signal: new AbortController().signal });
  assert.deepEqual(seen, ["Łukasz", "ops, 日本"]);
  assert.equal(response.headers["warning"], '299 - "舵"');
  for await (const _ of response.body);
});
