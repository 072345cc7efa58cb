import { join } from "node:path";
import { parseArgs } from "node:util";
import { readDiscovery } from "./discovery-facts.ts";
import { discoveryFile } from "./discovery-file.ts";
import { kubernetesFolder, readGoEnums, readGoStructs } from "./go-facts.ts";
import { readOpenApi } from "./open-api-facts.ts";
import { differingFile, writeFiles } from "./output.ts";
import { structFacts } from "./struct-facts.ts";
import { structTableFile } from "./struct-table-file.ts";
import { typeFiles } from "./type-files.ts";

const target = join(import.meta.dirname, "../../../packages/types/src/generated");

const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });
const files = generate();
if (values.check) {
  const file = differingFile(target, files);
  if (file !== undefined) {
    console.error(`packages/types/src/generated/${file} is not what the generator writes: run "npm run generate"`);
    process.exitCode = 1;
  }
} else writeFiles(target, files);

/** Every file of the folder by its path in it. */
function generate(): ReadonlyMap<string, string> {
  const { version, folder } = kubernetesFolder();
  const go = readGoStructs();
  const { definitions, pathsReturningDeleted } = readOpenApi(folder);
  const structs = structFacts(go, readGoEnums(folder), definitions);
  const groups = readDiscovery(folder, pathsReturningDeleted);
  const files = new Map([
    ...typeFiles(structs, go.kinds, groups),
    ["tables/structs.ts", structTableFile(structs, go.kinds)],
    ["tables/discovery.ts", discoveryFile(groups)],
  ]);
  const heading = `// Generated from the published facts of Kubernetes ${version} by tools/generate. Do not edit.\n\n`;
  return new Map(Array.from(files, ([path, text]) => [path, heading + text]));
}
