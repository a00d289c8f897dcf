import { createNoResponseFailure, type Result } from '../../api/result.ts'
import { toServerFailure } from '../../api/server-failure.ts'
import { runUserAction, type Failure } from '../shell/report-failure.ts'
import { saveFile } from '../shell/save-file.ts'

const DOWNLOAD_FAILED_TEXT = 'We couldn’t download the clip. Try again in a moment.'

/**
 * Saves the clip of an event as a file. Fetches the clip first, because browsers open a cross-origin file instead of
 * saving it.
 */
export function downloadClip(eventId: string, fileName: string): Promise<Failure | null> {
  return runUserAction(fetchAndSaveClip(eventId, fileName), { own: DOWNLOAD_FAILED_TEXT })
}

async function fetchAndSaveClip(eventId: string, fileName: string): Promise<Result<null>> {
  const response = await fetchClip(eventId)
  if (!response.ok) return response
  saveFile(response.data, fileName)
  return { ok: true, data: null }
}

export async function fetchClip(eventId: string): Promise<Result<Blob>> {
  try {
    const response = await fetch(`/m/clip/${eventId}`)
    if (!response.ok) return toServerFailure(response.status, await response.json().catch(() => null))
    return { ok: true, data: await response.blob() }
  } catch {
    return createNoResponseFailure('ERR_NETWORK')
  }
}
