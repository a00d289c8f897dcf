import { later } from './call.ts'

/** Calls of the device-fraud collector: they go from the browser to the collector's host (CALL-66), never through the gateway. */
const via = { via: 'collector' } as const
export const collectorConfig = later('CALL-59', 'GET', '/cs/config', 'web-backend', via)
export const generateCookie = later('CALL-60', 'GET', '/cs/generatecookie', 'web-backend', via)
export const storeCookie = later('CALL-61', 'POST', '/cs/storecookie', 'web-backend', via)
export const newSession = later('CALL-62', 'POST', '/session/{sessionId}', 'web-backend', via)
export const changedSession = later('CALL-63', 'POST', '/session/{sessionId}', 'web-backend', via)
export const logoFrame = later('CALL-64', 'GET', '/logo.htm', 'web-backend', via)
export const finish = later('CALL-65', 'POST', '/fin', 'web-backend', via)
