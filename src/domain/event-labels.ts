import type { Event } from '../../contract/events.ts'
import { addDays, type Day, dayOf, formatTime, isSameDay, isSameMonth, isSameYear, timeOf } from './local-time.ts'

/** `0:18`, `12:05`, `1:00:00` of a length in ms; begun seconds count from half. */
export function durationLabel(ms: number): string {
  const total = Math.round(ms / 1000)
  const seconds = String(total % 60).padStart(2, '0')
  const minutes = Math.floor(total / 60) % 60
  const hours = Math.floor(total / 3600)
  return hours === 0 ? `${minutes}:${seconds}` : `${hours}:${String(minutes).padStart(2, '0')}:${seconds}`
}

/** `09:41:07` in the browser's zone. */
export function timeLabel(time: number): string {
  return formatTime(time, 'HH:mm:ss')
}

/** `Today` and `Yesterday` as `name`, else the weekday; `date` is the rest: `Friday 20 November`, `17 November`. */
export function dayLabel(day: Day, now: number): { name: string; date: string } {
  const time = timeOf(day)
  const date = formatTime(time, 'dddd D MMMM')
  if (isSameDay(time, now)) return { name: 'Today', date }
  if (isSameDay(time, addDays(now, -1))) return { name: 'Yesterday', date }
  return {
    name: formatTime(time, 'dddd'),
    date: formatTime(time, isSameYear(time, now) ? 'D MMMM' : 'D MMMM YYYY'),
  }
}

/** `today 09:41:07 – 09:41:25`, `Thursday 19 November 21:41:13` when nothing was recorded. */
export function whenLabel(begin: number, end: number | null, now: number): string {
  const { name, date } = dayLabel(dayOf(begin), now)
  const day = name === 'Today' || name === 'Yesterday' ? name.toLowerCase() : `${name} ${date}`
  return `${day} ${timeLabel(begin)}${end === null ? '' : ` – ${timeLabel(end)}`}`
}

/** `7 – 20 November`, `28 October – 20 November`. */
export function rangeLabel(start: Day, end: Day): string {
  const [from, to] = [timeOf(start), timeOf(end)]
  if (start === end) return formatTime(to, 'D MMMM')
  return `${formatTime(from, isSameMonth(from, to) ? 'D' : 'D MMMM')} – ${formatTime(to, 'D MMMM')}`
}

export function countLabel(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'event' : 'events'}`
}

/** Characters of a camera's name in a file's: with date and ending it stays below what an archive takes. */
const CAMERA_MAX = 80

/** `Driveway 2026-11-20 09.41.07.mp4`: sorts by time within a camera, is not hidden, and has no sign that a file system refuses. */
export function clipFileName(event: Pick<Event, 'event_ts'>, camera: string): string {
  const name = camera.replace(/[\\/:*?"<>|\p{Cc}]/gu, ' ').replace(/^[\s.]+/u, '')
  const short = Array.from(name).slice(0, CAMERA_MAX).join('').trim() || 'Camera'
  return `${short} ${formatTime(event.event_ts, 'YYYY-MM-DD HH.mm.ss')}.mp4`
}

/** What a screen reader says of an event: `Person with a box, Driveway, 09:41`. */
export function eventName(event: Pick<Event, 'title' | 'event_ts'>, camera: string): string {
  return [event.title, camera, formatTime(event.event_ts, 'HH:mm')].filter(Boolean).join(', ')
}
