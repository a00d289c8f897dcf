/** Rules of the device collector as pure functions. */
import { getCollectorOrigin, type CollectorPlace } from '../../../contract/telemetry/device-collector-origin.ts'
import { HOUR_MS } from '../../../contract/time-units.ts'

/** Groups of facts that the collector may read. */
const FLAGS = ['app', 'battery', 'browser', 'exp', 'page', 'ui'] as const
type Flag = (typeof FLAGS)[number]
export type Flags = Readonly<Record<Flag, boolean>>

/** Configuration from the collector's host: time-to-live in ms, and the groups to collect, if any. */
export interface ServerConfig {
  readonly ttlMs: number
  readonly collect: boolean
  readonly flags: Flags
}

/** Configuration used if the host sends no usable one (OPEN-128). */
export const DEFAULT_CONFIG: ServerConfig = {
  ttlMs: 900_000,
  collect: true,
  flags: { app: true, battery: true, browser: true, exp: true, page: true, ui: true },
}

/** Limits for the host's time-to-live, ms: runs are at least a minute and at most a day apart. */
const TTL_MIN_MS = 60_000
export const TTL_MAX_MS = 24 * HOUR_MS

export interface PageConfig extends CollectorPlace {
  readonly clientID: string
  readonly isSinglePageApp: boolean
}

export interface Ready {
  readonly clientID: string
  readonly origin: string
  readonly isSinglePageApp: boolean
  readonly sessionID: string
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** Returns the values needed to start, or a sentence that says why the collector stays off. */
export function validateConfig(config: Partial<PageConfig> | null, sessionID: unknown): Ready | string {
  if (!config) return 'There is no configuration.'
  const { clientID, isSinglePageApp } = config
  if (!isText(clientID)) return 'The client has no name.'
  const origin = getCollectorOrigin(config)
  if (origin === null) return 'Neither a hostname nor an environment says where the collector is.'
  if (typeof isSinglePageApp !== 'boolean') return 'It is not said whether the page is left.'
  if (!isText(sessionID)) return 'There is no session.'
  return { clientID, origin, isSinglePageApp, sessionID }
}

type Dictionary = Readonly<Record<string, unknown>>
const toDictionary = (value: unknown): Dictionary =>
  typeof value === 'object' && value !== null ? (value as Dictionary) : {}

/**
 * Parses the host's configuration; null if invalid: `collect` must be a boolean and, if it is true, so must all flags.
 */
export function readServerConfig(answer: unknown): ServerConfig | null {
  const { ttlms, collection } = toDictionary(answer)
  const { collect, feature_flags } = toDictionary(collection)
  const ttlMs = timeToLive(ttlms)
  if (typeof collect !== 'boolean') return null
  if (!collect) return { ...DEFAULT_CONFIG, ttlMs, collect }
  const flags = toDictionary(feature_flags)
  if (!FLAGS.every((flag) => typeof flags[flag] === 'boolean')) return null
  return { ttlMs, collect, flags: flags as Flags }
}

/**
 * Returns the time-to-live in ms: the default if it is not a number, else limited to a minute to a day, so that no
 * response causes endless requests.
 */
function timeToLive(ttlms: unknown): number {
  if (typeof ttlms !== 'number' || Number.isNaN(ttlms)) return DEFAULT_CONFIG.ttlMs
  return Math.min(Math.max(ttlms, TTL_MIN_MS), TTL_MAX_MS)
}

/** Formats the allowed groups for the fragment of the frame's URL. */
export const formatGroups = (flags: Flags): string => FLAGS.filter((flag) => flags[flag]).join(',')

/**
 * Returns `data` of a message from the collector's origin; null for any other origin, or without `data` and `params`.
 */
export function frameMessage(message: { origin: string; data: unknown }, origin: string): string | null {
  const { data, params } = toDictionary(message.data)
  return message.origin === origin && isText(data) && typeof params === 'object' && params !== null ? data : null
}
