import { existsSync } from "node:fs";
import { join } from "node:path";
import { catalogFiles, catalogPath, packageOf, readCatalog, validateBundle, validateCatalog, withBundle } from "@kaji/manifests";
import type { OlmFinding } from "@kaji/manifests";
import { CommandError, UsageError } from "../command.ts";
import type { Command, OptionValues, Terminal } from "../command.ts";
import { readText } from "../read-text.ts";
import { bringFolder } from "../manifests/manifest-folder.ts";
import { imageOf } from "../image-option.ts";
import { isSet, oneOf, textOf } from "../option-values.ts";
import { bundleIn } from "./bundle-folder.ts";
import { requireSound } from "./olm-findings.ts";

/** `kaji catalog`: bundles in channels, from which the Operator Lifecycle Manager installs and upgrades. */
export const catalogCommand: Command = {
  help: `Usage: kaji catalog --image IMAGE [options]

Adds a bundle that kaji bundle has written to a file-based catalog: its package, its channels with the upgrades between versions, and what people see of it. Versions that are there
already stay; the same version again takes the place of what it was. Bundle and catalog are checked as the Operator Framework's own tools check them, and nothing is written that these
would refuse.

Options:
  --image IMAGE     where the bundle's image is, such as registry.example.com/bars-bundle:1.2.3
  --bundle FOLDER   the bundle (default bundle)
  --out FOLDER      the catalog, with a Dockerfile that makes an image of it (default catalog)
  --check           write nothing, and fail if the files in the folder differ
  --output FORMAT   text or json (default text)
  --verbose         show where an error comes from

Examples:
  kaji catalog --image registry.example.com/bars-bundle:1.2.3
  kaji catalog --image registry.example.com/bars-bundle:1.2.3 --out ../operators --check
`,
  options: {
    image: { type: "string" },
    bundle: { type: "string" },
    out: { type: "string" },
    check: { type: "boolean" },
    output: { type: "string" },
  },
  run: catalog,
};

async function catalog(values: OptionValues, terminal: Terminal): Promise<void> {
  const output = oneOf(values, "output", ["text", "json"]);
  const image = await imageOf(values);
  if (image === undefined)
    throw new UsageError("--image must say where the bundle's image is, such as registry.example.com/bars-bundle:1.2.3");
  const folder = textOf(values, "out", "catalog");
  const bundleFolder = textOf(values, "bundle", "bundle");
  const bundle = bundleIn(bundleFolder);
  if (bundle.size === 0) throw new CommandError(`there is no bundle in ${bundleFolder}; kaji bundle writes one`);
  requireSound(validateBundle(bundle), "the bundle", terminal);
  const path = join(folder, catalogPath(packageOf(bundle)));
  const broken: OlmFinding[] = [];
  const present = existsSync(path) ? readCatalog(readText(path), path, broken) : [];
  const grown = withBundle(present, bundle, image);
  requireSound([...broken, ...validateCatalog(grown)], "the catalog", terminal);
  const files = catalogFiles(grown);
  bringFolder(folder, files, { terminal, output, isCheck: isSet(values, "check"), source: "bundle" });
}
