import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createMemoryStorage, listen, systemAdmin } from "@kaji/apiserver";
import type { ApiServer, Listener } from "@kaji/apiserver";
import { systemClock } from "@kaji/core";
import { createApiServer } from "./create-api-server.ts";

const kubeTool: string = "@kaji-tools/kube";
const tool = (await import(kubeTool)) as { readonly providePrograms: (names: readonly string[]) => Promise<string> };

/** The kubectl of the version we are compared with, and that of the machine, which may be older. */
const programs = [
  ["the same kubectl", join(await tool.providePrograms(["kubectl"]), "kubectl")],
  ...onPath("the machine's kubectl", "kubectl"),
] as const;

for (const [title, program] of programs) {
  describe(`with ${title}`, () => {
    const cache = mkdtempSync(join(tmpdir(), "kaji-kubectl-"));
    let server: ApiServer;
    let listener: Listener;

    before(async () => {
      server = createApiServer({ storage: createMemoryStorage({ clock: systemClock }), authenticators: [() => systemAdmin] });
      listener = await listen(server);
      await kubectl(["create", "namespace", "default"]);
      assert.match((await kubectl(["create", "-f", "-"], backups)).output, /created/);
      await kubectl(["wait", "--for=condition=Established", "crd/backups.oas.kaji.test"]);
    });

    after(async () => {
      await listener?.[Symbol.asyncDispose]();
      await server?.[Symbol.asyncDispose]();
      rmSync(cache, { recursive: true, force: true });
    });

    test("[OAS6] explain shows the fields of a built-in kind", async () => {
      const { output } = await kubectl(["explain", "pods.spec.containers"]);
      assert.match(output, /KIND: +Pod/);
      assert.match(output, /^ {2}image\t<string>/m);
      assert.match((await kubectl(["explain", "pods.spec.restartPolicy"])).output, /ENUM:\s+Always\s+Never\s+OnFailure/);
      assert.match((await kubectl(["explain", "deployments", "--recursive"])).output, / {6}minReadySeconds|minReadySeconds\t<integer>/);
    });

    test("[OAS10] explain shows what the author of a custom kind wrote", async () => {
      const { output } = await kubectl(["explain", "backups.spec.keep"]);
      assert.match(output, /GROUP: +oas\.kaji\.test/);
      assert.match(output, /FIELD: keep <integer>/);
      assert.match(output, /How many to keep\./);
    });

    test("[OAS5] explain works by v2, too, which it asks for in protobuf", async () => {
      const { output } = await kubectl(["explain", "backups.spec", "--output=plaintext-openapiv2"]);
      assert.match(output, /keep\t<integer>\s+How many to keep\./);
      assert.match(
        (await kubectl(["explain", "deployments.spec.strategy", "--output=plaintext-openapiv2"])).output,
        /rollingUpdate\t<Object>/,
      );
    });

    test("[OAS6] an unknown field is left to the server, which finds it", async () => {
      const { output, code } = await kubectl(["create", "--dry-run=server", "-f", "-"], { ...configMap, bogus: 1 });
      assert.match(output, /strict decoding error: unknown field "bogus"/);
      assert.equal(code, 1);
    });

    test("[OAS10] custom objects are checked and applied likewise", async () => {
      const wrong = { ...backup, spec: { keeep: 3 } };
      assert.match(
        (await kubectl(["create", "--dry-run=server", "-f", "-"], wrong)).output,
        /strict decoding error: unknown field "spec.keeep"/,
      );
      assert.equal((await kubectl(["apply", "-f", "-"], backup)).output, "backup.oas.kaji.test/a created\n");
      assert.equal((await kubectl(["apply", "-f", "-"], { ...backup, spec: { keep: 4 } })).output, "backup.oas.kaji.test/a configured\n");
    });

    test("[OAS6] objects are created and applied", async () => {
      assert.equal((await kubectl(["create", "--dry-run=server", "-f", "-"], configMap)).output, "configmap/a created (server dry run)\n");
      assert.equal((await kubectl(["apply", "-f", "-"], configMap)).output, "configmap/a created\n");
      const changed = { ...configMap, data: { b: "2" } };
      assert.equal((await kubectl(["apply", "--dry-run=server", "-f", "-"], changed)).output, "configmap/a configured (server dry run)\n");
      assert.equal((await kubectl(["apply", "-f", "-"], changed)).output, "configmap/a configured\n");
      assert.equal((await kubectl(["get", "configmap", "a", "-o", "jsonpath={.data}"])).output, '{"b":"2"}');
      assert.equal(
        (await kubectl(["apply", "--server-side", "--force-conflicts", "-f", "-"], changed)).output,
        "configmap/a serverside-applied\n",
      );
    });

    test("[OAS5] kubectl itself checks kinds that cannot be patched, by v2 in protobuf", async () => {
      const review = { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectAccessReview", spec: { nonResourceAttributess: {} } };
      const { output } = await kubectl(["create", "-f", "-"], review);
      assert.match(output, /unknown field "nonResourceAttributess" in io\.k8s\.api\.authorization\.v1\.SelfSubjectAccessReviewSpec/);
    });

    async function kubectl(args: readonly string[], input?: unknown): Promise<{ readonly output: string; readonly code: unknown }> {
      const own = [`--server=${listener.url}`, `--cache-dir=${cache}`, "--kubeconfig=/dev/null"];
      const child = spawn(program, [...args, ...own], { stdio: "pipe" });
      let output = "";
      for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (output += text));
      child.stdin.end(input === undefined ? undefined : JSON.stringify(input));
      const [code] = (await once(child, "close")) as [unknown];
      return { output, code };
    }
  });
}

const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "default" }, data: { a: "1" } };

const backups = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "backups.oas.kaji.test" },
  spec: {
    group: "oas.kaji.test",
    scope: "Namespaced",
    names: { plural: "backups", kind: "Backup" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: specOf({ keep: { type: "integer", description: "How many to keep." } }) },
      },
    ],
  },
};
const backup = { apiVersion: "oas.kaji.test/v1", kind: "Backup", metadata: { name: "a", namespace: "default" }, spec: { keep: 3 } };

function specOf(properties: object): object {
  return { type: "object", properties: { spec: { type: "object", properties } } };
}

function onPath(title: string, program: string): readonly (readonly [title: string, path: string])[] {
  const found = (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find(isExecutable);
  return found === undefined ? [] : [[title, found]];
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
