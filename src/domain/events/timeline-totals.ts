import type { TimelineRun, TimelineState } from '../../../contract/events/timeline.ts'
import type { Span } from '../time/date-range.ts'
import { roundedDurationLabel } from '../time/date-formats.ts'
import { cropSegments } from './timeline-viewport.ts'

/** Total time per camera state in a view, ms. */
export interface TimelineTotals {
  /** Length of the part of the view that is before now. */
  readonly passed: number
  /** Time in which the camera was on and its live stream was available. */
  readonly on: number
  readonly asleep: number
  readonly offline: number
  /** Time in which the bridge was off, so that no camera was reachable. */
  readonly boxOff: number
  readonly switchedOff: number
}

const TOTAL_OF_STATE: Readonly<Record<TimelineState, Exclude<keyof TimelineTotals, 'passed'> | null>> = {
  recorded: 'on',
  live_only: 'on',
  not_watched: 'on',
  not_indexed: 'on',
  not_kept: 'on',
  expired: 'on',
  freed: 'on',
  asleep: 'asleep',
  offline: 'offline',
  bridge_off: 'boxOff',
  switched_off: 'switchedOff',
  unknown: null,
}

/** Sums the gapless `segments` of one camera by state. Counts only the part of `view` before `now` (ms UTC). */
export function sumSegments(segments: readonly TimelineRun[], view: Span, now: number): TimelineTotals {
  const passed = { begin: view.begin, end: Math.min(view.end, now) }
  const sums = { passed: passed.end - passed.begin, on: 0, asleep: 0, offline: 0, boxOff: 0, switchedOff: 0 }
  for (const [from, to, state] of cropSegments(segments, passed)) {
    const name = TOTAL_OF_STATE[state]
    if (name) sums[name] += to - from
  }
  return sums
}

/** Minimum downtime that texts mention; shorter restarts go unreported. */
const MIN_REPORTED_MS = 2 * 60_000

/**
 * Formats the time that a camera was on: `23 h 34 min`. Returns `0 min` for less than two minutes, and the length of
 * the view if all other states take less than two minutes in total.
 */
export function formatOnTime({ passed, on }: TimelineTotals, { begin, end }: Span): string {
  if (on < MIN_REPORTED_MS) return '0 min'
  return roundedDurationLabel(passed - on < MIN_REPORTED_MS ? end - begin : on)
}

/** Describes the totals of a view: `On for 23 h 34 min, offline 26 min`. */
export function totalsText(sums: TimelineTotals, view: Span): string {
  const rest = [
    [sums.asleep, 'asleep'],
    [sums.offline, 'offline'],
    [sums.boxOff, 'hub off'],
    [sums.switchedOff, 'turned off'],
  ] as const
  const parts = rest.filter(([ms]) => ms >= MIN_REPORTED_MS).map(([ms, word]) => `${word} ${roundedDurationLabel(ms)}`)
  return [`Online for ${formatOnTime(sums, view)}`, ...parts].join(', ')
}

/**
 * Describes the downtime in a view: at most one sentence for the bridge and one for the offline cameras. Returns
 * `No cameras were offline` if no downtime reaches two minutes, and '' without cameras.
 */
export function gapsSentence(cameras: readonly { readonly name: string; readonly sums: TimelineTotals }[]): string {
  if (cameras.length === 0) return ''
  const bridgeOffMs = Math.max(...cameras.map(({ sums }) => sums.boxOff))
  const offlineCameras = cameras
    .filter(({ sums }) => sums.offline >= MIN_REPORTED_MS)
    .toSorted((a, b) => b.sums.offline - a.sums.offline)
    .map(({ name, sums }) => ({ name, time: roundedDurationLabel(sums.offline) }))
  const sentences = [
    bridgeOffMs >= MIN_REPORTED_MS && `The hub was off for ${roundedDurationLabel(bridgeOffMs)}`,
    offlineCameras[0] && offlineText(offlineCameras[0], offlineCameras.slice(1)),
  ].filter((sentence) => typeof sentence === 'string')
  return sentences.join('. ') || 'No cameras were offline'
}

interface OfflineCamera {
  readonly name: string
  readonly time: string
}

function offlineText(longest: OfflineCamera, others: readonly OfflineCamera[]): string {
  const [second] = others
  if (!second) return `${longest.name} was offline for ${longest.time}`
  if (others.length === 1) return `${longest.name} was offline for ${longest.time}, ${second.name} for ${second.time}`
  return `${others.length + 1} cameras were offline, ${longest.name} the longest (${longest.time})`
}
