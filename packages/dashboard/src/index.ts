export { ListenError } from "./http/listen.ts";
export type { Limits } from "./model/limits.ts";
export { startDashboard } from "./start-dashboard.ts";
export type { Dashboard, DashboardOptions } from "./start-dashboard.ts";
