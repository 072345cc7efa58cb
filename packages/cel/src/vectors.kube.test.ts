import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { test } from "node:test";
import { startKube } from "@kaji-tools/kube";
import { parseJson, stringifyJson, systemClock } from "@kaji/core";
import type { JsonValue } from "@kaji/core";
import { recordVectors } from "./testing/vector-recorder.ts";
import type { SendJson } from "./testing/vector-recorder.ts";
import { formatVectors, readVectors, vectorsFile } from "./testing/vectors.ts";

test("[CEL1] the vectors are what a real kube-apiserver answers; KAJI_RECORD=1 writes them anew", async () => {
  await using kube = await startKube();
  const agent = new Agent({ ca: kube.ca, keepAlive: true });
  const vectors = readVectors();
  const recorded = await recordVectors(vectors, sender(kube.server, kube.token, agent), systemClock);
  agent.destroy();
  if (process.env["KAJI_RECORD"] === "1") writeFileSync(vectorsFile, formatVectors(recorded));
  else assert.deepEqual(recorded, vectors);
});

function sender(server: string, token: string, agent: Agent): SendJson {
  return (method, path, body) => {
    const { promise, resolve, reject } = Promise.withResolvers<JsonValue>();
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const sent = request(`${server}${path}`, { method, headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => resolve(parseJson(Buffer.concat(chunks).toString("utf8"))));
    });
    sent.on("error", reject);
    sent.end(body === undefined ? undefined : stringifyJson(body));
    return promise;
  };
}
