import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";

const run = promisify(execFile);
const server = JSON.stringify(new URL("./webhook-server.ts", import.meta.url).href);
const handler = JSON.stringify(new URL("./webhook-handler.ts", import.meta.url).href);
const hook = JSON.stringify(new URL("./webhook.ts", import.meta.url).href);
const fixture = JSON.stringify(new URL("./testing/bar.ts", import.meta.url).href);

test("[WH9] a rejected promise that a handler did not await is logged, and does not end the process", async () => {
  // A program of its own, since the test runner has its own opinion on rejections.
  const program = `
    import { json } from "node:stream/consumers";
    import { resource } from "@kaji/core";
    import { webhook } from ${hook};
    import { webhookHandler } from ${handler};
    import { createWebhookServer } from ${server};
    import { barRequest, reviewOf } from ${fixture};
    const Bar = resource({ group: "example.com", version: "v1", kind: "Bar", plural: "bars", scope: "Namespaced" });
    const validate = () => { Promise.reject(new Error("forgotten")); };
    const log = { info() {}, error: ({ err }, message) => console.log(message + ": " + err.message) };
    const handle = webhookHandler({ webhooks: [webhook(Bar, { validate })], log });
    const end = new AbortController();
    const certificates = { current: {}, subscribe: () => ({ [Symbol.dispose]() {} }) };
    const running = createWebhookServer({ handler: handle, certificates, host: "127.0.0.1", port: 0, linger: 0 }).run(end.signal);
    await new Promise(setImmediate);
    const body = Buffer.from(JSON.stringify(reviewOf(barRequest())));
    const headers = { "content-type": "application/json" };
    const answer = await handle({ method: "POST", path: "/validate-example-com-v1-bar", headers, body });
    console.log((await json(answer.body)).response.allowed);
    await new Promise(setImmediate);
    end.abort();
    await running;
  `;
  const { stdout } = await run(process.execPath, ["--conditions=@kaji/source", "--input-type=module", "--eval", program]);
  assert.deepEqual(stdout.trim().split("\n").toSorted(), ["true", "unhandled rejection in webhook: a promise was not awaited: forgotten"]);
});
