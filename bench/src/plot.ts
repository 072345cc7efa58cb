import { writeFile } from "node:fs/promises";
import type { Report, Row } from "./report.ts";

const width = 760;
const barHeight = 22;
const labelWidth = 170;
const valueWidth = 130;

/** Draws the figures that a report wants drawn, as an SVG: for each work a bar for each subject, kaji's in another colour. */
export async function writePlot(file: string, { rows, plotted = [] }: Report): Promise<void> {
  const panels = plotted.map((work) => rows.filter((row) => row.work === work)).filter((panel) => panel.length > 0);
  let top = 10;
  const drawn = panels.map((panel) => {
    const text = drawPanel(panel, top);
    top += 34 + panel.length * (barHeight + 4) + 14;
    return text;
  });
  const style = "text{font:13px sans-serif;fill:#24292f}.title{font-weight:bold}.other{fill:#9aa4b1}.kaji{fill:#1f6feb}";
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${top}" viewBox="0 0 ${width} ${top}">`,
    `<style>${style}</style>`,
    `<rect width="100%" height="100%" fill="#ffffff"/>`,
    ...drawn,
    "</svg>",
  ];
  await writeFile(file, `${lines.join("\n")}\n`);
}

function drawPanel(panel: readonly Row[], top: number): string {
  const largest = Math.max(...panel.map(({ value }) => value));
  const room = width - labelWidth - valueWidth;
  const bars = panel.map(({ subject, value, unit }, index) => {
    const y = top + 30 + index * (barHeight + 4);
    const length = largest > 0 ? Math.max(1, (value / largest) * room) : 1;
    const textY = y + 16;
    return [
      `<text x="${labelWidth - 8}" y="${textY}" text-anchor="end">${escapeText(subject)}</text>`,
      `<rect class="${subject === "kaji" ? "kaji" : "other"}" x="${labelWidth}" y="${y}" width="${length.toFixed(1)}" height="${barHeight}"/>`,
      `<text x="${(labelWidth + length + 6).toFixed(1)}" y="${textY}">${escapeText(`${shortNumber(value)} ${unit}`)}</text>`,
    ].join("\n");
  });
  return [`<text class="title" x="10" y="${top + 16}">${escapeText(panel[0]?.work ?? "")}</text>`, ...bars].join("\n");
}

function shortNumber(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en-US") : String(Number(value.toPrecision(3)));
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
