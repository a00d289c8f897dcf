import { getCollectorOrigin, type CollectorLocation } from '../../../contract/telemetry/device-collector-origin.ts'
import { HOUR_MS } from '../../../contract/time-units.ts'

const FACT_GROUPS = ['app', 'battery', 'browser', 'exp', 'page', 'ui'] as const
type FactGroup = (typeof FACT_GROUPS)[number]
export type FactGroupFlags = Readonly<Record<FactGroup, boolean>>

/**
 * Configuration from the collector's host. `ttlMs`: time from one run to the next. `collect`: false if the host wants
 * no data. `flags`: groups of facts that the collector may collect.
 */
export interface CollectorServerConfig {
  readonly ttlMs: number
  readonly collect: boolean
  readonly flags: FactGroupFlags
}

/** Configuration used if the host sends no usable one (OPEN-128). */
export const DEFAULT_CONFIG: CollectorServerConfig = {
  ttlMs: 900_000,
  collect: true,
  flags: { app: true, battery: true, browser: true, exp: true, page: true, ui: true },
}

/** Limits for the host's time-to-live, ms: runs are at least a minute and at most a day apart. */
const TTL_MIN_MS = 60_000
export const TTL_MAX_MS = 24 * HOUR_MS

export interface CollectorPageConfig extends CollectorLocation {
  readonly clientID: string
  readonly isSinglePageApp: boolean
}

export interface CollectorSettings {
  readonly clientID: string
  readonly origin: string
  readonly isSinglePageApp: boolean
  readonly sessionID: string
}

const isNonEmptyText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** Returns the values needed to start, or a sentence that says why the collector stays off. */
export function validateConfig(
  config: Partial<CollectorPageConfig> | null,
  sessionID: unknown,
): CollectorSettings | string {
  if (!config) return 'The configuration is missing.'
  const { clientID, isSinglePageApp } = config
  if (!isNonEmptyText(clientID)) return 'The client ID is missing.'
  const origin = getCollectorOrigin(config)
  if (origin === null) return 'The collector has neither a hostname nor an environment.'
  if (typeof isSinglePageApp !== 'boolean') return 'isSinglePageApp is missing.'
  if (!isNonEmptyText(sessionID)) return 'The session ID is missing.'
  return { clientID, origin, isSinglePageApp, sessionID }
}

type Dictionary = Readonly<Record<string, unknown>>
const toDictionary = (value: unknown): Dictionary =>
  typeof value === 'object' && value !== null ? (value as Dictionary) : {}

/**
 * Parses the host's configuration; null if invalid. `collect` must be a boolean; if it is true, all flags must be
 * booleans.
 */
export function parseServerConfig(response: unknown): CollectorServerConfig | null {
  const { ttlms, collection } = toDictionary(response)
  const { collect, feature_flags } = toDictionary(collection)
  const ttlMs = clampTimeToLive(ttlms)
  if (typeof collect !== 'boolean') return null
  if (!collect) return { ...DEFAULT_CONFIG, ttlMs, collect }
  const flags = toDictionary(feature_flags)
  if (!FACT_GROUPS.every((flag) => typeof flags[flag] === 'boolean')) return null
  return { ttlMs, collect, flags: flags as FactGroupFlags }
}

/**
 * Returns the time-to-live in ms, limited to between a minute and a day, so that no response causes endless requests.
 * Returns the default for a value that is not a number.
 */
function clampTimeToLive(ttlms: unknown): number {
  if (typeof ttlms !== 'number' || Number.isNaN(ttlms)) return DEFAULT_CONFIG.ttlMs
  return Math.min(Math.max(ttlms, TTL_MIN_MS), TTL_MAX_MS)
}

/** Formats the names of the allowed fact groups as a comma-separated list for the fragment of the frame's URL. */
export const formatGroups = (flags: FactGroupFlags): string => FACT_GROUPS.filter((flag) => flags[flag]).join(',')

/**
 * Returns the text `data` of a message from the collector's origin. Returns null if the message is from another origin,
 * if `data` is empty or not a text, or if `params` is not an object.
 */
export function readFrameMessage(message: { origin: string; data: unknown }, origin: string): string | null {
  const { data, params } = toDictionary(message.data)
  return message.origin === origin && isNonEmptyText(data) && typeof params === 'object' && params !== null
    ? data
    : null
}
