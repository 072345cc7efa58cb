import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor";
import type { IConfigFile } from "@microsoft/api-extractor";

/** One module that users of a package can import. */
export interface EntryPoint {
  /** Relative to the root: `packages/core`. */
  readonly directory: string;
  /** Name of its report without the ending: `index`, `testing`. */
  readonly name: string;
  /** Its built declarations, relative to the root. */
  readonly declarations: string;
}

/** An entry point and what it offers, as text: each exported name with its signature, in alphabetical order. */
export interface ApiReport {
  readonly entryPoint: EntryPoint;
  readonly text: string;
  /** Exported names without a doc comment. */
  readonly undocumented: readonly string[];
}

/** Reads what the entry points offer. The compiler runs once for all of them, since most share their declarations. */
export function extractApi(root: string, entryPoints: readonly EntryPoint[], cacheFolder: string): ApiReport[] {
  const configurations = entryPoints.map((entryPoint) => configure(root, entryPoint, entryPoints, cacheFolder));
  const [first, ...others] = configurations;
  if (first === undefined) return [];
  const additionalEntryPoints = others.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath);
  const compilerState = CompilerState.create(first, { additionalEntryPoints });
  return entryPoints.map((entryPoint, index) => extract(entryPoint, configurations[index] ?? first, compilerState));
}

function extract(entryPoint: EntryPoint, configuration: ExtractorConfig, compilerState: CompilerState): ApiReport {
  const failures: string[] = [];
  Extractor.invoke(configuration, {
    compilerState,
    localBuild: true,
    messageCallback(message) {
      message.handled = true;
      if (message.logLevel === ExtractorLogLevel.Error) failures.push(message.text);
    },
  });
  if (failures.length > 0) throw new Error(`${entryPoint.declarations} cannot be read: ${failures.join("; ")}`);
  const raw = readFileSync(configuration.reportTempFilePath, "utf8");
  return { entryPoint, text: withoutMarkers(raw), undocumented: undocumentedNames(raw) };
}

function configure(root: string, entryPoint: EntryPoint, all: readonly EntryPoint[], cacheFolder: string): ExtractorConfig {
  const projectFolder = join(root, entryPoint.directory);
  const reportFolder = join(cacheFolder, entryPoint.directory);
  mkdirSync(join(reportFolder, "temp"), { recursive: true });
  const configObject: IConfigFile = {
    projectFolder,
    newlineKind: "lf",
    mainEntryPointFilePath: join(root, entryPoint.declarations),
    compiler: { overrideTsconfig: compilerOptions(root, all) },
    apiReport: { enabled: true, reportFileName: entryPoint.name, reportFolder, reportTempFolder: join(reportFolder, "temp") },
    docModel: { enabled: false },
    dtsRollup: { enabled: false },
    tsdocMetadata: { enabled: false },
    messages: {
      extractorMessageReporting: {
        default: { logLevel: ExtractorLogLevel.Warning },
        "ae-missing-release-tag": { logLevel: ExtractorLogLevel.None },
        // A sub-path may speak of what the index exports.
        "ae-forgotten-export": { logLevel: ExtractorLogLevel.None, addToApiReportFile: entryPoint.name === "index" },
      },
    },
  };
  return ExtractorConfig.prepare({
    configObject,
    configObjectFullPath: undefined,
    packageJsonFullPath: join(projectFolder, "package.json"),
  });
}

/** No source condition here: packages see each other as their users do, through built declarations. */
function compilerOptions(root: string, entryPoints: readonly EntryPoint[]): object {
  return {
    compilerOptions: {
      target: "es2022",
      module: "nodenext",
      lib: ["esnext"],
      types: ["node"],
      strict: true,
      skipLibCheck: true,
    },
    files: entryPoints.map(({ declarations }) => join(root, declarations)),
  };
}

/** All that is exported is public, and members may speak for themselves: only the signatures are worth a review. */
function withoutMarkers(report: string): string {
  return report.replaceAll(/^\/\/ @public( \(undocumented\))?\n|^ +\/\/ \(undocumented\)\n|^\/\/ \(No @packageDocumentation.*\n\n/gm, "");
}

/** One sentence is enough for all overloads of a function. */
function undocumentedNames(report: string): string[] {
  const declaration = /^\/\/ @public(?<undocumented> \(undocumented\))?\n(?:\/\/.*\n)*export (?:abstract )?[a-z]+ (?<name>[\w$]+)/gm;
  const declarations = [...report.matchAll(declaration)].map(({ groups }) => groups ?? {});
  const documented = new Set(declarations.filter(({ undocumented }) => undocumented === undefined).map(({ name }) => name));
  return declarations.flatMap(({ name }) => (name === undefined || documented.has(name) ? [] : [name]));
}
