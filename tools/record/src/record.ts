import { isJsonObject, stringifyJson } from "@kaji/core";
import type { Transport } from "@kaji/core";
import type { Exchange, Scenario, Step } from "./exchange.ts";
import { masked } from "./mask.ts";
import { realTime } from "./pace.ts";
import { play } from "./play.ts";
import type { RecordedScenario, Recording } from "./recording.ts";

/** Plays scenarios against a real server, each as if nothing had been before: what it created is gone after it. */
export async function record(namespace: string, scenarios: readonly Scenario[], send: Transport): Promise<Recording> {
  const recorded: RecordedScenario[] = [];
  await createNamespace(namespace, send);
  for (const scenario of scenarios) {
    const exchanges = await play(scenario, send, realTime);
    recorded.push({ name: scenario.name, exchanges: masked(exchanges) });
    for (const path of createdBy(exchanges).toReversed()) await remove(send, path);
  }
  await remove(send, `/api/v1/namespaces/${namespace}`);
  return { namespace, scenarios: recorded };
}

/** Plays one scenario against a real server; what it created stays. */
export async function recordScenario(scenario: Scenario, send: Transport): Promise<RecordedScenario> {
  return { name: scenario.name, exchanges: masked(await play(scenario, send, realTime)) };
}

/** Makes the namespace in which scenarios work. */
export async function createNamespace(name: string, send: Transport): Promise<void> {
  await callApi(send, { method: "POST", path: "/api/v1/namespaces", body: { metadata: { name } } });
}

/** The paths of the objects that a scenario created. */
function createdBy(exchanges: readonly Exchange[]): readonly string[] {
  return exchanges.flatMap(({ request, answer }) => {
    const { metadata } = isJsonObject(answer.body) ? answer.body : {};
    const name = isJsonObject(metadata) ? metadata["name"] : undefined;
    if (answer.status !== 201 || typeof name !== "string") return [];
    const [path = ""] = request.path.split("?");
    return [request.method === "POST" ? `${path}/${name}` : path];
  });
}

/** Removes an object for good, whoever holds it. */
async function remove(send: Transport, path: string): Promise<void> {
  await callApi(send, { method: "DELETE", path: `${path}?gracePeriodSeconds=0&propagationPolicy=Background` });
  await callApi(send, { method: "PATCH", path, body: { metadata: { finalizers: null } } });
  const isNamespace = /^\/api\/v1\/namespaces\/[^/]+$/.test(path);
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (isNamespace) await callApi(send, { method: "PUT", path: `${path}/finalize`, body: { metadata: { name }, spec: { finalizers: [] } } });
}

async function callApi(send: Transport, { method, path, body }: Step): Promise<void> {
  const response = await send({
    method,
    path,
    headers: { "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/json" },
    body: body === undefined ? undefined : new TextEncoder().encode(stringifyJson(body)),
  });
  for await (const _piece of response.body);
}
