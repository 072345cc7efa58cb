import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { startKube } from "@kaji-tools/kube";
import type { Kube } from "@kaji-tools/kube";
import { createClient } from "@kaji/client";
import { startControlPlane } from "@kaji/cluster";
import { isReason } from "@kaji/core";
import type { Resource } from "@kaji/core";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { Deployment } from "@kaji/types/apps/v1";
import { ClusterRole } from "@kaji/types/rbac/v1";
import { goTool } from "./go-tool.ts";
import { exampleFolder, kaji, runProgram } from "./programs.ts";

const bar = exampleFolder("bar");
const namespace = "bar-controller-system";

describe("what kaji manifests writes for examples/bar", () => {
  let kube: Kube;
  let kustomize: string;
  let helm: string;
  const folder = mkdtempSync(join(tmpdir(), "kaji-renders-"));
  const [tree, chart] = [join(folder, "tree"), join(folder, "chart")];

  before(async () => {
    [kustomize, helm] = [await goTool("kustomize"), await goTool("helm")];
    kube = await startKube();
    for (const name of [namespace, "team-a", "team-b", "123"]) await kubectl("create", "namespace", name);
    await kaji("manifests", "--project", bar, "--format", "kustomize", "--out", tree, "--replicas", "2");
    await kaji("manifests", "--project", bar, "--format", "helm", "--out", chart, "--image", "registry.example.com:5000/bars:1.2.3");
  });

  after(async () => {
    await kube?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const kubectl = (...parameters: readonly string[]): Promise<string> =>
    runProgram(kube.kubectl, ["--kubeconfig", kube.kubeconfig, ...parameters]);
  const takenByServer = (text: string, ...more: readonly string[]): Promise<string> => {
    const parameters = ["--kubeconfig", kube.kubeconfig, "apply", "--server-side", "--dry-run=server", "--validate=strict", "-f", "-"];
    return runProgram(kube.kubectl, [...parameters, ...more], text);
  };

  test("kustomize renders the tree, and the real server takes every object of it", async () => {
    const plain = await takenByServer(await kaji("manifests", "--project", bar, "--replicas", "2"));
    assert.deepEqual(linesOf(await takenByServer(await runProgram(kustomize, ["build", join(tree, "overlays/default")]))), linesOf(plain));
  });

  test("an overlay moves the operator to a namespace, and who may do what, where webhooks are and which image runs follow", async () => {
    const overlay = join(tree, "overlays/default/kustomization.yaml");
    const changes = { namespace: "team-a", images: [{ name: "bar-controller", newName: "registry.example.com/bars", newTag: "2" }] };
    writeFileSync(overlay, JSON.stringify({ resources: ["../../base"], ...changes }));
    const rendered = await runProgram(kustomize, ["build", join(tree, "overlays/default")]);
    assert.match(rendered, /image: registry\.example\.com\/bars:2\n/);
    assert.doesNotMatch(rendered, new RegExp(`namespace: ${namespace}`));
    assert.equal(rendered.match(/^ +namespace: team-a$/gm)?.length, rendered.match(/^ +namespace: /gm)?.length);
    await takenByServer(rendered);
  });

  test("an operator of some namespaces has a Role in each, as the real server takes them", async () => {
    const taken = await takenByServer(await kaji("manifests", "--project", bar, "--namespaces", "team-a,team-b", "--metrics-auth"));
    assert.equal(taken.match(/^role\.rbac\.authorization\.k8s\.io\/bar-controller serverside-applied/gm)?.length, 2);
  });

  test("helm finds nothing wrong with the chart, and the real server takes what it renders", async () => {
    assert.match(await runProgram(helm, ["lint", "--strict", chart]), /1 chart\(s\) linted, 0 chart\(s\) failed/);
    const rendered = await runProgram(helm, ["template", "bars", chart, "--namespace", "team-a", "--include-crds"]);
    assert.match(rendered, /image: registry\.example\.com:5000\/bars:1\.2\.3\n/);
    assert.match(await takenByServer(rendered), /^deployment\.apps\/bar-controller serverside-applied/m);
    assert.doesNotMatch(rendered, /PodDisruptionBudget/);
    await takenByServer(await runProgram(helm, ["template", "bars", chart, "--namespace", "123", "--include-crds"]));
    const several = await runProgram(helm, ["template", "bars", chart, "--namespace", "team-a", "--set", "replicas=2"]);
    assert.match(await takenByServer(several), /^poddisruptionbudget\.policy\/bar-controller serverside-applied/m);
  });

  test("what Pods and ServiceAccount have is in the values, over what package.json says, and the real server takes it", async () => {
    const adapted = join(folder, "adapted");
    const values = {
      pod: {
        labels: { team: "a" },
        annotations: { "linkerd.io/inject": "enabled" },
        imagePullSecrets: [{ name: "registry" }],
        nodeSelector: { "kubernetes.io/os": "linux" },
        tolerations: [{ key: "dedicated", operator: "Exists" }],
        affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "kubernetes.io/hostname" }] } },
        securityContext: { fsGroup: 1000 },
        volumes: [{ name: "scratch", emptyDir: { sizeLimit: "1Gi" } }],
        volumeMounts: [{ name: "scratch", mountPath: "/scratch" }],
      },
      serviceAccount: { annotations: { "eks.amazonaws.com/role-arn": "arn:aws:iam::1:role/bars" } },
    };
    const file = join(folder, "adapted.json");
    writeFileSync(file, JSON.stringify(values));
    for (const certificates of ["built-in", "cert-manager"]) {
      await kaji("manifests", "--project", bar, "--format", "helm", "--out", adapted, "--certificates", certificates);
      assert.match(await runProgram(helm, ["lint", "--strict", adapted, "--values", file]), /0 chart\(s\) failed/);
      const rendered = await runProgram(helm, ["template", "bars", adapted, "--namespace", "team-a", "--values", file]);
      const both = rendered.split(/^---$/m).filter((text) => /^kind: (ServiceAccount|Deployment)$/m.test(text));
      const [account, deployment] = JSON.parse(await takenByServer(both.join("---"), "--output", "json")).items;
      const { metadata, spec } = deployment.spec.template;
      const { labels, annotations, volumes, volumeMounts, securityContext, ...placement } = values.pod;
      assert.deepEqual({ ...spec, ...placement }, spec);
      assert.deepEqual({ ...metadata.labels, ...labels }, metadata.labels);
      assert.deepEqual(metadata.annotations, { "kubectl.kubernetes.io/default-container": "manager", ...annotations });
      assert.deepEqual(spec.securityContext, { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" }, ...securityContext });
      assert.deepEqual([spec.volumes.at(-1), spec.containers[0].volumeMounts.at(-1)], [volumes[0], volumeMounts[0]]);
      assert.equal(spec.volumes.length, certificates === "built-in" ? 1 : 2);
      assert.deepEqual(account.metadata.annotations, values.serviceAccount.annotations);
    }
  });

  test("values that make no sense are refused by the schema of the chart", async () => {
    for (const value of [
      "replicas=-1",
      "replicas=two",
      "image.tag=",
      "image.pullPolicy=Sometimes",
      "image.pull=x",
      "pod=null",
      "pod.nodeSelectr.a=b",
      "pod.tolerations[0].operatr=x",
    ]) {
      await assert.rejects(
        runProgram(helm, ["template", "bars", chart, "--set", value]),
        /values don't meet the specifications of the schema/,
        value,
      );
    }
  });

  test("helm installs, upgrades and uninstalls it on a real API server", () => liveThroughReleases(helm, chart, kube.kubeconfig, []));

  test("helm installs, upgrades and uninstalls it on the embedded control plane, and waits until it is available", async () => {
    await using plane = await startControlPlane({ folder: join(folder, "plane"), storage: "memory" });
    await liveThroughReleases(helm, chart, plane.kubeconfig, ["--wait", "--timeout", "60s"]);
  });

  test("an upgrade leaves definitions as they are, and says what brings them to the chart", async () => {
    const changed = join(folder, "changed");
    cpSync(chart, changed, { recursive: true });
    const file = join(changed, "crds/bars.samplecontroller.example.com.yaml");
    writeFileSync(file, readFileSync(file, "utf8").replace("kind: Bar\n", "kind: Bar\n    shortNames:\n      - br\n"));
    const place = ["--namespace", "upgraded", "--kubeconfig", kube.kubeconfig] as const;
    await using client = await createClient({ kubeconfig: kube.kubeconfig });
    const shortNames = async (): Promise<readonly string[] | undefined> =>
      (await client.get(CustomResourceDefinition, "bars.samplecontroller.example.com")).spec.names.shortNames;
    assert.doesNotMatch(await runProgram(helm, ["install", "bars", chart, "--create-namespace", ...place]), /NOTES/);
    const said = await runProgram(helm, ["upgrade", "bars", changed, ...place]);
    assert.equal(await shortNames(), undefined);
    const [, options = ""] = /\n {2}helm show crds CHART \| kubectl (apply .*)\n/.exec(said) ?? [];
    await runProgram(
      kube.kubectl,
      ["--kubeconfig", kube.kubeconfig, ...options.split(" ")],
      await runProgram(helm, ["show", "crds", changed]),
    );
    assert.deepEqual(await shortNames(), ["br"]);
    await runProgram(helm, ["uninstall", "bars", ...place]);
  });

  test("helm installs, upgrades and uninstalls an operator that converts versions, whose definition names the namespace of the release", async () => {
    const converting = join(folder, "converting");
    await kaji("manifests", "--project", exampleFolder("cronjob"), "--format", "helm", "--out", converting);
    const place = ["--namespace", "schedules", "--kubeconfig", kube.kubeconfig] as const;
    await using client = await createClient({ kubeconfig: kube.kubeconfig });
    const converter = async (): Promise<string | undefined> => {
      const { spec } = await client.get(CustomResourceDefinition, "cronjobs.batch.tutorial.example.com");
      return spec.conversion?.webhook?.clientConfig?.service?.namespace;
    };
    await runProgram(helm, ["install", "schedules", converting, "--create-namespace", ...place]);
    assert.equal(await converter(), "schedules");
    await runProgram(helm, ["upgrade", "schedules", converting, "--set", "replicas=2", ...place]);
    await runProgram(helm, ["uninstall", "schedules", ...place]);
    assert.equal(await converter(), "schedules");
    await runProgram(helm, ["install", "schedules", converting, ...place]);
  });
});

