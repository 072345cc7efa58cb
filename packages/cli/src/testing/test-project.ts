import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** A project in a folder of its own, which goes with it. */
export interface TestProject extends Disposable {
  readonly folder: string;
  write(path: string, text: string): void;
}

/** An empty folder in which the packages of this workspace are installed. It may be in another one than that for temporary files. */
export function emptyProject(parent: string = tmpdir()): TestProject {
  const folder = mkdtempSync(join(parent, "kaji-project-"));
  symlinkSync(fileURLToPath(new URL("../../../../node_modules", import.meta.url)), join(folder, "node_modules"));
  return {
    folder,
    write(path, text) {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

/** A project with the operator `bars`: Bars that own ConfigMaps, and optionally a webhook. */
export function barProject({ hasWebhook = false }: { readonly hasWebhook?: boolean } = {}): TestProject {
  const project = emptyProject();
  project.write("package.json", `{ "name": "bars", "version": "1.2.3", "type": "module" }\n`);
  project.write("src/operator.ts", operatorText(hasWebhook));
  return project;
}

function operatorText(hasWebhook: boolean): string {
  return `import { defineController, defineOperator, defineResource, webhook, z } from "kaji";
import { ConfigMap } from "kaji/core/v1";

const Bar = defineResource({ group: "example.com", version: "v1", kind: "Bar", spec: z.object({ text: z.string().default("hello") }) });

const controller = defineController(Bar, {
  owns: [ConfigMap],
  async reconcile(bar, { apply }) {
    await apply(ConfigMap, { metadata: { name: bar.metadata.name }, data: { text: bar.spec.text } });
  },
});

export const operator = defineOperator({
  name: "bars",
  controllers: [controller],
  webhooks: [${hasWebhook ? "webhook(Bar, { validate: () => {} })" : ""}],
});
`;
}

/** The sources of an operator of Cars in two versions, with a finalizer. */
export const carOperator: string = `import { convert, defineController, defineOperator, defineResource, z } from "kaji";

const spec = z.object({ text: z.string().default("hello") });
const Car = defineResource({ group: "example.com", version: "v1", kind: "Car", spec, versions: { v1alpha1: { spec } } });

export const operator = defineOperator({
  name: "cars",
  controllers: [defineController(Car, { reconcile() {}, finalize() {} })],
  conversions: [convert(Car, { v1alpha1: ({ same }) => [same("spec")] })],
});
`;
