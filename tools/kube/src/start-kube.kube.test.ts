import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { before, test } from "node:test";
import { promisify } from "node:util";
import { systemClock } from "@kaji/core";
import { callApi } from "./api-access.ts";
import { fakeNodeName } from "./fake-node.ts";
import { readVersions } from "./go-module.ts";
import { controlPlane } from "./programs.ts";
import { providePrograms } from "./provide-programs.ts";
import { startKube } from "./start-kube.ts";
import type { Kube } from "./start-kube.ts";

const run = promisify(execFile);

before(() => providePrograms(controlPlane));

test("a program that is built is found, with no need of Go and nothing to tell", async () => {
  const told: string[] = [];
  await providePrograms(controlPlane, { env: { ...process.env, PATH: "" }, output: { write: (text) => told.push(text) } });
  assert.deepEqual(told, []);
});

test("a control plane starts, keeps an object, and is gone when it is stopped", async (context) => {
  const startMs = systemClock.monotonic();
  await using kube = await startKube();
  context.diagnostic(`ready after ${Math.round(systemClock.monotonic() - startMs)} ms`);

  assert.equal(await kubectl(kube, "create", "configmap", "colours", "--from-literal=sky=blue"), "configmap/colours created\n");
  assert.equal(await kubectl(kube, "get", "configmap", "colours", "--output=jsonpath={.data.sky}"), "blue");

  const folder = dirname(kube.kubeconfig);
  assert.notEqual(await processesNaming(folder), "");
  await kube.stop();
  assert.equal(await processesNaming(folder), "");
  assert.equal(existsSync(folder), false);
});

test("the server is of the version of go.mod, is verified by its authority, and knows its users", async () => {
  await using kube = await startKube();
  const { body } = await callApi(kube, { method: "GET", path: "/version" });
  assert.ok(body.includes(`"gitVersion": "${readVersions().kubernetes}"`), body);
  const secrets = { method: "GET", path: "/api/v1/secrets" } as const;
  assert.equal((await callApi(kube, secrets)).status, 200);
  assert.equal((await callApi({ ...kube, token: kube.userToken }, secrets)).status, 403);
  assert.equal((await callApi({ ...kube, token: "nobody's" }, secrets)).status, 401);
  await assert.rejects(kubectl(kube, "--context=user", "get", "secrets"), /User "user" cannot list resource "secrets"/);
});

test("two control planes run side by side", async () => {
  const [first, second] = await Promise.all([startKube(), startKube()]);
  await using _first = first;
  await using _second = second;
  await kubectl(first, "create", "namespace", "here");
  await assert.rejects(kubectl(second, "get", "namespace", "here"), /namespaces "here" not found/);
});

test("with controllers a Deployment becomes a Pod that is bound to the node", async (context) => {
  const startMs = systemClock.monotonic();
  await using kube = await startKube({ controllers: true });
  context.diagnostic(`ready after ${Math.round(systemClock.monotonic() - startMs)} ms`);
  await kubectl(kube, "wait", "--for=condition=Ready", `node/${fakeNodeName}`, "--timeout=120s");
  await kubectl(kube, "create", "deployment", "web", "--image=web");
  await kubectl(kube, "wait", "--for=create", "pod", "--selector=app=web", "--timeout=120s");
  await kubectl(kube, "wait", "--for=condition=PodScheduled", "pod", "--selector=app=web", "--timeout=120s");
  assert.equal(await kubectl(kube, "get", "pod", "--output=jsonpath={.items[*].spec.nodeName}"), fakeNodeName);
});

test("further flags reach the server, and one it does not know is reported in its own words", async () => {
  await using kube = await startKube({ apiserverFlags: ["--runtime-config=autoscaling/v1=false"] });
  assert.equal((await callApi(kube, { method: "GET", path: "/apis/autoscaling/v1" })).status, 404);
  await assert.rejects(
    startKube({ apiserverFlags: ["--no-such-flag"] }),
    /kube-apiserver ended with exit code 1.*unknown flag: --no-such-flag/s,
  );
});

async function kubectl(kube: Kube, ...args: readonly string[]): Promise<string> {
  return (await run(kube.kubectl, [`--kubeconfig=${kube.kubeconfig}`, ...args])).stdout;
}

/** The command lines of running processes that mention the folder, which those of a control plane all do. */
async function processesNaming(folder: string): Promise<string> {
  const { stdout } = await run("ps", ["-A", "-o", "args="]);
  return stdout
    .split("\n")
    .filter((line) => line.includes(folder))
    .join("\n");
}
