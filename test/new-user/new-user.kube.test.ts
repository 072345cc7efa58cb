import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { startKube } from "@kaji-tools/kube";
import type { Kube } from "@kaji-tools/kube";
import { createClient } from "@kaji/client";
import { unlessGone } from "@kaji/core";
import { eventually } from "@kaji/core/testing";
import { ConfigMap, Namespace } from "@kaji/types/core/v1";
import { makeWorkplace } from "./workplace.ts";
import type { Workplace } from "./workplace.ts";

/** Each test goes on where the one before it has ended. */
describe("a new user, with the packages as they are published", () => {
  let place: Workplace;
  let kube: Kube;

  before(async () => {
    place = await makeWorkplace();
    kube = await startKube({ controllers: true });
  });

  after(async () => {
    await kube?.stop();
    place?.[Symbol.dispose]();
  });

  const kaji = (...parameters: readonly string[]): Promise<string> => place.run("web-sites", "node_modules/.bin/kaji", ...parameters);
  const kubectl = (...parameters: readonly string[]): Promise<string> =>
    place.run("web-sites", kube.kubectl, "--kubeconfig", kube.kubeconfig, ...parameters);
  const edit = (path: string, before: string, after: string): void => {
    const file = join(place.folder, "web-sites", path);
    const text = readFileSync(file, "utf8");
    assert.ok(text.includes(before), `${path} has ${before}`);
    writeFileSync(file, text.replace(before, after));
  };
  const install = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline"] as const;

  test("makes a project, adds to it, and its types and tests are well", async () => {
    writeFileSync(join(place.folder, "package.json"), "{}\n");
    await place.run(".", "npm", ...install, "--no-save", ...place.tarballs);
    await place.run(".", "node_modules/.bin/create-kaji", "web-sites", "--kind", "WebSite", "--group", "shop.example.com", "--yes");
    await place.run("web-sites", "npm", ...install, ...place.tarballs);
    await kaji("create", "api", "--kind", "Region", "--group", "shop.example.com", "--scope", "Cluster", "--yes");
    await kaji("create", "api", "--kind", "Secret", "--group", "", "--version", "v1", "--yes");
    edit("src/web-site.ts", 'description: "Keeps a ConfigMap with a message.",', 'description: "A site of the shop.",');
    edit("src/web-site.ts", '.default("hello")', '.default("welcome")');
    edit("src/web-site-controller.ts", 'reason: "Applied"', 'reason: "Open"');
    // What may be absent in one object may be copied to another as it is.
    const copied = "metadata: { name: webSite.metadata.name, labels: webSite.metadata.labels }";
    edit("src/web-site-controller.ts", "metadata: { name: webSite.metadata.name }", copied);
    await place.run("web-sites", "npm", "run", "check");
    assert.match(await place.run("web-sites", "npm", "test"), /\n. pass 7\n. fail 0\n/);
  });

  test("has manifests of each form, which the real server takes", async () => {
    for (const format of ["plain", "kustomize", "helm"]) {
      await kaji("manifests", "--format", format, "--out", format);
      assert.equal(await kaji("manifests", "--format", format, "--out", format, "--check"), "nothing to change\n");
    }
    await kubectl("create", "namespace", "web-sites-system");
    assert.match(
      await kubectl("apply", "--server-side", "--dry-run=server", "--field-manager=kaji", "-f", "plain/install.yaml"),
      /deployment\.apps\/web-sites/,
    );
    assert.match(
      await kubectl("apply", "--server-side", "--dry-run=server", "--field-manager=kaji", "-k", "kustomize/overlays/default"),
      /deployment\.apps\/web-sites/,
    );
    await kubectl("delete", "namespace", "web-sites-system");
  });

  test("builds it, deploys it to a real cluster, and it works there with the permissions it was given and no others", async () => {
    await kaji("build");
    const target = ["--kubeconfig", kube.kubeconfig] as const;
    // No container can run there, so none is asked for.
    const deploy = ["deploy", ...target, "--replicas", "0"] as const;
    const deployed = await kaji(...deploy);
    assert.match(deployed, /^created {3}CustomResourceDefinition websites\.shop\.example\.com$/m);
    assert.doesNotMatch(await kaji(...deploy), /^(created|changed) /m);

    await using client = await createClient({ kubeconfig: kube.kubeconfig });
    const { status } = await client.createToken("web-sites-system/web-sites", { audiences: [], expirationSeconds: 3600 });
    const config = {
      apiVersion: "v1",
      kind: "Config",
      "current-context": "operator",
      clusters: [{ name: "real", cluster: { server: kube.server, "certificate-authority": kube.caFile } }],
      users: [{ name: "operator", user: { token: status?.token } }],
      contexts: [{ name: "operator", context: { cluster: "real", user: "operator", namespace: "web-sites-system" } }],
    };
    writeFileSync(join(place.folder, "web-sites/operator.kubeconfig"), JSON.stringify(config));
    const flags = ["--kubeconfig", "operator.kubeconfig", "--leader-elect", "--metrics-address", "0", "--health-address", "0"];
    await using operator = place.start("web-sites", process.execPath, "dist/main.js", ...flags);
    await operator.said(/became the leader/);

    await kubectl("apply", "-f", "plain/samples/website.yaml", "-f", "plain/samples/region.yaml");
    const { data } = await eventually("ConfigMap default/website-sample is there", () =>
      unlessGone(client.get(ConfigMap, "default/website-sample")),
    );
    assert.deepEqual(data, { message: "welcome" });
    assert.doesNotMatch(await operator.said(/became the leader/), /forbidden/i);
    await assert.rejects(kaji("undeploy", ...target), /nothing was removed, since there is nobody to ask/);
    await kaji("undeploy", ...target, "--delete-objects", "--yes");
    assert.equal(await operator.end("SIGTERM"), 0);
    await assert.rejects(client.get(Namespace, "web-sites-system"), /not found/);
  });

  test("develops it: what is saved is reconciled, webhooks are called, and Ctrl+C ends it", async () => {
    await kaji("create", "webhook", "--kind", "WebSite", "--yes");
    await using dev = place.start("web-sites", "node_modules/.bin/kaji", "dev");
    await dev.said(/webhooks can be called.*Validating/);
    const apply = ["--kubeconfig", ".kaji/kubeconfig", "apply", "-f", "plain/samples/website.yaml"];
    await place.run("web-sites", kube.kubectl, ...apply);
    await dev.said(/  WebSite default\/website-sample +\S.* +done +[\d.]+ m?s {2}applied ConfigMap website-sample; patched status\n/);
    edit("src/web-site-controller.ts", "webSite.spec.message", "`${webSite.spec.message}!`");
    const log = await dev.said(
      /  WebSite default\/website-sample +\S.* +done +[\d.]+ m?s {2}applied ConfigMap website-sample \(data\.message\)\n/,
    );
    assert.match(log, /src\/web-site-controller\.ts was saved/);
    assert.equal(await dev.end("SIGINT"), 0);
  });
});
