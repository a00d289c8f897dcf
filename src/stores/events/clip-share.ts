import { type Failure, showFailure } from '../shell/report-failure.ts'
import { fetchClip } from './clip-download.ts'

const FETCH_FAILED_TEXT = 'We couldn’t load the clip. Try again in a moment.'

const CLIP_MIME_TYPE = 'video/mp4'

/** Returns true if this browser can share files with other apps. */
export function canShareClips(): boolean {
  const probe = new File([], 'clip.mp4', { type: CLIP_MIME_TYPE })
  return 'canShare' in navigator && navigator.canShare({ files: [probe] })
}

export async function fetchClipFile(eventId: string, fileName: string): Promise<File | Failure> {
  const response = await fetchClip(eventId)
  return response.ok
    ? new File([response.data], fileName, { type: CLIP_MIME_TYPE })
    : showFailure('toast', response, FETCH_FAILED_TEXT)
}

/**
 * Opens the system's share dialog. `closed`: the user canceled. `late`: the fetch took too long, so the browser
 * requires a new tap. `failed`: any other error.
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
