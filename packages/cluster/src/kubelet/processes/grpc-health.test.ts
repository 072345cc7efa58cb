import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http2";
import type { ServerHttp2Stream } from "node:http2";
import { test } from "node:test";
import { checkGrpcHealth } from "./grpc-health.ts";
import type { Verdict } from "./probe-target.ts";

/** What somebody who asks for the health of a service hears from a server that answers so. */
async function ask(
  service: string,
  answer: (stream: ServerHttp2Stream, message: Buffer) => void,
  limit?: AbortController,
): Promise<Verdict> {
  const server = createServer().on("stream", (stream, headers) => {
    assert.equal(headers[":path"], "/grpc.health.v1.Health/Check");
    const pieces: Buffer[] = [];
    stream.on("error", () => {});
    stream.on("data", (piece: Buffer) => pieces.push(piece)).on("end", () => answer(stream, Buffer.concat(pieces)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const verdict = await checkGrpcHealth({ type: "Grpc", host: "127.0.0.1", port, service }, limit?.signal ?? new AbortController().signal);
  server.close();
  return verdict;
}

/** Answers with a message and, behind it, that all went well. */
function says(...message: readonly number[]): (stream: ServerHttp2Stream) => void {
  return (stream) => {
    stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    stream.end(Buffer.from([0, 0, 0, 0, message.length, ...message]));
  };
}

test("[PROC6] a server that serves is well, and is asked for the service that the probe names", async () => {
  let asked = "";
  const verdict = await ask("liveness", (stream, message) => {
    asked = message.toString("latin1");
    says(8, 1)(stream);
  });
  assert.deepEqual(verdict, { type: "Well" });
  assert.equal(asked, "\0\0\0\0\n\n\bliveness");
});

test("[PROC6] a server that says otherwise, or does not know, is not", async () => {
  assert.deepEqual(await ask("", says(8, 2)), { type: "Unwell", why: 'service unhealthy (responded with "NOT_SERVING")' });
  assert.deepEqual(await ask("", says()), { type: "Unwell", why: 'service unhealthy (responded with "UNKNOWN")' });
});

test("[PROC6] a server without the health protocol is not well", async () => {
  const verdict = await ask("", (stream) => {
    stream.respond({ ":status": 200, "grpc-status": "12", "grpc-message": "unknown service" }, { endStream: true });
  });
  const why = "error: this server does not implement the grpc health protocol (grpc.health.v1.Health): unknown service";
  assert.deepEqual(verdict, { type: "Unwell", why });
});

test("[PROC6] whoever does not answer in time, or is not there, is not well", async () => {
  const limit = new AbortController();
  const late = await ask("", () => limit.abort(), limit);
  assert.equal(late.type, "Unwell");
  const absent = await checkGrpcHealth({ type: "Grpc", host: "127.0.0.1", port: 1, service: "" }, new AbortController().signal);
  assert.match(absent.type === "Unwell" ? absent.why : "", /^error: failed to connect service at "127\.0\.0\.1:1": /);
});
