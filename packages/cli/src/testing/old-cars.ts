import assert from "node:assert/strict";
import type { KubeClient } from "@kaji/client";
import { resource } from "@kaji/core";
import type { DynamicObject, Resource } from "@kaji/core";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { mainText } from "../create/project-files.ts";
import { ran } from "./run-program.ts";
import type { Ran } from "./run-program.ts";
import { emptyProject } from "./test-project.ts";
import type { TestProject } from "./test-project.ts";

const names = { group: "example.com", kind: "Car", plural: "cars", scope: "Namespaced" } as const;

/** Cars in the version that is to be stored. */
export const Car: Resource<DynamicObject> = resource<DynamicObject>({ ...names, version: "v1" });
/** Cars in the version before it. */
export const OldCar: Resource<DynamicObject> = resource<DynamicObject>({ ...names, version: "v1alpha1" });

/** Runs the program in a project whose Cars have these versions, the first of which is stored. */
export async function inCarProject(versions: readonly string[], kubeconfig: string, ...parameters: readonly string[]): Promise<Ran> {
  using project = carProject(versions);
  return await ran([...parameters, "--project", project.folder, "--kubeconfig", kubeconfig]);
}

/** A project whose Cars have these versions, the first of which is stored. */
export function carProject(versions: readonly string[]): TestProject {
  const project = emptyProject();
  project.write("package.json", `{ "name": "cars", "version": "1.2.3", "type": "module" }\n`);
  project.write("src/operator.ts", unconvertedOperator(versions));
  project.write("src/main.ts", mainText);
  return project;
}

/** The sources of an operator of Cars with these versions, the first of which is stored, between which it does not convert. */
export function unconvertedOperator([stored, ...others]: readonly string[]): string {
  return `import { defineController, defineOperator, defineResource, z } from "kaji";

const spec = z.object({ text: z.string().default("hello") });
const versions = { ${others.map((name) => `${name}: { spec }`).join(", ")} };
const Car = defineResource({ group: "example.com", version: "${stored}", kind: "Car", spec, versions });

export const operator = defineOperator({ name: "cars", controllers: [defineController(Car, { reconcile() {} })] });
`;
}

/** Makes Cars that are stored in their old version, of a definition that stores the new one from then on. */
export async function makeOldCars(count: number, kubeconfig: string, client: KubeClient): Promise<void> {
  assert.equal((await inCarProject(["v1alpha1"], kubeconfig, "install")).code, 0);
  for (let index = 0; index < count; index++) {
    const metadata = { name: `car-${index}`, namespace: "default" };
    await client.create(OldCar, { apiVersion: "example.com/v1alpha1", kind: "Car", metadata, spec: {} });
  }
  assert.equal((await inCarProject(["v1", "v1alpha1"], kubeconfig, "install")).code, 0);
}

/** The versions in which Cars may be stored, as the definition says. */
export async function storedVersions(client: KubeClient): Promise<readonly string[] | undefined> {
  return (await client.get(CustomResourceDefinition, "cars.example.com")).status?.storedVersions;
}

/** The versions of the Cars themselves, which each write changes. */
export async function resourceVersions(client: KubeClient): Promise<readonly (string | undefined)[]> {
  return (await client.list(Car)).items.map(({ metadata }) => metadata.resourceVersion);
}
