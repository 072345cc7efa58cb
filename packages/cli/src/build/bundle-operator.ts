import { join, relative } from "node:path";
import { build } from "esbuild";
import type { BuildFailure, Message, Plugin } from "esbuild";
import { CommandError } from "../command.ts";
import { requireMain } from "../project/project.ts";
import type { Project } from "../project/project.ts";
import { shortLibraryNames } from "./library-names.ts";
import { madeUp, mentionsLocales, withoutLocales } from "./zod-locales.ts";

/** Bundles what runs the operator into `dist/main.js`, and returns the files that went into it. */
export async function bundleOperator({ folder, mainFile }: Project): Promise<readonly string[]> {
  requireMain({ folder, mainFile });
  try {
    const files = await bundle({ folder, mainFile }, [withoutLocales, shortLibraryNames]);
    return (await mentionsLocales(files)) ? await bundle({ folder, mainFile }, [shortLibraryNames]) : files;
  } catch (error) {
    if (!isFailure(error)) throw error;
    const [first, ...others] = error.errors;
    const more = others.length === 0 ? "" : `; and ${others.length} more`;
    throw new CommandError(`${mainFile} cannot be bundled: ${first === undefined ? error.message : lineOf(first, folder)}${more}`, {
      cause: error,
    });
  }
}

/** The oldest Node that a bundle runs on, as the packages say. */
const oldestNode = 24;

async function bundle({ folder, mainFile }: Pick<Project, "folder" | "mainFile">, plugins: Plugin[]): Promise<readonly string[]> {
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: [mainFile],
    outfile: "dist/main.js",
    bundle: true,
    platform: "node",
    target: `node${oldestNode}`,
    format: "esm",
    // Of packages that have both, the modules of which only what is used need be taken.
    mainFields: ["module", "main"],
    minifyWhitespace: true,
    minifySyntax: true,
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    legalComments: "linked",
    logLevel: "silent",
    // Of what is exported in several formats, that of which only what is used need be taken.
    conditions: ["module", ...resolveConditions()],
    banner: { js: `${requireForOlderModules}\n${refusalOfOlderNode}` },
    plugins,
  });
  // What a plugin made up is no file.
  return Object.keys(metafile.inputs)
    .filter((path) => !path.startsWith(`${madeUp}:`))
    .map((path) => join(folder, path));
}

/** Packages in the older module format call `require`, which does not exist in the newer one. */
const requireForOlderModules = `import { createRequire as kajiCreateRequire } from "node:module";
const require = kajiCreateRequire(import.meta.url);`;

/** In an image with an older Node the bundle would fail somewhere in the middle. Other runtimes call themselves a Node that says nothing of what they can do. */
const refusalOfOlderNode = `if (!process.versions.bun && !process.versions.deno && Number.parseInt(process.versions.node, 10) < ${oldestNode}) {
  console.error("this operator takes Node ${oldestNode} or newer, and this is " + process.versions.node);
  process.exit(1);
}`;

/** Packages are resolved as this process resolves them. */
function resolveConditions(): string[] {
  const prefix = "--conditions=";
  return process.execArgv.filter((word) => word.startsWith(prefix)).map((word) => word.slice(prefix.length));
}

function isFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && "errors" in error && Array.isArray(error.errors);
}

function lineOf({ text, location }: Message, folder: string): string {
  return location === null ? text : `${text} (${relative(folder, join(folder, location.file))}:${location.line})`;
}
