import type { Event } from '../../../contract/events/events.ts'
import { formatFileTime } from '../time/date-formats.ts'

/**
 * Maximum length of the camera name in a file name. With date and extension, the file name stays below the limit of 120
 * characters in the export call (contract/events/timeline.ts).
 */
const CAMERA_NAME_MAX_CHARS = 80

/**
 * Returns a file name without extension: `Driveway 2026-11-20 09.41.07`. It does not start with a dot, which would hide
 * the file, and has no characters that file systems reject.
 */
function fileStem(camera: string, time: number): string {
  const name = camera.replace(/[\\/:*?"<>|\p{Cc}]/gu, ' ').replace(/^[\s.]+/u, '')
  const cameraName = Array.from(name).slice(0, CAMERA_NAME_MAX_CHARS).join('').trim() || 'Camera'
  return `${cameraName} ${formatFileTime(time)}`
}

/** Returns the file name of a clip: `Driveway 2026-11-20 09.41.07.mp4`. */
export const clipFileName = (event: Pick<Event, 'event_ts'>, camera: string): string =>
  `${fileStem(camera, event.event_ts)}.mp4`

/** Returns the file name of a snapshot; formats `time` (ms UTC) in the browser's time zone. */
export const snapshotFileName = (camera: string, time: number): string => `${fileStem(camera, time)}.jpg`
