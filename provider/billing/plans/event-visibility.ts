import { resolveEntitlements, type Entitlement, type HomePlans } from './entitlements.ts'

/** Cameras whose events are shown alike: those of `since` (ms UTC) or later, with `free` only such as every plan shows. */
export interface ViewPart {
  readonly devices: readonly string[]
  readonly since: number
  readonly free: boolean
}

/** What is shown of the events of some cameras; a camera in no part shows nothing. */
export type EventVisibility = readonly ViewPart[]

/** Who asks a home, what those who own it have, and when (ms UTC). */
export interface HomeRequester {
  readonly userId: string
  readonly plans: HomePlans
  readonly now: number
}

const DAY_MS = 86_400_000

/** When what is kept for so many days begins, ms UTC. */
export const keptSince = (days: number, now: number) => now - days * DAY_MS

/** What cameras show by what they are given. */
export function toEventVisibility(entitlements: ReadonlyMap<string, Entitlement>, now: number): EventVisibility {
  const parts = Map.groupBy(entitlements, ([, { plan, keepsDays }]) => `${keepsDays} ${plan === null}`)
  return [...parts.values()].map((alike) => ({
    devices: alike.map(([device]) => device),
    since: keptSince(alike[0]?.[1].keepsDays ?? 0, now),
    free: alike[0]?.[1].plan === null,
  }))
}

/** What these cameras show; null, as for somebody who sees nothing, stays null. */
export function viewFor(
  { plans, now }: Omit<HomeRequester, 'userId'>,
  cameras: readonly string[] | null,
): EventVisibility | null {
  return cameras && toEventVisibility(resolveEntitlements(plans, cameras, now), now)
}

/** The same view of these of its cameras. */
export function limitVisibility(view: EventVisibility, ids: readonly string[]): EventVisibility {
  const parts = view.map((part) => ({ ...part, devices: part.devices.filter((id) => ids.includes(id)) }))
  return parts.filter(({ devices }) => devices.length > 0)
}

export const listVisibleCameras = (view: EventVisibility): string[] => view.flatMap(({ devices }) => devices)

/** The earliest time of which any of the cameras shows something, ms UTC. */
export const viewBegins = (view: EventVisibility): number => Math.min(...view.map(({ since }) => since))

/** The parameter that `shownSql` reads. */
export const viewJson = (view: EventVisibility): string =>
  JSON.stringify(view.map(({ devices, since, free }) => [devices, since, free ? 1 : 0]))

/**
 * SQL that is true for a row of `events` that the view shows; `param` is the place of `viewJson`, as `?4`. The unary pluses
 * keep SQLite on indexes by time or words: rows of several cameras come out sorted, nothing is sorted again. The parts are
 * spelt out, so that their lists are read once and not for each row.
 */
export function shownSql(view: EventVisibility, param: string): string {
  const parts = view.map(
    (_, i) => `(+events.device_id IN (SELECT value FROM json_each(${param}, '$[${i}][0]'))
      AND +events.event_ts >= json_extract(${param}, '$[${i}][1]') AND events.free >= json_extract(${param}, '$[${i}][2]'))`,
  )
  return parts.length === 0 ? `json_array_length(${param}) > 0` : `(${parts.join(' OR ')})`
}
