import assert from "node:assert/strict";
import { test } from "node:test";
import { defineResource, z } from "@kaji/core/define";
import { defineController, requeueAfter } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import type { ExploreOptions } from "./explore-options.ts";
import { explore, replay } from "./explore.ts";
import { formatPlan } from "./plan-text.ts";

const Host = defineResource({
  group: "testing.kaji.dev",
  version: "v1",
  kind: "Host",
  spec: z.object({}),
  status: z.object({ address: z.string().optional() }),
});

/** A service that is reached by HTTP: `PUT` makes a name known. */
class Names {
  readonly known: Set<string> = new Set();

  async fetch(name: string, method: string): Promise<Response> {
    if (method === "PUT") this.known.add(name);
    else this.known.delete(name);
    return Response.json({ address: `192.0.2.${this.known.size}` });
  }
}

/** Asks for an address; one that is careless takes whatever comes for an answer. */
function hostController(names: Names, is: "careful" | "careless"): Controller {
  return defineController(Host, {
    async reconcile({ metadata: { name } }, { setStatus }) {
      const response = await names.fetch(name, "PUT");
      if (is === "careful" && response.status === 429) return requeueAfter("5s", { notBefore: true });
      if (is === "careful" && !response.ok) throw new Error(`answered with ${response.status}`);
      const body: unknown = await response.json();
      const address = typeof body === "object" && body !== null && "address" in body ? String(body.address) : "unknown";
      await setStatus({ address });
    },
    async finalize({ metadata: { name } }, { log }) {
      const response = await names.fetch(name, "DELETE");
      if (!response.ok) throw new Error(`answered with ${response.status}`);
      log.debug({ name }, "is gone");
    },
  });
}

const options = (is: "careful" | "careless"): ExploreOptions<Names> => ({
  external: () => new Names(),
  controllers: (names) => [hostController(names, is)],
  ops: (user) => [user.create(Host, { metadata: { name: "a", namespace: "default" }, spec: {} }), user.delete(Host, "default/a")],
  refusals: {
    "it asks to wait": () => Response.json({ error: "slow down" }, { status: 429, headers: { "retry-after": "5" } }),
    "its token has expired": (method) => {
      throw new Error(`${method}: 401`);
    },
  },
  faults: { only: ["Refuse"] },
});

test("[OUT8] a call to the outside is refused in each way that the test has a name for, and what is wrong with the operator then is found, told and replayed", async () => {
  const exploration = await explore({ ...options("careless"), findings: 1 });
  const [finding] = exploration.findings;
  assert.equal(finding?.violation.oracle, "end state");
  assert.match(exploration.report, /FAULT {2}call fetch\("a","PUT"\) is refused: it asks to wait/);
  const again = await replay(options("careless"), formatPlan(finding?.plan ?? assert.fail()));
  assert.match(again.report, /status\.address is unknown|"unknown"/);
});

test("[OUT8] who takes a refusal for an answer is told to look at it", async () => {
  const page = { "its gateway answers": () => new Response("<html>", { status: 502 }) };
  const { report } = await explore({ ...options("careless"), refusals: page, findings: 1 });
  assert.match(report, /EXCEPTION .*is not valid JSON/);
  assert.match(report, /Likely fix: look at what was answered before it is used/);
});

test("[OUT8] nothing is found in an operator that knows these answers, and all of them are counted", async () => {
  const exploration = await explore(options("careful"));
  assert.deepEqual(exploration.findings, [], exploration.report);
  // Two calls, each refused in three ways.
  const struck = exploration.report.match(/Refuse (\d+)\/(\d+)/);
  assert.ok(Number(struck?.[1]) >= 6 && struck?.[1] === struck?.[2], exploration.report);
});

test("[OUT8] refusals without an outside make no sense", async () => {
  await assert.rejects(async () => explore({ controllers: [], refusals: { no: () => undefined } }), {
    message: "explore: refusals are those of what is outside, so give external as well",
  });
});
