import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { loadConfig } from "@kaji/client";
import { emptyProject } from "../testing/test-project.ts";
import { kubeconfigsOf } from "./operator-access.ts";

const config = (name: string): string =>
  JSON.stringify({
    clusters: [{ name, cluster: { server: `https://${name}.example.com` } }],
    users: [{ name, user: { token: "t" } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    "current-context": name,
  });

test("a client that the operator makes is on the cluster it is developed on, unless it names a context of its author", async () => {
  using project = emptyProject();
  const [own, home, listed] = [join(project.folder, "own"), join(project.folder, "home"), join(project.folder, "listed")];
  mkdirSync(join(home, ".kube"), { recursive: true });
  writeFileSync(own, config("own"));
  writeFileSync(join(home, ".kube/config"), config("production"));
  writeFileSync(listed, config("edge"));
  const serverOf = async (shell: NodeJS.ProcessEnv, context?: string): Promise<string> => {
    const { connection } = await loadConfig({ environment: { KUBECONFIG: kubeconfigsOf(own, shell) }, context });
    return connection.server;
  };
  assert.equal(await serverOf({ HOME: home }), "https://own.example.com");
  assert.equal(await serverOf({ HOME: home }, "production"), "https://production.example.com");
  assert.equal(await serverOf({ HOME: home, KUBECONFIG: [listed, "none"].join(delimiter) }, "edge"), "https://edge.example.com");
  assert.equal(await serverOf({ HOME: join(project.folder, "nowhere") }), "https://own.example.com");
});
