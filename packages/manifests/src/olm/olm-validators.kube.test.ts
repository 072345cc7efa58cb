import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { ManifestFiles } from "../manifest-files.ts";
import { calledOperator } from "../testing/bar-operator.ts";
import { brokenBundles, soundBundle } from "../testing/broken-bundle.ts";
import { catalogFiles, withBundle } from "./catalog.ts";
import type { CatalogBlobs } from "./catalog.ts";
import { olmBundle } from "./olm-bundle.ts";
import { validateBundle } from "./validate-bundle.ts";
import { validateCatalog } from "./validate-catalog.ts";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "kaji-olm-"));
let validator = "";

before(async () => {
  const cwd = fileURLToPath(new URL("../../../../test/packaging/", import.meta.url));
  const { stdout } = await run("go", ["tool", "-n", "olm-validate"], { cwd, env: { ...process.env, CGO_ENABLED: "0", GOWORK: "off" } });
  validator = stdout.trim();
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** What the Operator Framework's own code has against the files. */
async function official(
  what: "bundle" | "catalog",
  files: ManifestFiles,
): Promise<readonly { readonly level: string; readonly detail: string }[]> {
  const place = mkdtempSync(join(folder, "files-"));
  for (const [path, text] of files) {
    mkdirSync(dirname(join(place, path)), { recursive: true });
    writeFileSync(join(place, path), text);
  }
  const { stdout } = await run(validator, [what, what === "catalog" ? join(place, "configs") : place]);
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

const levels = (findings: readonly { readonly level: string }[]): readonly string[] =>
  [...new Set(findings.map(({ level }) => level))].sort();

test("the official validators have nothing against a bundle", async () => {
  assert.deepEqual(await official("bundle", soundBundle), []);
});

test("on whatever is wrong with a bundle, our validation and the official validators agree", async () => {
  for (const [name, files] of brokenBundles) {
    const [ours, theirs] = [validateBundle(files), await official("bundle", files)];
    assert.deepEqual(levels(ours), levels(theirs), `${name}: we say ${JSON.stringify(ours)}, they say ${JSON.stringify(theirs)}`);
  }
});

const bundleOf = (version: string, replaces?: string, skips?: readonly string[]): ManifestFiles =>
  olmBundle(calledOperator, { version, replaces, skips });

const catalogs: Readonly<Record<string, CatalogBlobs>> = {
  "one version": add([], bundleOf("1.0.0")),
  "an upgrade": add(add([], bundleOf("1.0.0")), bundleOf("1.1.0", "1.0.0")),
  "an upgrade of what is not there": add([], bundleOf("1.1.0", "1.0.0")),
  "a version that is skipped": add(add(add([], bundleOf("1.0.0")), bundleOf("1.1.0", "1.0.0")), bundleOf("1.2.0", "1.0.0", ["1.1.0"])),
  "two newest versions": add(add([], bundleOf("1.0.0")), bundleOf("1.1.0")),
  "a ring": add(add(add([], bundleOf("1.0.0", "1.1.0")), bundleOf("1.1.0", "1.0.0")), bundleOf("1.2.0", "1.1.0")),
  "no newest version": add(add([], bundleOf("1.0.0", "1.1.0")), bundleOf("1.1.0", "1.0.0")),
  "a stranded version": add(add(add([], bundleOf("1.0.0")), bundleOf("1.1.0", "1.0.0")), bundleOf("1.2.0", "9.9.9", ["1.1.0"])),
  "no default channel": changed("olm.package", { defaultChannel: "" }),
  "a default channel that is none": changed("olm.package", { defaultChannel: "slow" }),
  "a package with a strange name": changed("olm.package", { name: "Bars" }),
  "a channel of another package": changed("olm.channel", { package: "other" }),
  "a channel without versions": changed("olm.channel", { entries: [] }),
  "a version without a bundle": changed("olm.channel", {
    entries: [{ name: "bars.v1.0.0" }, { name: "bars.v1.1.0", replaces: "bars.v1.0.0" }],
  }),
  "a bundle in no channel": changed("olm.channel", { entries: [{ name: "bars.v9.0.0" }] }),
  "a bundle without a version": changed("olm.bundle", { properties: [] }),
  "a bundle without an image": changed("olm.bundle", { image: "" }),
  "a bundle with a strange image": changed("olm.bundle", { image: "Bars:1" }),
};

test("on catalogs, our validation and opm's own code agree", async () => {
  for (const [name, catalog] of Object.entries(catalogs)) {
    const [ours, theirs] = [validateCatalog(catalog), await official("catalog", catalogFiles(catalog))];
    assert.deepEqual(levels(ours), levels(theirs), `${name}: we say ${JSON.stringify(ours)}, they say ${JSON.stringify(theirs)}`);
  }
});

function add(catalog: CatalogBlobs, files: ManifestFiles): CatalogBlobs {
  return withBundle(catalog, files, "registry.example.com/bars-bundle:1");
}

function changed(schema: string, change: CatalogBlobs[number]): CatalogBlobs {
  return add([], bundleOf("1.0.0")).map((blob) => (blob["schema"] === schema ? { ...blob, ...change } : blob));
}
