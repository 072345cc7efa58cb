import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { build } from "esbuild";
import type { BuildFailure, Message, Plugin } from "esbuild";
import { CommandError } from "../command.ts";
import type { Project } from "../project/project.ts";
import { shortLibraryNames } from "./library-names.ts";
import { madeUp, mentionsLocales, withoutLocales } from "./zod-locales.ts";

/** Bundles what runs the operator into `dist/main.js`, and returns the files that went into it. */
export async function bundleOperator({ folder, mainFile }: Project): Promise<readonly string[]> {
  if (!existsSync(join(folder, mainFile))) {
    throw new CommandError(`${mainFile} does not exist; it runs the operator: await runOperator(operator)`);
  }
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

async function bundle({ folder, mainFile }: Pick<Project, "folder" | "mainFile">, plugins: Plugin[]): Promise<readonly string[]> {
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: [mainFile],
    outfile: "dist/main.js",
    bundle: true,
    platform: "node",
    target: "node24",
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
    // Packages in the older module format call `require`, which does not exist in the newer one.
    banner: {
      js: `import { createRequire as kajiCreateRequire } from "node:module";\nconst require = kajiCreateRequire(import.meta.url);`,
    },
    plugins,
  });
  // What a plugin made up is no file.
  return Object.keys(metafile.inputs)
    .filter((path) => !path.startsWith(`${madeUp}:`))
    .map((path) => join(folder, path));
}

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
