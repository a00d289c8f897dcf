import dayjs from 'dayjs'
import type { Event } from '../../contract/events.ts'
import type { Day } from './date-range.ts'

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
  return dayjs(time).format('HH:mm:ss')
}

/** `Today` and `Yesterday` as `name`, else the weekday; `date` is the rest: `Friday 20 November`, `17 November`. */
export function dayLabel(day: Day, now: number): { name: string; date: string } {
  const date = dayjs(day)
  const today = dayjs(now)
  if (date.isSame(today, 'day')) return { name: 'Today', date: date.format('dddd D MMMM') }
  if (date.isSame(today.subtract(1, 'day'), 'day')) return { name: 'Yesterday', date: date.format('dddd D MMMM') }
  return { name: date.format('dddd'), date: date.format(date.isSame(today, 'year') ? 'D MMMM' : 'D MMMM YYYY') }
}

/** `today 09:41:07 – 09:41:25`, `Thursday 19 November 21:41:13` when nothing was recorded. */
export function whenLabel(begin: number, end: number | null, now: number): string {
  const { name, date } = dayLabel(dayjs(begin).format('YYYY-MM-DD'), now)
  const day = name === 'Today' || name === 'Yesterday' ? name.toLowerCase() : `${name} ${date}`
  return `${day} ${timeLabel(begin)}${end === null ? '' : ` – ${timeLabel(end)}`}`
}

/** `7 – 20 November`, `28 October – 20 November`. */
export function rangeLabel(start: Day, end: Day): string {
  const [from, to] = [dayjs(start), dayjs(end)]
  if (start === end) return to.format('D MMMM')
  return `${from.format(from.isSame(to, 'month') ? 'D' : 'D MMMM')} – ${to.format('D MMMM')}`
}

export function countLabel(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'event' : 'events'}`
}

/** `Driveway 2026-11-20 09.41.07.mp4`: sorts by time within a camera, and has no sign that a file system refuses. */
export function clipFileName(event: Pick<Event, 'event_ts'>, camera: string): string {
  const name = camera.replace(/[\\/:*?"<>|\p{Cc}]/gu, ' ').trim() || 'Camera'
  return `${name} ${dayjs(event.event_ts).format('YYYY-MM-DD HH.mm.ss')}.mp4`
}

/** What a screen reader says of an event: `Person with a box, Driveway, 09:41`. */
export function eventName(event: Pick<Event, 'title' | 'event_ts'>, camera: string): string {
  return [event.title, camera, dayjs(event.event_ts).format('HH:mm')].filter(Boolean).join(', ')
}
