import type { CameraStorage, HomeStorage, StorageDeletion } from '../../../contract/cameras/storage-calls.ts'
import { DAY_MS } from '../../../contract/time-units.ts'
import { shortDayLabel } from '../time/date-formats.ts'
import { formatBytes, formatClipCount, formatCount, formatDayCount } from './counts.ts'

/** Describes the stored clips of a camera: `12.4 GB in 120 clips. About 1.2 GB per day. Room for about 45 days.` */
export const usageText = (camera: CameraStorage): string =>
  camera.clips === 0
    ? 'No space used yet.'
    : `${formatBytes(camera.bytes)} in ${formatClipCount(camera.clips)}. ${roomText(camera)}`

/** Days for which the camera keeps clips if they fit: the limit of the owner, at most those of the plan. */
const getKeptDays = ({ plan_days, max_days }: Pick<CameraStorage, 'plan_days' | 'max_days'>): number =>
  Math.min(plan_days, max_days ?? plan_days)

/**
 * Returns how many days of clips fit: `About 1.2 GB per day. Room for about 45 days.` If fewer days fit than the camera
 * keeps, also says that the oldest clips are deleted first.
 */
function roomText(camera: CameraStorage): string {
  const { bytes_per_day: bytesPerDay, fits_days: days } = camera
  if (bytesPerDay === null) return 'The space per day appears after the first full day of recording.'
  if (bytesPerDay === 0) return 'No clips in the last full days.'
  const rate = `About ${formatBytes(bytesPerDay)} per day.`
  if (days === null) return rate
  const room = days === 0 ? 'Room for less than a day.' : `Room for about ${formatDayCount(days)}.`
  if (days >= getKeptDays(camera)) return `${rate} ${room}`
  return `${rate} ${room} After that, the oldest clips are deleted, although the camera keeps ${formatDayCount(getKeptDays(camera))}.`
}

/** Returns what new limits delete and when. */
export function deletionText({ events, bytes, from, until }: StorageDeletion, now: number): string {
  const span = from === null || until === null ? '' : ` from ${daySpanText(from, until, now)}`
  const clips = bytes === 0 ? '' : ` with ${formatBytes(bytes)} of clips`
  return `This deletes ${formatCount(events, 'event')}${clips}${span}. Deletion starts immediately and can’t be undone.`
}

function daySpanText(from: number, until: number, now: number): string {
  const [first, last] = [shortDayLabel(from, now), shortDayLabel(until, now)]
  if (first === last) return first
  return `${first} to ${last} (${formatDayCount(Math.ceil((until - from) / DAY_MS))})`
}

/** Returns the state of the disk at home: what is free, and whether old clips have to make room. */
export function diskText({ disk, room_bytes: room }: Pick<HomeStorage, 'disk' | 'room_bytes'>): string {
  if (!disk && room === 0) return 'The storage limit is reached, so the oldest clips are deleted first.'
  if (!disk) return room === null ? '' : `Clips can use ${formatBytes(room)} more.`
  const free = `${formatBytes(disk.free_bytes)} are free on the disk that stores clips`
  const reserve = formatBytes(disk.reserve_bytes)
  if (disk.free_bytes < disk.reserve_bytes)
    return `Only ${free}. To keep ${reserve} free, the oldest clips are deleted first. Free up disk space to keep clips longer.`
  return `${free}. Clips can use ${formatBytes(room ?? 0)} of it.`
}

/** Error of a limit that was typed; '' if it is valid or empty. */
export function limitError(typed: string, max: number, unit: 'GB' | 'days', plan: number): string {
  const text = typed.trim()
  if (text === '') return ''
  const value = /^\d{1,7}$/.test(text) ? Number(text) : 0
  if (value >= 1 && value <= max) return ''
  if (unit === 'days' && value > max)
    return `This camera’s plan keeps ${formatDayCount(plan)}. Enter ${max} or less, or leave the field empty.`
  return `Enter a whole number from 1 to ${max.toLocaleString('en-US')}, or leave the field empty.`
}

/** Returns the limits of a camera: `Keeps at most 20 GB and 7 days.` */
export function limitsText({ max_bytes, max_days, plan_days }: CameraStorage): string {
  const days = formatDayCount(Math.min(max_days ?? plan_days, plan_days))
  const size = max_bytes === null ? '' : `${formatBytes(max_bytes)} and `
  return max_days === null && max_bytes === null ? `Keeps ${days}, like its plan.` : `Keeps at most ${size}${days}.`
}
