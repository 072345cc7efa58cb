import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { Agent } from "node:https";
import { test } from "node:test";
import { systemClock } from "@kaji/core";
import { seededRandom } from "@kaji/core/testing";
import type { ServerRequest } from "./server-request.ts";
import { jsonResponse } from "../response/api-response.ts";
import { connectHttp2, sendHttp1 } from "../testing/http-client.ts";
import { createTestCertificates } from "../testing/test-certificates.ts";
import { issueClient } from "../tls/certificate-authority.ts";
import { listen } from "./http-listener.ts";

const options = { clock: systemClock, random: seededRandom(2) };
const ours = createTestCertificates();
const foreign = createTestCertificates();
const eve = issueClient(ours.authority, { commonName: "eve", organizations: ["ops", "system:masters"] }, options);
const mallory = issueClient(foreign.authority, { commonName: "eve" }, options);
const tls = { ...ours.serving, clientCa: ours.authority.cert };
const ca = ours.authority.cert;
/** Answers with the certificate of whoever asks. */
const whoAmI = { handle: ({ certificate }: ServerRequest) => Promise.resolve(jsonResponse(200, certificate ?? null)) };

test("[HTTP11] a client's certificate is known for all requests of its connection, in both versions of HTTP", async () => {
  await using listener = await listen(whoAmI, { tls });
  await using http2 = await connectHttp2(listener.url, { ca, ...eve });
  for (const received of [await sendHttp1(listener.url, { ca, ...eve }), await http2.send("/"), await http2.send("/again")]) {
    const { fingerprint, ...certificate } = JSON.parse(await received.text());
    const authorities = [new X509Certificate(ca).fingerprint256.replaceAll(":", "").toLowerCase()];
    assert.deepEqual(certificate, { type: "Trusted", commonName: "eve", organizations: ["ops", "system:masters"], authorities });
    assert.match(fingerprint, /^[0-9a-f]{64}$/);
  }
});

test("[HTTP11] one that our authority has not signed, or not for clients, is not trusted; none is none", async () => {
  await using listener = await listen(whoAmI, { tls });
  assert.equal(await (await sendHttp1(listener.url, { ca, ...mallory })).text(), '{"type":"Untrusted"}\n');
  assert.equal(await (await sendHttp1(listener.url, { ca, ...ours.serving })).text(), '{"type":"Untrusted"}\n');
  assert.equal(await (await sendHttp1(listener.url, { ca })).text(), "null\n");
});

test("[HTTP11] a client that resumes its TLS session is still who it was", async () => {
  await using listener = await listen(whoAmI, { tls });
  const agent = new Agent({ keepAlive: false, maxCachedSessions: 10 });
  const answers: string[] = [];
  for (let round = 0; round < 3; round++) answers.push(await (await sendHttp1(listener.url, { ca, ...eve, agent })).text());
  assert.equal(new Set(answers).size, 1);
  assert.match(answers[0] ?? "", /"eve"/);
});
