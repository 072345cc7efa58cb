import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { Agent } from "node:https";
import { test } from "node:test";
import { parseJson, stringifyJson, systemClock } from "@kaji/core";
import type { JsonValue } from "@kaji/core";
import { recordCustomVectors } from "../testing/custom-recorder.ts";
import type { RecordedAnswer } from "../testing/custom-recorder.ts";
import { warningsOf } from "../testing/custom-server.ts";
import { customVectorsFile, formatCustomVectors, readCustomVectors } from "../testing/custom-vectors.ts";
import { sendHttp1 } from "../testing/http-client.ts";

/** What is used of a control plane. The tool that starts it is no package of the house, so its types are not referred to. */
interface Kube extends AsyncDisposable {
  readonly server: string;
  readonly ca: string;
  readonly token: string;
}

const kubeTool: string = "@kaji-tools/kube";

test("[CRD1] [CRD2] the vectors are what a real kube-apiserver answers; KAJI_RECORD=1 writes them anew", async () => {
  const { startKube } = (await import(kubeTool)) as { readonly startKube: () => Promise<Kube> };
  await using kube = await startKube();
  const agent = new Agent({ ca: kube.ca, keepAlive: true });
  const send = async (method: string, path: string, body?: JsonValue): Promise<RecordedAnswer> => {
    const headers = { authorization: `Bearer ${kube.token}`, "content-type": "application/json" };
    const sent = body === undefined ? {} : { body: stringifyJson(body) };
    const response = await sendHttp1(`${kube.server}${path}`, { method, headers, agent, ca: kube.ca, ...sent });
    const text = await response.text();
    const { warning } = response.headers;
    return { code: response.status, body: text.startsWith("{") ? parseJson(text) : text, warnings: warningsOf(warning) };
  };
  const vectors = readCustomVectors();
  const recorded = await recordCustomVectors(vectors, send, systemClock);
  agent.destroy();
  if (process.env["KAJI_RECORD"] === "1") writeFileSync(customVectorsFile, formatCustomVectors(recorded));
  else assert.deepEqual(recorded, vectors);
});
