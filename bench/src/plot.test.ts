import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { writePlot } from "./plot.ts";

test("a plot has a bar for each subject of what is worth a picture, as long as its share of the largest", async () => {
  const folder = await mkdtemp(join(tmpdir(), "kaji-plot-"));
  try {
    const row = (work: string, subject: string, value: number) => ({ work, subject, value, unit: "s" });
    const rows = [row("sync", "kaji", 1), row("sync", "<peer>", 4), row("other", "kaji", 1)];
    await writePlot(join(folder, "plot.svg"), { rows, ratios: [], plotted: ["sync", "never measured"] });
    const svg = await readFile(join(folder, "plot.svg"), "utf8");
    assert.match(svg, /^<svg [^>]+>[\s\S]*<\/svg>\n$/);
    const widths = [...svg.matchAll(/<rect class="(\w+)"[^>]* width="([\d.]+)"/g)].map(([, kind, width]) => [kind, Number(width)]);
    assert.deepEqual(widths, [
      ["kaji", 115],
      ["other", 460],
    ]);
    assert.ok(svg.includes("&lt;peer>") && !svg.includes(">other<"));
  } finally {
    await rm(folder, { recursive: true });
  }
});