/** A release from its beginning to its end: helm's own view and the cluster's agree, and definitions stay for the sake of their objects. */
async function liveThroughReleases(helm: string, chart: string, kubeconfig: string, waiting: readonly string[]): Promise<void> {
  const place = ["--namespace", "releases", "--kubeconfig", kubeconfig] as const;
  await using client = await createClient({ kubeconfig });
  const isThere = (resource: Resource, name: string): Promise<boolean> =>
    client.get(resource, name).then(
      () => true,
      (error: unknown) => (isReason(error, "NotFound") ? false : Promise.reject(error)),
    );
  const replicas = async (): Promise<number | undefined> => (await client.get(Deployment, "releases/bar-controller")).spec?.replicas;

  await runProgram(helm, ["install", "bars", chart, "--create-namespace", ...place, ...waiting]);
  assert.equal(await replicas(), 1);
  assert.equal(await isThere(CustomResourceDefinition, "bars.samplecontroller.example.com"), true);
  await runProgram(helm, ["upgrade", "bars", chart, "--set", "replicas=2", "--set", "resources.requests.cpu=20m", ...place, ...waiting]);
  assert.equal(await replicas(), 2);
  assert.match(await runProgram(helm, ["history", "bars", ...place]), /superseded[\s\S]*deployed/);
  await runProgram(helm, ["rollback", "bars", "1", ...place, ...waiting]);
  assert.equal(await replicas(), 1);
  await runProgram(helm, ["uninstall", "bars", ...place, ...waiting]);
  assert.equal(await isThere(Deployment, "releases/bar-controller"), false);
  assert.equal(await isThere(ClusterRole, "bar-controller"), false);
  assert.equal(await isThere(CustomResourceDefinition, "bars.samplecontroller.example.com"), true);
}

function linesOf(text: string): readonly string[] {
  return text.trimEnd().split("\n").sort();
}
