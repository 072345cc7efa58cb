import assert from "node:assert/strict";
import { test } from "node:test";
import { layOut } from "./testing/fixture-workspace.ts";

/** What the fixture "boundaries" breaks: one file per rule and way to break it. */
const expected = `
packages/apiserver/src/call-client.ts:1: layer: @kaji/apiserver imports @kaji/client; it may import core, cel
packages/bare/package.json:1: unknown-package: has no manifest, so that nothing checks what is in it
packages/cel/src/index.ts:1: index: @kaji/cel has no index
packages/client/src/ambient-date.ts:1: ambient-date: reads the present moment; take a Clock from @kaji/core
packages/client/src/ambient-date.ts:3: ambient-date: reads the present moment; take a Clock from @kaji/core
packages/client/src/common/text.ts:1: file-name: "common" names no concept; name the file after what it is about
packages/client/src/deep-by-name.ts:1: deep-import: @kaji/core/src/greeting.ts is not exported; @kaji/core exports ., ./testing
packages/client/src/deep-by-path.ts:1: deep-import: ../../core/src/greeting.ts leaves packages/client; import the package by its name
packages/client/src/nested/index.ts:1: index: @kaji/client has its index at packages/client/src/index.ts
packages/client/src/second-barrel.ts:1: barrel: re-exports from ./send.ts; only a file named in "exports" may
packages/client/src/serve-itself.ts:1: layer: @kaji/client imports @kaji/apiserver; it may import core, types
packages/client/src/ships-own-testing.ts:1: testing-import: ./testing.ts is for tests; only tests may import it
packages/client/src/ships-testing.ts:1: testing-import: @kaji/core/testing is for tests; @kaji/client ships without it
packages/client/src/silenced.ts:1: disable-reason: say why after " -- "
packages/client/src/star.ts:1: export-star: export * from ./send.ts hides what is offered; write the names out
packages/client/src/string-helpers.ts:1: file-name: "string-helpers" names no concept; name the file after what it is about
packages/client/src/torn.ts:1: syntax: Unexpected token
packages/client/src/types.ts:1: file-name: "types" names no concept; name the file after what it is about
packages/client/src/undeclared.test.ts:1: undeclared-dependency: @kaji/apiserver is not among the dependencies or devDependencies of packages/client/package.json
packages/client/src/undeclared.ts:1: undeclared-dependency: yaml is not among the dependencies of packages/client/package.json
packages/client/src/uses-tool.ts:1: layer: @kaji/client imports @kaji-tools/kube; it may import core, types
packages/core/src/read-disk.ts:1: layer: @kaji/core imports node:fs; of Node it may import node:crypto, node:zlib
packages/core/src/read-yaml.ts:1: layer: @kaji/core imports yaml; from elsewhere it may import zod
packages/core/src/upward.ts:1: layer: @kaji/core imports @kaji/client; it may import nothing
packages/informer/src/reflector.ts:1: layer: @kaji/informer imports @kaji/client; it may import core
packages/novel/package.json:1: unknown-package: is not in the table of layers.ts
packages/novel/tsconfig.json:1: project-reference: is missing; the package is not type-checked
test/meeting.test.ts:2: deep-import: ../packages/core/src/greeting.ts leaves test; import the package by its name
tools/kube/tsconfig.json:1: project-reference: lacks { "path": "../../packages/client" } in "references"
tools/kube/tsconfig.json:1: project-reference: refers to packages/informer, which it does not depend on
tsconfig.json:1: project-reference: lacks { "path": "packages/cel" } in "references"
tsconfig.json:1: project-reference: lacks { "path": "packages/novel" } in "references"
tsconfig.json:1: project-reference: lacks { "path": "test" } in "references"
`;

test("every forbidden import, name and shape is reported at its line, with what is allowed", async () => {
  using workspace = layOut("boundaries");
  assert.deepEqual((await workspace.run("boundaries")).split("\n"), expected.slice(1).split("\n"));
});

test("arrows of the table, tests that use devDependencies and tools that use anything public are allowed", async () => {
  using workspace = layOut();
  assert.equal(await workspace.run("boundaries"), "");
});
