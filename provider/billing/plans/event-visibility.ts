import { resolveEntitlements, type Entitlement, type HomePlans } from './entitlements.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

/**
 * Cameras whose events are visible from `since` (ms UTC). If `free` is true, only event types that every plan shows are
 * visible.
 */
export interface VisibilityPart {
  readonly devices: readonly string[]
  readonly since: number
  readonly free: boolean
}

/** Visible events of a home, as one or more parts. Events of a camera that is in no part are hidden. */
export type EventVisibility = readonly VisibilityPart[]

/** Account that queries a home, the plans of the home's owners, and the time of the query (ms UTC). */
export interface HomeRequester {
  readonly userId: string
  readonly plans: HomePlans
  readonly now: number
}

/** Returns the start of a retention period that ends at `now`, ms UTC. */
export const getRetentionStart = (days: number, now: number) => now - days * DAY_MS

export function toEventVisibility(entitlements: ReadonlyMap<string, Entitlement>, now: number): EventVisibility {
  const parts = Map.groupBy(entitlements, ([, { plan, keepsDays }]) => `${keepsDays} ${plan === null}`)
  return [...parts.values()].map((alike) => ({
    devices: alike.map(([device]) => device),
    since: getRetentionStart(alike[0]?.[1].keepsDays ?? 0, now),
    free: alike[0]?.[1].plan === null,
  }))
}

/** Returns the visibility of events of these cameras; null if `cameras` is null because the account has no access. */
export function getEventVisibility(
  { plans, now }: Omit<HomeRequester, 'userId'>,
  cameras: readonly string[] | null,
): EventVisibility | null {
  return cameras && toEventVisibility(resolveEntitlements(plans, cameras, now), now)
}

export function limitVisibility(visibility: EventVisibility, ids: readonly string[]): EventVisibility {
  const parts = visibility.map((part) => ({ ...part, devices: part.devices.filter((id) => ids.includes(id)) }))
  return parts.filter(({ devices }) => devices.length > 0)
}

export const listVisibleCameras = (visibility: EventVisibility): string[] =>
  visibility.flatMap(({ devices }) => devices)

/** Returns the earliest time from which events of any of the cameras are visible, ms UTC; Infinity without cameras. */
export const getVisibilityStart = (visibility: EventVisibility): number =>
  Math.min(...visibility.map(({ since }) => since))

/** Serializes the visibility as the SQL parameter that `buildVisibleEventsSql` reads. */
export const serializeVisibility = (visibility: EventVisibility): string =>
  JSON.stringify(visibility.map(({ devices, since, free }) => [devices, since, free ? 1 : 0]))

/**
 * Returns an SQL condition for visible rows of `events`. `param`: placeholder of the `serializeVisibility` value. The
 * unary pluses keep SQLite from using an index for this condition, so that it uses the index of the other conditions.
 */
export function buildVisibleEventsSql(visibility: EventVisibility, param: string): string {
  const parts = visibility.map(
    (_, i) => `(+events.device_id IN (SELECT value FROM json_each(${param}, '$[${i}][0]'))
      AND +events.event_ts >= json_extract(${param}, '$[${i}][1]') AND events.free >= json_extract(${param}, '$[${i}][2]'))`,
  )
  return parts.length === 0 ? `json_array_length(${param}) > 0` : `(${parts.join(' OR ')})`
}
