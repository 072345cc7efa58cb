import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { readdirSync } from "node:fs";
import { describe, test } from "node:test";
import { ServiceAccountTokens, byStaticToken, createMemoryStorage } from "@kaji/apiserver";
import type { ApiServer } from "@kaji/apiserver";
import { createApiServer, reconcilePolicy } from "@kaji/cluster";
import type { Clock, Random, Transport } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { byClock, createNamespace, readRecording, replay, standInOrigin, standInWebhooks } from "@kaji-tools/record";
import type { RecordedScenario, Recording } from "@kaji-tools/record";
import { knownDifferences } from "./known-differences.ts";

const folder = new URL("testdata/", import.meta.url);
const recordings = readdirSync(folder).map((file): Recording => readRecording(new URL(file, folder)));

/** Recordings about who may do what. */
const guarded: ReadonlySet<string> = new Set(["access", "policies"]);

/** Namespaces that every cluster has. */
const firstNamespaces = ["default", "kube-system", "kube-public"];

for (const { namespace, scenarios } of recordings) {
  describe(`the embedded server answers as a real one: ${namespace}`, { concurrency: true }, () => {
    for (const scenario of scenarios) test(scenario.name, () => answersAsRecorded(namespace, scenario));
  });
}

test("the exchanges are many, and those that differ few", () => {
  const count = recordings.flatMap(({ scenarios }) => scenarios).reduce((sum, { exchanges }) => sum + exchanges.length, 0);
  assert.ok(count >= 350, `${count} exchanges`);
  assert.ok(knownDifferences.length < count / 20, `${knownDifferences.length} of ${count} differ`);
});

async function answersAsRecorded(namespace: string, scenario: RecordedScenario): Promise<void> {
  const clock = new ManualClock();
  const random = seededRandom(1);
  const access = guarded.has(namespace) ? accessControl(clock, random) : {};
  await using server = createApiServer({
    storage: createMemoryStorage({ clock }),
    clock,
    random,
    webhooks: { inProcess: new Map([[standInOrigin, standInWebhooks]]) },
    serviceAccounts: namespace === "service-accounts",
    ...access,
  });
  const send = guarded.has(namespace) ? overNetwork(server) : server.transport();
  for (const name of [...firstNamespaces, namespace]) await createNamespace(name, send);
  if (guarded.has(namespace)) await reconcilePolicy(server);
  const mismatches = await replay(scenario, send, { pace: byClock(clock) });
  const known = knownDifferences.filter((each) => each.recording === namespace && each.scenario === scenario.name);
  const isKnown = (step: number): boolean => known.some((each) => each.step === step);
  assert.deepEqual(
    mismatches.filter(({ step }) => !isKnown(step)),
    [],
  );
  assert.deepEqual(
    known.filter(({ step }) => !mismatches.some((mismatch) => mismatch.step === step)),
    [],
    "known differences that are none any more",
  );
}

const adminToken = "admin's";

/** Roles and bindings decide, and the same people are known as on the server that was recorded. */
function accessControl(
  clock: Clock,
  random: Random,
): Pick<Parameters<typeof createApiServer>[0], "authorize" | "authenticators" | "tokens"> {
  const key = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const admin = { username: "admin", uid: "admin", groups: ["system:masters"] };
  return {
    authorize: "rbac",
    authenticators: [byStaticToken(new Map([[adminToken, admin]]))],
    tokens: new ServiceAccountTokens({ key, clock, random }),
  };
}

/** Nobody is believed in who they are: the admin has a token like everybody else. */
function overNetwork(server: ApiServer): Transport {
  return async (request) => {
    const { status, headers, body } = await server.handle({
      ...request,
      headers: { authorization: `Bearer ${adminToken}`, ...request.headers },
    });
    return { status, headers, body: body instanceof Uint8Array ? ReadableStream.from([body]) : body };
  };
}
