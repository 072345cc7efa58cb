import { bundlePackage, restorePackage } from "./bundle-package.ts";

// `prepack` and `postpack` of a package run this, in its folder.
const [work] = process.argv.slice(2);
switch (work) {
  case "bundle":
    await bundlePackage(process.cwd());
    break;
  case "restore":
    restorePackage(process.cwd());
    break;
  default:
    throw new Error("usage: bundle | restore");
}
