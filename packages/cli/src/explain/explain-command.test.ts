import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { createClient } from "@kaji/client";
import { imagePrograms } from "@kaji/cluster";
import { objectKey } from "@kaji/core";
import { ManualClock } from "@kaji/core/testing";
import type { SentReport } from "@kaji/runtime/reports";
import { Deployment } from "@kaji/types/apps/v1";
import { Namespace, Pod } from "@kaji/types/core/v1";
import { freePort } from "../dev/free-port.ts";
import { ReportFile } from "../dev/report-file.ts";
import { isOfOtherCluster } from "./find-reports.ts";
import { clusterFor } from "../testing/project-cluster.ts";
import { ran } from "../testing/run-program.ts";
import { barProject } from "../testing/test-project.ts";

const own = { apiVersion: "example.com/v1", kind: "Bar", key: objectKey({ namespace: "default", name: "one" }) } as const;
const configMap = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", key: objectKey({ namespace: "default", name }) }) as const;

const created: SentReport = {
  type: "Reconcile",
  controller: "bar",
  object: own,
  reconcileId: "1",
  triggers: [{ type: "Change", change: "Added", ...own }],
  reads: ["a", "b", "c", "d", "e"].map((name) => ({ from: "Cache", verb: "get", ...configMap(name), found: 1 })),
  writes: [
    { verb: "apply", ...configMap("one"), result: "Written", error: undefined },
    { verb: "apply", ...configMap("two"), result: "Unchanged", error: undefined },
  ],
  calls: [
    { effect: "bucket", call: "isIntact", result: "Intact", error: undefined },
    { effect: "user", call: "ensure", result: "Done", error: undefined },
  ],
  outcome: "RecheckAfter",
  error: undefined,
  requeueAfterMs: 300_000,
  durationMs: 12,
};

/** A project in which `kaji dev` has seen these reconciles, a second apart. */
async function developed(...reports: readonly SentReport[]): Promise<ReturnType<typeof barProject>> {
  const project = barProject();
  const clock = new ManualClock(Date.parse("2026-01-01T00:00:00Z"));
  const file = new ReportFile(join(project.folder, ".kaji"), clock);
  for (const report of reports) {
    file.add(report);
    await clock.advance(1000);
  }
  return project;
}

test("why a write was refused is told, also where the reconcile went on", async () => {
  const pod = { apiVersion: "v1", kind: "Pod", key: objectKey({ namespace: "default", name: "db-0" }) };
  const evict = { ...pod, verb: "evict", result: "Refused" } as const;
  const error = { name: "ApiError", message: "Cannot evict pod as it would violate the pod's disruption budget.", stack: "" };
  const went: SentReport = { ...created, reads: [], writes: [{ ...evict, error }], calls: [], outcome: "Done", requeueAfterMs: undefined };
  using project = await developed(went, { ...went, outcome: "Error", error });
  const { out } = await ran(["explain", "bar/one", "--project", project.folder]);
  assert.equal(
    timeless(out),
    `Bar default/one
TIME  created: done in 12 ms, by bar
          was refused to evict Pod db-0
          evict Pod default/db-0: Cannot evict pod as it would violate the pod's disruption budget.
TIME  created: failed in 12 ms, by bar
          was refused to evict Pod db-0
          ApiError: Cannot evict pod as it would violate the pod's disruption budget.
`,
  );
});

/** What is said, without the time of the day, which is that of the place. */
const timeless = (text: string): string => text.replaceAll(/\d\d:\d\d:\d\d/g, "TIME");

test("an object's reconciles are told: why they ran, all that they read and wrote, how they ended", async () => {
  const error = { name: "ApiError", message: "no such luck", stack: "" };
  const failed: SentReport = {
    ...created,
    triggers: [{ type: "Timer", afterMs: 300_000 }],
    reads: [],
    writes: [],
    calls: [],
    outcome: "Error",
    error,
  };
  const elsewhere = { ...created, object: { ...own, key: objectKey({ namespace: "other", name: "one" }) } };
  using project = await developed(created, elsewhere, {
    ...failed,
    error: { ...error, stack: "Error\n    at f (/nowhere/src/bar.ts:3:1)" },
  });
  const { folder } = project;
  const { code, out } = await ran(["explain", "bar/one", "--namespace", "default", "--project", folder]);
  assert.equal(code, 0);
  assert.equal(
    timeless(out),
    `Bar default/one
TIME  created: done in 12 ms, by bar
          read ConfigMap a, ConfigMap b, ConfigMap c, ConfigMap d, ConfigMap e
          applied ConfigMap one
          ensured effect user
          as wanted already: apply ConfigMap default/two, effect bucket
          again in 5 min
TIME  after 5 min: failed in 12 ms, by bar
          ApiError: no such luck
          again in 5 min
`,
  );
  const last = await ran(["explain", "one", "--last", "1", "--project", folder, "--output", "json"]);
  assert.deepEqual(
    last.out.split("\n").map((line) => line.slice(0, 44)),
    ['{"at":"2026-01-01T00:00:02.000Z","type":"Rec', ""],
  );
  assert.equal((await ran(["explain", "one", "--last", "0", "--project", folder])).out, "");
  const other = await ran(["explain", "bar/one", "-n", "other", "--project", folder]);
  assert.match(other.out, /^Bar other\/one\n/);
  const summary = await ran(["explain", "--project", folder]);
  assert.equal(
    timeless(summary.out),
    "Bar default/one  2 reconciles, the last at TIME: failed\nBar other/one    1 reconcile, the last at TIME: done\n",
  );
});

