/** All samples of one name, as Prometheus reads them. */
export interface MetricFamily {
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  /** Whole lines, such as `name{label="value"} 1`. */
  readonly samples: readonly string[];
}

/** The labels of a sample: `{a="1",b="2"}`, or nothing. */
export function labelsText(labels: Readonly<Record<string, string>>): string {
  const named = Object.entries(labels).map(([label, text]) => `${label}="${text.replaceAll(/[\\"\n]/g, escaped)}"`);
  return named.length === 0 ? "" : `{${named.join(",")}}`;
}

function escaped(character: string): string {
  return character === "\n" ? "\\n" : `\\${character}`;
}

/** Families in the text form of Prometheus. */
export function metricsText(families: readonly MetricFamily[]): string {
  return families
    .map(({ name, type, help, samples }) => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples, ""].join("\n"))
    .join("");
}
