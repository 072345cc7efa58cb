import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

// Makes the bundle of `kaji up` from what has been compiled: the last step before the package is packed.
const compiled = new URL("../../dist/up/", import.meta.url);
const outdir = fileURLToPath(new URL("bundle", compiled));
await rm(outdir, { recursive: true, force: true });
await build({
  entryPoints: [fileURLToPath(new URL("run-up.js", compiled))],
  outdir,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node24",
  // Of packages that have both, the modules that can be split and shaken.
  mainFields: ["module", "main"],
  // Names stay, for stack traces.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: "linked",
  // What is CommonJS in a bundle of modules asks for Node's own modules with this.
  banner: { js: 'import { createRequire as kajiCreateRequire } from "node:module"; const require = kajiCreateRequire(import.meta.url);' },
});