test("a kind is named as for kubectl: by its short names, in the plural, with its group; as far as the project can be loaded", async () => {
  const deployment = { apiVersion: "apps/v1", kind: "Deployment", key: objectKey({ namespace: "default", name: "web" }) } as const;
  using project = await developed(created, { ...created, object: deployment });
  const { folder } = project;
  const told = async (object: string): Promise<string> =>
    (await ran(["explain", object, "--last", "1", "--project", folder])).out.split("\n")[0] ?? "";
  for (const name of ["deploy", "deployment", "Deployments", "deploy.apps", "deployments.v1.apps"])
    assert.equal(await told(`${name}/web`), "Deployment default/web", name);
  for (const name of ["deploy.extensions", "ds", "bars"]) assert.equal(await told(`${name}/web`), "", name);
  assert.equal(await told("bars/one"), "Bar default/one");
  assert.equal((await ran(["explain", "bars", "one", "--project", folder])).out.split("\n")[0], "Bar default/one");
  for (const name of ["bars", "Bar"])
    assert.match((await ran(["explain", name, "--project", folder])).out, /^Bar default\/one  1 reconcile, the last at \S+ done\n$/);
  assert.match((await ran(["explain", "bars", "-n", "other", "--project", folder])).err, /^kaji: no reconcile of bars in other is known; /);
  const text = readFileSync(join(folder, "src/operator.ts"), "utf8");
  using short = await developed(created);
  short.write("src/operator.ts", text.replace('kind: "Bar",', 'kind: "Bar", shortNames: ["br"],'));
  assert.match((await ran(["explain", "br.example.com/one", "--project", short.folder])).out, /^Bar default\/one\n/);
  using broken = await developed(created);
  broken.write("src/operator.ts", "export const operator = ;");
  assert.match((await ran(["explain", "bar/one", "--project", broken.folder])).out, /^Bar default\/one\n/);
  assert.match(
    (await ran(["explain", "br/one", "--project", broken.folder])).err,
    /^kaji: no reconcile of br\/one is known; there are some of Bar default\/one\n$/,
  );
  const fields = await ran(["explain", "deploy.spec", "--project", folder]);
  assert.match(
    fields.err,
    /^kaji: no reconcile of deploy\.spec is known; .*; the fields of a kind are told by kubectl explain deploy\.spec\n$/,
  );
});

test("an object of which nothing is known, and a project in which nothing has run, are said so", async () => {
  using project = await developed(created);
  const { code, err } = await ran(["explain", "foo/one", "--project", project.folder]);
  assert.deepEqual([code, err], [1, "kaji: no reconcile of foo/one is known; there are some of Bar default/one\n"]);
  using idle = await developed();
  assert.equal((await ran(["explain", "--project", idle.folder])).out, "nothing was reconciled yet\n");
  using other = barProject();
  const nothing = await ran(["explain", "--project", other.folder]);
  assert.equal(nothing.code, 1);
  assert.match(nothing.err, /\.kaji has no reconciles: kaji dev notes them while it runs/);
  other.write(".kaji/reconciles.ndjson", "{}\n");
  const nonsense = await ran(["explain", "--project", other.folder]);
  assert.match(nonsense.err, /line 1 of .*reconciles\.ndjson is no report of a reconcile/);
});

test("what kaji dev has seen is not taken for what happened on another cluster", async () => {
  using project = await developed(created);
  assert.deepEqual(await ran(["explain", "--context", "production", "--project", project.folder]), {
    code: 2,
    out: "",
    err: "kaji: --context is for --deployed, which asks the operator on a cluster: add that\n",
  });
  const data = join(project.folder, ".kaji");
  const other = join(data, "up/kubeconfig");
  assert.equal(isOfOtherCluster(data, other), false, "kaji dev was on a cluster of the user's");
  project.write(".kaji/kubeconfig", "");
  const own = [undefined, "", join(data, "kubeconfig"), join(data, "../.kaji/kubeconfig")];
  assert.deepEqual(
    [...own, other].map((path) => isOfOtherCluster(data, path)),
    [false, false, false, false, true],
  );
});

