import { join } from "node:path";
import { scriptOptions } from "@kaji-tools/script-options";
import { readDiscovery } from "./discovery-facts.ts";
import { discoveryFile } from "./discovery-file.ts";
import { facadeFiles } from "./facade-files.ts";
import { kubernetesFolder, readGoEnums, readGoStructs } from "./go-facts.ts";
import { readOpenApi } from "./open-api-facts.ts";
import { differingFile, writeFiles } from "./output.ts";
import { podTemplateFile } from "./pod-template-file.ts";
import { structFacts } from "./struct-facts.ts";
import { structTableFile } from "./struct-table-file.ts";
import { structTypesFile } from "./struct-types-file.ts";
import { typeFiles } from "./type-files.ts";

const root = join(import.meta.dirname, "../../..");

const usage = `usage: npm run generate [-- --check]

Generates code from the Go modules of Kubernetes. With --check, only compares it with what is there.`;

const { values } = scriptOptions({ name: "generate", usage, options: { check: { type: "boolean", default: false } } });
for (const [folder, files] of generate()) {
  const target = join(root, folder);
  if (!values.check) {
    writeFiles(target, files);
    continue;
  }
  const file = differingFile(target, files);
  if (file !== undefined) {
    console.error(`${folder}/${file} is not what the generator writes: run "npm run generate"`);
    process.exitCode = 1;
  }
}

/** Every generated folder, with its files by their paths in it. */
function generate(): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const { version, folder } = kubernetesFolder();
  const go = readGoStructs();
  const { definitions, pathsReturningDeleted } = readOpenApi(folder);
  const structs = structFacts(go, readGoEnums(folder), definitions);
  const groups = readDiscovery(folder, pathsReturningDeleted);
  const types = typeFiles(structs, go.kinds, groups);
  const tables = [
    ["tables/structs.ts", structTableFile(structs, go.kinds)],
    ["tables/struct-types.ts", structTypesFile(structs, go.kinds, types.keys())],
    ["tables/discovery.ts", discoveryFile(groups)],
    ["tables/pod-template.ts", podTemplateFile(go)],
  ] as const;
  const heading = `// Generated from the published facts of Kubernetes ${version} by tools/generate. Do not edit.\n\n`;
  const headed = (files: Iterable<readonly [string, string]>): Map<string, string> =>
    new Map(Array.from(files, ([path, text]) => [path, heading + text]));
  return new Map([
    ["packages/types/src/generated", headed([...types, ...tables])],
    ["packages/kaji/src/generated", headed(facadeFiles([...types.keys(), "schemas.ts"]))],
  ]);
}
