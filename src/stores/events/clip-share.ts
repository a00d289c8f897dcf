import { type Failure, showFailure } from '../shell/report-failure.ts'
import { fetchClip } from './clip-download.ts'

const NOT_FETCHED = 'The clip could not be fetched. Try again in a moment.'

const TYPE = 'video/mp4'

/** Whether this browser hands files to other apps of the device. */
export function canShareClips(): boolean {
  const probe = new File([], 'clip.mp4', { type: TYPE })
  return 'canShare' in navigator && navigator.canShare({ files: [probe] })
}

/** An event's recording as a file to share. */
export async function clipFile(eventId: string, fileName: string): Promise<File | Failure> {
  const answer = await fetchClip(eventId)
  return answer.ok ? new File([answer.data], fileName, { type: TYPE }) : showFailure('toast', answer, NOT_FETCHED)
}

/**
 * Opens the system's share of a file. `closed`: whoever was asked wants none. `late`: the browser wants a new tap, since fetching the
 * file took longer than a tap counts. `failed`: no app took it.
 */
export async function shareFile(file: File, title: string): Promise<'shared' | 'closed' | 'late' | 'failed'> {
  try {
    await navigator.share({ files: [file], title })
    return 'shared'
  } catch (error) {
    const name = error instanceof DOMException ? error.name : ''
    if (name === 'AbortError') return 'closed'
    return name === 'NotAllowedError' ? 'late' : 'failed'
  }
}
