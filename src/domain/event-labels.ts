import type { Event } from '../../contract/events.ts'
import { clock, fileTime } from './dates.ts'

export function countLabel(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'event' : 'events'}`
}

/** Characters of a camera's name in a file's: with date and ending it stays below what an archive takes. */
const CAMERA_MAX = 80

/** `Driveway 2026-11-20 09.41.07.mp4`: sorts by time within a camera, is not hidden, and has no sign that a file system refuses. */
export function clipFileName(event: Pick<Event, 'event_ts'>, camera: string): string {
  const name = camera.replace(/[\\/:*?"<>|\p{Cc}]/gu, ' ').replace(/^[\s.]+/u, '')
  const short = Array.from(name).slice(0, CAMERA_MAX).join('').trim() || 'Camera'
  return `${short} ${fileTime(event.event_ts)}.mp4`
}

/** What a screen reader says of an event: `Person with a box, Driveway, 09:41`. */
export function eventName(event: Pick<Event, 'title' | 'event_ts'>, camera: string): string {
  return [event.title, camera, clock(event.event_ts)].filter(Boolean).join(', ')
}
