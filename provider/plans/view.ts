import type { Entitlement } from './entitlement.ts'

/** Cameras whose events are shown alike: those of `since` (ms UTC) or later, with `free` only such as every plan shows. */
export interface ViewPart {
  readonly devices: readonly string[]
  readonly since: number
  readonly free: boolean
}

/** What is shown of the events of some cameras; a camera in no part shows nothing. */
export type View = readonly ViewPart[]

const DAY_MS = 86_400_000

/** When what is kept for so many days begins, ms UTC. */
export const keptSince = (days: number, now: number) => now - days * DAY_MS

/** What these cameras show by what they are given. */
export function viewOf(given: ReadonlyMap<string, Entitlement>, now: number): View {
  const parts = Map.groupBy(given, ([, { plan, keepsDays }]) => `${keepsDays} ${plan === null}`)
  return [...parts.values()].map((alike) => ({
    devices: alike.map(([device]) => device),
    since: keptSince(alike[0]?.[1].keepsDays ?? 0, now),
    free: alike[0]?.[1].plan === null,
  }))
}

/** The same view of some of its cameras; `ids` empty: all. */
export function narrowed(view: View, ids: readonly string[]): View {
  if (ids.length === 0) return view
  const parts = view.map((part) => ({ ...part, devices: part.devices.filter((id) => ids.includes(id)) }))
  return parts.filter(({ devices }) => devices.length > 0)
}

export const camerasOf = (view: View): string[] => view.flatMap(({ devices }) => devices)

/** The earliest time of which a camera still shows anything, ms UTC. */
export const viewBegins = (view: View): number => Math.min(...view.map(({ since }) => since))

/** The parameter that `shownSql` reads. */
export const viewJson = (view: View): string =>
  JSON.stringify(view.map(({ devices, since, free }) => [devices, since, free ? 1 : 0]))

/**
 * SQL that is true for a row of `events` that the view shows; `param` is the place of `viewJson`, as `?4`. The unary plus keeps SQLite
 * on indexes by time or words: rows of several cameras come out sorted. Which parts there are stands in the text, since
 * what does not change from row to row is then read once.
 */
export function shownSql(view: View, param: string, table = 'events'): string {
  const parts = view.map(
    (_, i) => `(+${table}.device_id IN (SELECT value FROM json_each(${param}, '$[${i}][0]'))
      AND +${table}.event_ts >= json_extract(${param}, '$[${i}][1]') AND ${table}.free >= json_extract(${param}, '$[${i}][2]'))`,
  )
  return parts.length === 0 ? `json_array_length(${param}) > 0` : `(${parts.join(' OR ')})`
}
