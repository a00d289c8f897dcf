import { formatDayCount } from './counts.ts'
import { DAY_MS } from '../../../contract/time-units.ts'
import { formatClock, shortDayLabel } from '../time/date-formats.ts'
import type { Span } from '../time/date-range.ts'

/** Retention period; events before `keptSince` (ms UTC) are hidden. */
export interface RetentionPeriod {
  readonly days: number
  readonly keptSince: number
}

/** Retention of the account's own plan, and of the camera owner's plan for each camera that the user can see. */
export interface RetentionByCamera {
  readonly own: RetentionPeriod
  readonly cameras: readonly CameraRetention[]
}

export interface CameraRetention extends RetentionPeriod {
  readonly deviceId: string
  /** Clips before this time (ms UTC) were deleted to free up space; null: none. */
  readonly freedUntil: number | null
  /** Limit in days that the owner set for the camera; null: none. */
  readonly maxDays: number | null
}

export interface RetentionNoticeText {
  readonly text: string
  /**
   * True if the shortest retention period of the selected cameras equals that of the account's own plan, so that an
   * upgrade may keep more.
   */
  readonly isOwnPlan: boolean
  /** True if all chosen days are outside the longest retention period of the selected cameras. */
  readonly isAllHidden: boolean
}

const selectCameras = (cameras: readonly CameraRetention[], chosen: readonly string[]) =>
  cameras.filter(({ deviceId }) => chosen.length === 0 || chosen.includes(deviceId))

export interface EarlyDeletionText {
  readonly text: string
  /** Cameras whose clips were deleted before their plans required it. */
  readonly deviceIds: readonly string[]
  /** True if clips from all chosen days were deleted for all selected cameras. */
  readonly isAllDeleted: boolean
}

/**
 * Returns the notice that clips from some of the days were deleted earlier than the plan requires: to free up space, or
 * by the owner's limit in days. Returns null if there are none. `now`: ms UTC.
 */
export function earlyDeletionText(
  { cameras }: RetentionByCamera,
  days: Span,
  chosen: readonly string[],
  now: number,
): EarlyDeletionText | null {
  const selected = selectCameras(cameras, chosen)
  const getStart = ({ maxDays, keptSince }: CameraRetention) =>
    maxDays === null ? keptSince : Math.max(keptSince, now - maxDays * DAY_MS)
  const freed = selected.filter((camera) => (camera.freedUntil ?? 0) > Math.max(getStart(camera), days.begin))
  const aged = selected.filter((camera) => getStart(camera) > Math.max(camera.keptSince, days.begin))
  if (freed.length + aged.length === 0) return null
  const freedUntil = Math.max(...freed.map((camera) => camera.freedUntil ?? 0))
  const subject = selected.length === 1 ? 'Clips' : 'Some clips'
  const sentences = [
    freed.length > 0 &&
      `${subject} before ${shortDayLabel(freedUntil, now)}, ${formatClock(freedUntil)}, were deleted to free up space.`,
    aged.length > 0 && agedSentence(aged, selected.length === 1),
  ]
  return {
    text: sentences.filter(Boolean).join(' '),
    deviceIds: [...new Set([...freed, ...aged].map(({ deviceId }) => deviceId))],
    isAllDeleted: selected.every((camera) => days.end < Math.max(getStart(camera), camera.freedUntil ?? 0)),
  }
}

function agedSentence(cameras: readonly CameraRetention[], isOnly: boolean): string {
  const days = Math.min(...cameras.map(({ maxDays }) => maxDays ?? Infinity))
  if (isOnly) return `This camera’s storage settings keep ${formatDayCount(days)} of clips. Older clips were deleted.`
  return `Storage settings keep ${formatDayCount(days)} of clips from some cameras. Older clips were deleted.`
}

/**
 * Returns the notice if some of the days are outside the shortest retention period of the selected cameras, else null.
 * `chosen`: ids of the selected cameras, empty for all (OPEN-67).
 */
export function retentionText(
  { own, cameras }: RetentionByCamera,
  days: Span,
  chosen: readonly string[],
): RetentionNoticeText | null {
  const selectedPeriods: readonly RetentionPeriod[] = selectCameras(cameras, chosen)
  const sorted = (selectedPeriods.length > 0 ? selectedPeriods : [own]).toSorted((a, b) => a.days - b.days)
  const [shortest = own, longest = own] = [sorted[0], sorted.at(-1)]
  if (days.begin >= shortest.keptSince) return null
  const isOwnPlan = shortest.days === own.days
  return {
    text: `${retentionSentence(shortest.days, longest.days, isOwnPlan)} Older events are hidden.`,
    isOwnPlan,
    isAllHidden: days.end < longest.keptSince,
  }
}

function retentionSentence(minDays: number, maxDays: number, isOwnPlan: boolean): string {
  if (minDays < maxDays)
    return `Some cameras keep ${formatDayCount(minDays)} of events, others up to ${formatDayCount(maxDays)}.`
  return `${isOwnPlan ? 'Your plan' : 'The owner’s plan'} keeps ${formatDayCount(minDays)} of events.`
}