test("an operator elsewhere is asked at its address", async () => {
  using project = barProject();
  const explained = (address: string): ReturnType<typeof ran> => ran(["explain", "--address", address, "--project", project.folder]);
  const server = createServer((request, response) => {
    response.statusCode = request.url === "/debug/reconciles" ? 200 : 404;
    response.end(`${JSON.stringify({ at: "2026-01-01T00:00:00.000Z", ...created })}\n`);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  assert.match((await explained(address)).out, /^Bar default\/one {2}1 reconcile, the last at .*: done\n$/);
  server.close();
  server.closeAllConnections();
  await once(server, "close");
  assert.match(
    (await explained(address)).err,
    /debug\/reconciles does not answer: .*ECONNREFUSED.* Is the operator run with --profiling-address/,
  );
  assert.deepEqual(await explained("6060"), {
    code: 2,
    out: "",
    err: "kaji: --address must be a URL such as http://127.0.0.1:6060, not '6060'\n",
  });
});

test("an operator on a cluster is asked through its API server, all Pods of it that run", async () => {
  using project = barProject();
  const [port, otherPort] = [await freePort(), await freePort()];
  const remember = (at: string): string => JSON.stringify({ at, ...created });
  const serve = `require("node:http").createServer((request, response) => response.end(request.url === "/debug/reconciles" ? process.env.SAYS + "\\n" : "")).listen(${port}, process.env.KAJI_LISTEN_HOST)`;
  const programs = imagePrograms({ "example.com/bars": [process.execPath, "-e", serve] });
  await using cluster = await clusterFor(project, { programs });
  await using client = await createClient({ kubeconfig: cluster.kubeconfig });
  const explained = (...more: readonly string[]): ReturnType<typeof ran> =>
    ran(["explain", "--deployed", "--kubeconfig", cluster.kubeconfig, "--project", project.folder, ...more]);
  assert.match((await explained()).err, /^kaji: Deployment bars-system\/bars is not there; kaji deploy puts it there\n$/);

  await client.create(Namespace, { metadata: { name: "elsewhere" } });
  const labels = { app: "bars" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "manager", image: "example.com/bars" }] } };
  const spec = { replicas: 0, selector: { matchLabels: labels }, template };
  await client.create(Deployment, { metadata: { name: "bars", namespace: "elsewhere" }, spec });
  const elsewhere = ["--operator-namespace", "elsewhere"] as const;
  assert.match((await explained(...elsewhere)).err, /^kaji: no Pod of Deployment elsewhere\/bars runs; kaji doctor tells more\n$/);

  const runPod = async (name: string, env: Readonly<Record<string, string>>): Promise<void> => {
    const variables = Object.entries(env).map(([variable, value]) => ({ name: variable, value }));
    const container = { name: "manager", image: "example.com/bars", env: variables, readinessProbe: { httpGet: { port } } };
    await client.create(Pod, { metadata: { name, namespace: "elsewhere", labels }, spec: { containers: [container] } });
    await client.waitFor(Pod, `elsewhere/${name}`, ({ status }) => status?.containerStatuses?.[0]?.ready === true, { timeout: "2m" });
  };
  await runPod("silent", {});
  assert.match(
    (await explained(...elsewhere)).err,
    /remember nothing: kubectl set env deployment\/bars -n elsewhere KAJI_PROFILING_ADDRESS=/,
  );
  await runPod("wrong", { KAJI_PROFILING_ADDRESS: `:${otherPort}` });
  assert.match((await explained(...elsewhere)).err, new RegExp(`^kaji: port ${otherPort} of pod elsewhere/wrong: .*ECONNREFUSED`));
  await runPod("now", { KAJI_PROFILING_ADDRESS: `:${port}`, SAYS: remember("2026-01-01T00:00:01.000Z") });
  await runPod("before", { KAJI_PROFILING_ADDRESS: `127.0.0.1:${port}`, SAYS: remember("2026-01-01T00:00:00.000Z") });
  const { code, out, err } = await explained("bar/one", "--output", "json", ...elsewhere);
  assert.equal(code, 0);
  assert.deepEqual(
    out.split("\n").map((line) => line.slice(7, 31)),
    ["2026-01-01T00:00:00.000Z", "2026-01-01T00:00:01.000Z", ""],
  );
  assert.match(err, /^port \d+ of pod elsewhere\/wrong: /);
  assert.equal((await explained("--address", "http://127.0.0.1:1")).code, 2);
});

test("what reconciles did takes no more room than so much, and what is left is of the last", async () => {
  const long = { ...created, triggers: Array.from({ length: 40_000 }, () => ({ type: "Asked" }) as const) };
  using project = await developed(...Array.from({ length: 50 }, (_, index) => ({ ...long, reconcileId: String(index) })));
  const { out } = await ran(["explain", "one", "--last", "1000", "--project", project.folder, "--output", "json"]);
  const ids = out.split("\n").flatMap((line) => /"reconcileId":"(\d+)"/.exec(line)?.[1] ?? []);
  assert.ok(ids.length < 50 && ids.at(-1) === "49", ids.join());
});
