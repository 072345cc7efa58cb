import { readFile } from "node:fs/promises";
import { transform } from "esbuild";
import type { Plugin } from "esbuild";

/**
 * Shortens the names inside the functions of libraries: a tenth of an operator. Names of the operator and of kaji stay as they are, for stack traces; to shorten
 * them too and give functions their names back as they are made (esbuild's `keepNames`) costs each new closure a property, and an operator a tenth of its processor time.
 */
export const shortLibraryNames: Plugin = {
  name: "short-library-names",
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path }) => {
      if (isKaji(path)) return undefined;
      const text = await readFile(path, "utf8");
      const { code } = await transform(text, {
        minifyIdentifiers: true,
        sourcefile: path,
        sourcemap: "inline",
        sourcesContent: false,
        logLevel: "silent",
      });
      return { contents: code };
    });
  },
};

function isKaji(path: string): boolean {
  return /[\\/]node_modules[\\/]@?kaji[\\/](?!.*[\\/]node_modules[\\/])/.test(path);
}
