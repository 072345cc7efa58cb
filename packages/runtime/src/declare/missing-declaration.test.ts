import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigMap, Secret, Service } from "@kaji/types/core/v1";
import { owned, use, watch } from "./declarations.ts";
import { defineController } from "./define-controller.ts";
import { missingDeclaration } from "./missing-declaration.ts";

test("[RUN16] what is missing is said as it is to be written, where the kind is declared already or else in uses", () => {
  const bare = defineController(ConfigMap, { reconcile() {} });
  const declared = defineController(ConfigMap, {
    name: "declared",
    owns: [Service],
    watches: [watch(Secret)],
    reconcile() {},
  });
  const cases = [
    [missingDeclaration(bare, "update", ConfigMap), 'add "update" to its selfVerbs'],
    [missingDeclaration(bare, "create", Secret), 'add use(Secret, "create") to its uses'],
    [missingDeclaration(bare, "apply", Secret), "add Secret to its owns"],
    [missingDeclaration(bare, "watch", Secret), "add watch(Secret) to its watches"],
    [missingDeclaration(declared, "update", Service), 'write owned(Service, { verbs: ["update"] }) in its owns'],
    [missingDeclaration(declared, "delete", Secret), 'write watch(Secret, { verbs: ["delete"] }) in its watches'],
  ];
  for (const [said, wanted] of cases) assert.equal(said, wanted);
  const some = defineController(ConfigMap, {
    name: "some",
    owns: [owned(Service, { verbs: ["update"] })],
    uses: [use(Secret, "get")],
    reconcile() {},
  });
  assert.equal(
    missingDeclaration(some, "update/status", Service),
    'write owned(Service, { verbs: ["update", "update/status"] }) in its owns',
  );
  assert.equal(missingDeclaration(some, "create", Secret), 'write use(Secret, "get", "create") in its uses');
});
