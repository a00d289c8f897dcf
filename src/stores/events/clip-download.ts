import { noAnswer, type Result } from '../../api/result.ts'
import { toServerFailure } from '../../api/server-failure.ts'
import { runUserAction, type Failure } from '../shell/report-failure.ts'
import { saveAs } from '../shell/save-file.ts'

const NOT_DOWNLOADED = 'The clip could not be downloaded. Try again in a moment.'

/**
 * Saves the clip of an event as a file. Fetches the clip first, because browsers open a cross-origin file instead of
 * saving it.
 */
export function downloadClip(eventId: string, fileName: string): Promise<Failure | null> {
  return runUserAction(save(eventId, fileName), { own: NOT_DOWNLOADED })
}

async function save(eventId: string, fileName: string): Promise<Result<null>> {
  const answer = await fetchClip(eventId)
  if (!answer.ok) return answer
  saveAs(answer.data, fileName)
  return { ok: true, data: null }
}

export async function fetchClip(eventId: string): Promise<Result<Blob>> {
  try {
    const answer = await fetch(`/m/clip/${eventId}`)
    if (!answer.ok) return toServerFailure(answer.status, await answer.json().catch(() => null))
    return { ok: true, data: await answer.blob() }
  } catch {
    return noAnswer('ERR_NETWORK')
  }
}
