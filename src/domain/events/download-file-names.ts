import type { Event } from '../../../contract/events/events.ts'
import { fileTime } from '../time/date-formats.ts'

/**
 * Maximum length of the camera name in a file name. With date and extension, the file name stays within the length
 * limit of archives.
 */
const CAMERA_MAX = 80

/**
 * `Driveway 2026-11-20 09.41.07`: sorts by time within a camera, does not start with a dot (which would hide the file),
 * and has no character that file systems reject.
 */
function fileStem(camera: string, time: number): string {
  const name = camera.replace(/[\\/:*?"<>|\p{Cc}]/gu, ' ').replace(/^[\s.]+/u, '')
  const short = Array.from(name).slice(0, CAMERA_MAX).join('').trim() || 'Camera'
  return `${short} ${fileTime(time)}`
}

/** `Driveway 2026-11-20 09.41.07.mp4` */
export const clipFileName = (event: Pick<Event, 'event_ts'>, camera: string): string =>
  `${fileStem(camera, event.event_ts)}.mp4`

/** `Driveway 2026-11-20 09.41.07.jpg`; `time` in ms UTC, formatted in the browser's zone. */
export const snapshotFileName = (camera: string, time: number): string => `${fileStem(camera, time)}.jpg`
