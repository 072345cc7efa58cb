export { portForward } from "./port-forward/port-forward.ts";
export type { ConnectPortOptions, PortForward, PortForwardOptions } from "./port-forward/port-forward.ts";
export type { LocalPort, LocalPortOptions } from "./port-forward/local-port.ts";
export { PortForwardError } from "./port-forward/port-forward-error.ts";
export type { PodPort } from "./port-forward/port-forward-error.ts";
export { PortResolutionError } from "./port-forward/resolve-port.ts";
export type { PortForwardTarget } from "./port-forward/resolve-port.ts";
