import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@kaji/core/testing";
import { Counter, register } from "prom-client";
import type { HttpReply } from "../manager/http-reply.ts";
import { AccessReview } from "./access-review.ts";
import type { AccessReviewOptions } from "./access-review.ts";
import { answerMetrics } from "./answer-metrics.ts";
import { Metrics } from "./metrics.ts";

/** A server that knows two tokens, and lets one of their users read metrics. */
function reviewServer(): { client: AccessReviewOptions["client"]; asked: string[] } {
  const asked: string[] = [];
  const users = new Map([
    ["alice-token", "alice"],
    ["bob-token", "bob"],
  ]);
  const create = async (resource: { readonly kind: string }, object: object): Promise<never> => {
    asked.push(resource.kind);
    const { spec } = object as { spec: { token?: string; user?: string; nonResourceAttributes?: { path: string } } };
    const username = users.get(spec.token ?? "");
    const status =
      resource.kind === "TokenReview"
        ? { authenticated: username !== undefined, ...(username === undefined ? {} : { user: { username, groups: ["people"] } }) }
        : { allowed: spec.user === "alice" && spec.nonResourceAttributes?.path === "/metrics" };
    return { ...object, status } as never;
  };
  return { client: { create }, asked };
}

const question = { method: "GET", path: "/metrics", query: new URLSearchParams(), bearerToken: undefined };

test("[MT4] metrics are in Prometheus' text form, and nothing else is served", async () => {
  const { status, contentType, body } = await answerMetrics(new Metrics(), question);
  assert.equal(status, 200);
  assert.match(contentType, /^text\/plain; version=0\.0\.4/);
  assert.match(body, /^# HELP controller_runtime_reconcile_total/m);
  assert.equal((await answerMetrics(new Metrics(), { ...question, path: "/" })).status, 404);
});

test("[MT6] what the program itself measures by the registry of prom-client is served too, and under one name ours", async () => {
  const names = ["coffees_total", "controller_runtime_reconcile_total"] as const;
  const [brewed] = names.map((name) => new Counter({ name, help: "another one" }));
  try {
    brewed?.inc(2);
    const { body } = await answerMetrics(new Metrics(), question);
    assert.match(body, /^coffees_total 2$/m);
    assert.equal(body.match(/^# HELP controller_runtime_reconcile_total/gm)?.length, 1);
    assert.equal(body.match(/another one/g)?.length, 1);
  } finally {
    for (const name of names) register.removeSingleMetric(name);
  }
});

test("[MT7] further paths are served beside metrics, to the same people", async () => {
  const handlers = { "/debug/queue": () => ({ status: 200, contentType: "text/plain", body: "3 keys" }) };
  const review = new AccessReview({ client: reviewServer().client, clock: new ManualClock() });
  const at = (path: string, more: object = {}): Promise<HttpReply> =>
    answerMetrics(new Metrics(), { ...question, path }, { handlers, ...more });
  assert.equal((await at("/debug/queue")).body, "3 keys");
  assert.deepEqual([(await at("/debug/queue", { review })).status, (await at("/constructor")).status], [401, 404]);
});

test("[MT5] with an access review, only those see metrics whom the cluster lets read that path", async () => {
  const { client, asked } = reviewServer();
  const clock = new ManualClock();
  const review = new AccessReview({ client, clock });
  const statusFor = async (bearerToken: string | undefined): Promise<number> =>
    (await answerMetrics(new Metrics(), { ...question, bearerToken }, { review })).status;
  assert.equal(await statusFor(undefined), 401);
  assert.equal(await statusFor("nobody-token"), 401);
  assert.equal(await statusFor("bob-token"), 403);
  assert.equal(await statusFor("alice-token"), 200);
  assert.equal(asked.length, 5);
  assert.equal(await statusFor("alice-token"), 200);
  assert.equal(asked.length, 5, "answers are believed for a while");
  await clock.advance(61_000);
  assert.equal(await statusFor("alice-token"), 200);
  assert.deepEqual(asked.slice(5), ["TokenReview"]);
});
