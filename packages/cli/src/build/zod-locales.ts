import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Plugin } from "esbuild";

/** Names what is not a file among what goes into a bundle. */
export const madeUp = "made-up";

/**
 * Leaves zod's translations out of a bundle, but for English, which it speaks by itself. They are a fifth of an operator, since zod has them all as `z.locales`, of which a
 * bundler cannot know that the operator does not ask for them; see `mentionsLocales`.
 */
export const withoutLocales: Plugin = {
  name: "without-locales",
  setup(bundler) {
    bundler.onResolve({ filter: /^\.\.\/locales\/index\.js$/ }, ({ importer, resolveDir }) => {
      return isZod(importer) ? { path: join(resolveDir, "../locales"), namespace: madeUp, sideEffects: false } : undefined;
    });
    bundler.onLoad({ filter: /.*/, namespace: madeUp }, ({ path }) => {
      return { contents: `export { default as en } from "./en.js";`, resolveDir: path };
    });
  },
};

/** Whether one of the files that went into a bundle, other than zod's own, has the word: then the operator may ask for a translation. */
export async function mentionsLocales(files: readonly string[]): Promise<boolean> {
  const others = files.filter((file) => !isZod(file) && /\.[cm]?[jt]sx?$/.test(file));
  const texts = await Promise.all(others.map((file) => readFile(file, "utf8")));
  return texts.some((text) => /\blocales\b/.test(text));
}

function isZod(file: string): boolean {
  return /[\\/]node_modules[\\/]zod[\\/]/.test(file);
}
