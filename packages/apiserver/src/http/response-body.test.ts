import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { connectHttp2, sendHttp1 } from "../testing/http-client.ts";
import type { Received, Sent } from "../testing/http-client.ts";
import { createTestCertificates } from "../testing/test-certificates.ts";
import { startTestServer, widgets } from "../testing/widgets.ts";
import { listen } from "./http-listener.ts";

const { authority, serving } = createTestCertificates();
const ca = authority.cert;

function widget(name: string, data = ""): Sent {
  const body = JSON.stringify({ apiVersion: "example.com/v1", kind: "Widget", metadata: { name, annotations: { data } } });
  return { method: "POST", headers: { "content-type": "application/json" }, body };
}

/** The end of a body, which is as long as it was said to be. */
async function endOf(received: Received): Promise<string> {
  const text = await received.text();
  const { "content-length": length } = received.headers;
  if (length !== undefined) assert.equal(Number(length), Buffer.byteLength(text));
  return text.slice(-2);
}

test("[HTTP12] JSON ends with a line feed, of one object as of a list, unless it is for people", async () => {
  await using server = startTestServer({ authorize: () => ({ allowed: true, reason: "test" }) });
  await using listener = await listen(server.server, { tls: serving });
  await using http2 = await connectHttp2(listener.url, { ca });
  const ways = [(path: string, sent: Sent = {}) => sendHttp1(listener.url + path, { ...sent, ca }), http2.send.bind(http2)];
  for (const [index, send] of ways.entries()) {
    const [one, large] = [`one-${index}`, `large-${index}`];
    assert.equal(await endOf(await send(widgets, widget(one))), "}\n");
    for (const path of [widgets, `${widgets}/${one}`, `${widgets}/none`]) {
      assert.equal(await endOf(await send(path)), "}\n", path);
      assert.equal(await endOf(await send(`${path}?pretty=true`)), "\n}", path);
    }
    await endOf(await send(widgets, widget(large, "x".repeat(200_000))));
    const compressed = await send(`${widgets}/${large}`, { headers: { "accept-encoding": "gzip" } });
    assert.equal(
      gunzipSync(await compressed.bytes())
        .toString()
        .slice(-2),
      "}\n",
    );
    const head = await send(`${widgets}/${one}`, { method: "HEAD" });
    assert.equal(await head.text(), "");
  }
});
