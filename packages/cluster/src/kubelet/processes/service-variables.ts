import type { Service } from "@kaji/types/core/v1";

/** The variables by which processes are told of services that have an address, as links of Docker once were. */
export function serviceVariables(services: readonly Service[]): ReadonlyMap<string, string> {
  return new Map(services.flatMap(variablesOf));
}

function variablesOf({ metadata, spec }: Service): readonly (readonly [string, string])[] {
  const { clusterIP = "None", ports = [] } = spec ?? {};
  const [first] = ports;
  if (clusterIP === "None" || clusterIP === "" || first === undefined) return [];
  const prefix = variableName(metadata.name);
  const host = clusterIP.includes(":") ? `[${clusterIP}]` : clusterIP;
  const named = ports.flatMap(({ name, port }) =>
    name === undefined ? [] : [[`${prefix}_SERVICE_PORT_${variableName(name)}`, String(port)] as const],
  );
  const links = ports.flatMap(({ port, protocol = "TCP" }) => {
    const link = `${prefix}_PORT_${port}_${protocol}`;
    const scheme = protocol.toLowerCase();
    return [
      [link, `${scheme}://${host}:${port}`],
      [`${link}_PROTO`, scheme],
      [`${link}_PORT`, String(port)],
      [`${link}_ADDR`, clusterIP],
    ] as const;
  });
  return [
    [`${prefix}_SERVICE_HOST`, clusterIP],
    [`${prefix}_SERVICE_PORT`, String(first.port)],
    ...named,
    [`${prefix}_PORT`, `${(first.protocol ?? "TCP").toLowerCase()}://${host}:${first.port}`],
    ...links,
  ];
}

function variableName(name: string): string {
  return name.toUpperCase().replaceAll("-", "_");
}
