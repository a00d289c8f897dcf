import { resolveEntitlements, type Entitlement, type HomePlans } from './entitlements.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

/**
 * Cameras whose events are visible from `since` (ms UTC) on. `free`: true if only kinds of events that every plan shows
 * are visible.
 */
export interface ViewPart {
  readonly devices: readonly string[]
  readonly since: number
  readonly free: boolean
}

/** Defines which events of a home are visible. No events are visible for a camera that is in no part. */
export type EventVisibility = readonly ViewPart[]

/** Account that queries a home, plans of the home's owners, and time (ms UTC). */
export interface HomeRequester {
  readonly userId: string
  readonly plans: HomePlans
  readonly now: number
}

/** Start of a retention period that ends now, ms UTC. */
export const keptSince = (days: number, now: number) => now - days * DAY_MS

export function toEventVisibility(entitlements: ReadonlyMap<string, Entitlement>, now: number): EventVisibility {
  const parts = Map.groupBy(entitlements, ([, { plan, keepsDays }]) => `${keepsDays} ${plan === null}`)
  return [...parts.values()].map((alike) => ({
    devices: alike.map(([device]) => device),
    since: keptSince(alike[0]?.[1].keepsDays ?? 0, now),
    free: alike[0]?.[1].plan === null,
  }))
}

/**
 * Returns the visibility of events of these cameras. `cameras` is null for an account without access; the result is
 * then null.
 */
export function viewFor(
  { plans, now }: Omit<HomeRequester, 'userId'>,
  cameras: readonly string[] | null,
): EventVisibility | null {
  return cameras && toEventVisibility(resolveEntitlements(plans, cameras, now), now)
}

export function limitVisibility(view: EventVisibility, ids: readonly string[]): EventVisibility {
  const parts = view.map((part) => ({ ...part, devices: part.devices.filter((id) => ids.includes(id)) }))
  return parts.filter(({ devices }) => devices.length > 0)
}

export const listVisibleCameras = (view: EventVisibility): string[] => view.flatMap(({ devices }) => devices)

/** Returns the earliest time from which events of any of the cameras are visible, ms UTC. */
export const viewBegins = (view: EventVisibility): number => Math.min(...view.map(({ since }) => since))

/** Serializes the visibility as the SQL parameter that `shownSql` reads. */
export const viewJson = (view: EventVisibility): string =>
  JSON.stringify(view.map(({ devices, since, free }) => [devices, since, free ? 1 : 0]))

/**
 * Returns an SQL condition that is true for visible rows of `events`. `param`: placeholder for the value of `viewJson`,
 * such as `?4`. The unary pluses make SQLite use the indexes by time or words, so that rows of several cameras need no
 * sort. Each part is written out, so that its list is parsed once and not per row.
 */
export function shownSql(view: EventVisibility, param: string): string {
  const parts = view.map(
    (_, i) => `(+events.device_id IN (SELECT value FROM json_each(${param}, '$[${i}][0]'))
      AND +events.event_ts >= json_extract(${param}, '$[${i}][1]') AND events.free >= json_extract(${param}, '$[${i}][2]'))`,
  )
  return parts.length === 0 ? `json_array_length(${param}) > 0` : `(${parts.join(' OR ')})`
}
