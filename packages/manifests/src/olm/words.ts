/** A name as people write it: `web-sites` → `Web Sites`, `deploymentName` → `Deployment Name`. */
export function wordsOf(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[-_ ]+/)
    .filter((word) => word !== "");
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ");
}
