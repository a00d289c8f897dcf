import { later } from './call.ts'

/** Third-party traffic, sent to first-party sinks of the edge. */
const via = { via: 'sink' } as const
export const analyticsBatch = later('CALL-67', 'POST', '/t/analytics', 'web-backend', via)
export const analyticsRemoteConfig = later('CALL-68', 'GET', '/t/analytics/config', 'web-backend', via)
export const experimentVariants = later('CALL-69', 'GET', '/t/experiment/vardata', 'web-backend', via)
export const experimentFlags = later('CALL-70', 'GET', '/t/experiment/flags', 'web-backend', via)
export const errorReports = later('CALL-71', 'POST', '/t/errors', 'web-backend', via)
