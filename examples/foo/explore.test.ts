import { test } from "node:test";
import { explore } from "@kaji/testing";
import type { Loop } from "@kaji/testing";
import { Deployment } from "kaji/apps/v1";
import { FooController } from "./foo-controller.ts";
import { Foo } from "./foo.ts";

const newFoo = (deploymentName: string, replicas: number) => ({
  metadata: { name: "example", namespace: "default" },
  spec: { deploymentName, replicas },
});

/** The controller is made by hand: it is told to the exploration what it is about, and when it is at rest. */
const foos: Loop = {
  name: "foo-controller",
  resources: [Foo, Deployment],
  start: (environment) => {
    const controller = new FooController({ ...environment, onFailure: () => {} });
    return {
      synced: controller.synced,
      get load() {
        return controller.load;
      },
      run: (signal) => controller.run(signal),
    };
  },
};

test("a Foo comes out right whatever single thing goes wrong", async () => {
  await explore({
    controllers: [],
    loops: [foos],
    resources: [Foo],
    ops: (user) => [
      user.create(Foo, newFoo("web", 1)),
      user.mergePatch(Foo, "default/example", { spec: { replicas: 3, deploymentName: "other" } }),
      user.delete(Foo, "default/example"),
    ],
    runs: 40,
  }).expectNoViolations();
});
