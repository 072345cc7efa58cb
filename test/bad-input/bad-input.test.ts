import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createMemoryStorage } from "@kaji/apiserver";
import { createApiServer } from "@kaji/cluster";
import { bodyText, stringifyJson } from "@kaji/core";
import type { Transport, TransportRequest } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { byClock } from "@kaji-tools/record";
import { Dice } from "../random/dice.ts";
import { malformedRequest } from "./malformed-requests.ts";
import { shirtDefinition } from "./samples.ts";

const requests = 20_000;
/** So many are under way at a time. */
const batch = 100;
const seed = 20260101;

/** Memory may be this much larger after the second half of the requests than after the first. */
const growthBytes = 24 * 1024 * 1024;

test(`${requests} malformed requests are refused as what they are, and nothing else comes of them`, async () => {
  const clock = new ManualClock();
  await using server = createApiServer({ storage: createMemoryStorage({ clock }), clock, random: seededRandom(1) });
  const send = server.transport();
  await post(send, "/api/v1/namespaces", { metadata: { name: "default" } });
  await post(send, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", shirtDefinition);

  const dice = new Dice(seed);
  const pace = byClock(clock);
  const failures: string[] = [];
  let usedAfterHalf = 0;
  for (let count = 0; count < requests; count += batch) {
    const problems = Array.from({ length: batch }, () => problemWith(malformedRequest(dice), send));
    failures.push(...(await pace.whileWaiting(Promise.all(problems))).flat());
    // History is forgotten with time, of which otherwise none passes.
    await clock.advance(10 * 60_000);
    if (count === requests / 2) usedAfterHalf = usedMemory();
  }
  assert.deepEqual(failures.slice(0, 20), []);
  const growth = usedMemory() - usedAfterHalf;
  assert.ok(growth < growthBytes, `memory grew by ${growth} bytes`);
  assert.equal(Object.hasOwn(Object.prototype, "polluted"), false);
});

/** What is wrong with the answer to a request; nothing when it is as it should be. */
async function problemWith(request: TransportRequest, send: Transport): Promise<readonly string[]> {
  try {
    const { status, body } = await send(request);
    const text = await bodyText(body);
    if (status < 400 || request.method === "HEAD" || request.path.startsWith("/openapi")) return [];
    if (status === 404 && text === "404 page not found\n") return [];
    return isRefusal(text.startsWith("{") ? JSON.parse(text) : yamlFields(text), status) ? [] : [`${shown(request)}\n  ${status}: ${text}`];
  } catch (error) {
    return [`${shown(request)}\n  ${error instanceof Error ? error.stack : String(error)}`];
  }
}

/**
 * A refusal names its reason. Where a real server has none, because somewhere an error was not made for clients, it says 500 and
 * what the error says; so do we, in the same words. What nobody thought of would be an InternalError.
 */
function isRefusal(value: unknown, code: number): boolean {
  const { kind, status, code: said, reason } = Object(value);
  const isReasoned = typeof reason === "string" && reason !== "InternalError" && (code < 500 || reason === "Timeout");
  return kind === "Status" && status === "Failure" && said === code && (isReasoned || (code === 500 && reason === undefined));
}

/** The top-level fields of YAML, as far as they stand in one line. */
function yamlFields(text: string): Readonly<Record<string, unknown>> {
  const fields = Object.fromEntries([...text.matchAll(/^(\w+): (\S+)$/gm)].map(([, name = "", value = ""]) => [name, value]));
  return { ...fields, code: Number(fields["code"]) };
}

function shown({ method, path, headers, body }: TransportRequest): string {
  const text = body === undefined ? "" : Buffer.from(body).toString("utf8");
  return `${method} ${path.slice(0, 300)} ${stringifyJson(headers).slice(0, 300)} ${text.slice(0, 400)}`;
}

async function post(send: Transport, path: string, body: unknown): Promise<void> {
  const headers = { "content-type": "application/json" };
  const { status } = await send({ method: "POST", path, headers, body: new TextEncoder().encode(stringifyJson(body)) });
  assert.equal(status, 201, path);
}

function usedMemory(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}
