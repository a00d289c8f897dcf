/** Rules of the device collector as pure functions. */
import { getCollectorOrigin, type CollectorPlace } from '../../../contract/telemetry/device-collector-origin.ts'

/** What the collector may look at, by group. */
const FLAGS = ['app', 'battery', 'browser', 'exp', 'page', 'ui'] as const
type Flag = (typeof FLAGS)[number]
export type Flags = Readonly<Record<Flag, boolean>>

/** What the collector's host answers, as it is used: how long it is good in ms, whether to collect, and what. */
export interface ServerConfig {
  readonly ttlMs: number
  readonly collect: boolean
  readonly flags: Flags
}

/** Where the host says nothing that can be used (OPEN-128). */
export const DEFAULT_CONFIG: ServerConfig = {
  ttlMs: 900_000,
  collect: true,
  flags: { app: true, battery: true, browser: true, exp: true, page: true, ui: true },
}

/** Whatever a host says: no run within a minute of the last, and none later than a day after it, ms. */
const TTL_MIN_MS = 60_000
export const TTL_MAX_MS = 24 * 3_600_000

/** What the page says of the collector. */
export interface PageConfig extends CollectorPlace {
  readonly clientID: string
  readonly isSinglePageApp: boolean
}

/** What a collector needs to run. */
export interface Ready {
  readonly clientID: string
  /** Origin of the collector's host. */
  readonly origin: string
  readonly isSinglePageApp: boolean
  readonly sessionID: string
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** What is needed to start, or in a sentence why the collector stays off. */
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

/** The host's answer; null where it is none: the flag to collect must be a boolean, and where it is on all of the others. */
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

/** The default for what is no number. A number is kept between a minute and a day, so that no answer makes a page ask without end. */
function timeToLive(ttlms: unknown): number {
  if (typeof ttlms !== 'number' || Number.isNaN(ttlms)) return DEFAULT_CONFIG.ttlMs
  return Math.min(Math.max(ttlms, TTL_MIN_MS), TTL_MAX_MS)
}

/** The groups that may be looked at, as the frame is told of them in the fragment of its address. */
export const formatGroups = (flags: Flags): string => FLAGS.filter((flag) => flags[flag]).join(',')

/** A message of the frame, from the collector's own origin; null for what anybody else says, or without `data` and `params`. */
export function frameMessage(message: { origin: string; data: unknown }, origin: string): string | null {
  const { data, params } = toDictionary(message.data)
  return message.origin === origin && isText(data) && typeof params === 'object' && params !== null ? data : null
}
