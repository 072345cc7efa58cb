import { arrayAt, textAt, valueAt } from "@kaji/core";
import type { JsonObject } from "@kaji/core";
import type { OlmFinding } from "./olm-finding.ts";
import { isSemver } from "./semver.ts";

const mediaTypes = new Set(["image/gif", "image/jpeg", "image/png", "image/svg+xml"]);
const capabilityLevels = new Set(["Basic Install", "Seamless Upgrades", "Full Lifecycle", "Deep Insights", "Auto Pilot"]);

const categories = new Set([
  "AI/Machine Learning",
  "Application Runtime",
  "Big Data",
  "Cloud Provider",
  "Developer Tools",
  "Database",
  "Integration & Delivery",
  "Logging & Tracing",
  "Monitoring",
  "Modernization & Migration",
  "Networking",
  "OpenShift Optional",
  "Security",
  "Storage",
  "Streaming & Messaging",
  "Observability",
]);

/** What a hub that lists operators for people has against a ClusterServiceVersion. */
export function hubFindings(object: JsonObject): readonly (Pick<OlmFinding, "level" | "text"> & { readonly field: string })[] {
  const findings: ReturnType<typeof hubFindings>[number][] = [];
  const refuse = (field: string, text: string): void => void findings.push({ level: "Error", field, text });
  if (textAt(object, "spec", "provider", "name").trim() === "") refuse("spec.provider.name", "must be set");
  if (!isSemver(textAt(object, "spec", "version"))) refuse("spec.version", "must be a version such as 1.2.3");
  for (const [index, maintainer] of arrayAt(object, "spec", "maintainers").entries()) {
    const [name, email] = [textAt(maintainer, "name"), textAt(maintainer, "email")];
    if (name === "" || !/^[^@\s]+@[^@\s]+$/.test(email)) refuse(`spec.maintainers[${index}]`, "must have a name and an email address");
  }
  for (const [index, link] of arrayAt(object, "spec", "links").entries()) {
    if (textAt(link, "name") === "" || !URL.canParse(textAt(link, "url"))) refuse(`spec.links[${index}]`, "must have a name and a URL");
  }
  const icons = arrayAt(object, "spec", "icon");
  if (icons.length === 0) findings.push({ level: "Warning", field: "spec.icon", text: "is not there" });
  if (icons.length > 1) refuse("spec.icon", "must be one");
  for (const icon of icons) {
    const mediaType = textAt(icon, "mediatype");
    if (textAt(icon, "base64data") === "") refuse("spec.icon.base64data", "must be set");
    if (!mediaTypes.has(mediaType))
      refuse("spec.icon.mediatype", `must be ${[...mediaTypes].join(" or ")}, not ${JSON.stringify(mediaType)}`);
  }
  const level = valueAt(object, "metadata", "annotations", "capabilities");
  if (typeof level === "string" && !capabilityLevels.has(level)) {
    refuse("metadata.annotations.capabilities", `must be ${[...capabilityLevels].join(" or ")}, not ${JSON.stringify(level)}`);
  }
  const listed = valueAt(object, "metadata", "annotations", "categories");
  const strange = typeof listed === "string" ? listed.split(",").find((each) => !categories.has(each.trim())) : undefined;
  if (strange !== undefined)
    refuse("metadata.annotations.categories", `${JSON.stringify(strange)} is none of ${[...categories].join(", ")}`);
  return findings;
}
