import type { Event } from '../../contract/events.ts'
import { clock, fileTime } from './dates.ts'

/** `07:00 – 08:00` of an hour of the day. */
export function hourSpanLabel(hour: number): string {
  const clock = (one: number) => `${String(one).padStart(2, '0')}:00`
  return `${clock(hour)} – ${clock((hour + 1) % 24)}`
}

/** `8 more like this`, of what a fold hides. */
export const moreLikeThis = (count: number): string => `${count.toLocaleString('en')} more like this`

export function countLabel(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'event' : 'events'}`
}

/** Characters of a camera's name in a file's: with date and ending it stays below what an archive takes. */
const CAMERA_MAX = 80

/** `Driveway 2026-11-20 09.41.07`: sorts by time within a camera, is not hidden, and has no sign that a file system refuses. */
function fileStem(camera: string, time: number): string {
  const name = camera.replace(/[\\/:*?"<>|\p{Cc}]/gu, ' ').replace(/^[\s.]+/u, '')
  const short = Array.from(name).slice(0, CAMERA_MAX).join('').trim() || 'Camera'
  return `${short} ${fileTime(time)}`
}

/** `Driveway 2026-11-20 09.41.07.mp4` */
export const clipFileName = (event: Pick<Event, 'event_ts'>, camera: string): string =>
  `${fileStem(camera, event.event_ts)}.mp4`

/** `Driveway 2026-11-20 09.41.07.jpg`; `time` in ms UTC, the name in the browser's zone. */
export const snapshotFileName = (camera: string, time: number): string => `${fileStem(camera, time)}.jpg`

/** What a screen reader says of an event: `Person with a box, Driveway, 09:41`. */
export function eventName(event: Pick<Event, 'title' | 'event_ts'>, camera: string): string {
  return [event.title, camera, clock(event.event_ts)].filter(Boolean).join(', ')
}
