import { atom } from 'nanostores'
import { BRAND_NAME } from '../../../contract/brand.ts'
import type { Event } from '../../../contract/events/events.ts'
import { exportClips } from '../../../contract/events/timeline.ts'
import type { DataOf } from '../../api/api-client.ts'
import { request } from '../../api/api-client.ts'
import { noAnswer, type Result } from '../../api/result.ts'
import { eventsCsv } from '../../domain/events/event-csv.ts'
import { clipFileName } from '../../domain/events/download-file-names.ts'
import { type ChunkedDownload, downloadInChunks } from '../../services/resumable-download.ts'
import { $cameraNames } from './event-cameras.ts'
import { $filteredEvents } from './events.ts'
import { withFailureShown } from '../shell/report-failure.ts'
import { showToast } from '../shell/toasts.ts'
import { saveAs } from '../shell/save-file.ts'

/** Export in progress. `share`: progress of the current step, from 0 to 1. */
export interface Export {
  readonly step: 'preparing' | 'downloading'
  readonly share: number
}
export const $export = atom<Export | null>(null)

/** Maximum number of clips per archive. */
export const EXPORT_MAX = 500

const NOT_GATHERED = 'The clips could not be gathered. Try again, or choose fewer.'

let ending: AbortController | null = null

/**
 * Saves the clips of events as one zip file; each clip is named after its camera and time. Resumes after a lost
 * connection.
 */
export async function exportSelected(events: readonly Event[]): Promise<void> {
  if (ending) return showToast('warning', 'A download is under way. Wait for it or stop it.')
  if (events.length > EXPORT_MAX) return showToast('warning', `Choose at most ${EXPORT_MAX} events for one download.`)
  const names = $cameraNames.get()
  const files = events.map((event) => ({
    event_id: event.event_id,
    name: clipFileName(event, names.get(event.device_id) ?? ''),
  }))
  ending = new AbortController()
  try {
    await run(files, ending.signal)
  } finally {
    ending = null
    $export.set(null)
  }
}

export function cancelExport(): void {
  ending?.abort()
}

type Files = readonly { readonly event_id: string; readonly name: string }[]
type Ready = Extract<DataOf<typeof exportClips>, { state: 'ready' }>

async function run(files: Files, signal: AbortSignal): Promise<void> {
  const gathered = await withFailureShown('toast', prepared(files, signal), NOT_GATHERED)
  if (!gathered.ok) return
  const ready = gathered.data
  $export.set({ step: 'downloading', share: 0 })
  const chunks: ChunkedDownload = {
    bytes: ready.bytes,
    // URLs expire: a new one leads to the same bytes.
    address: async (again) => {
      const next = again ? await prepared(files, signal) : gathered
      return next.ok ? next.data.url : undefined
    },
    progress: (share) => $export.set({ step: 'downloading', share }),
    signal,
  }
  const blob = await downloadInChunks(chunks)
  if (signal.aborted) return
  if (!blob) return showToast('error', 'The download stopped. Check the connection and try again.')
  saveAs(blob, `${BRAND_NAME} clips.zip`)
  const { length: missing } = ready.missing
  if (missing > 0) showToast('warning', `${missing} of ${files.length} events have no clip and are not in the file.`)
  else showToast('success', files.length === 1 ? 'The clip was saved.' : `${files.length} clips were saved.`)
}

/** Polls until the file is ready. If the signal aborts, returns a failure of kind `ERR_CANCELED`. */
async function prepared(files: Files, signal: AbortSignal): Promise<Result<Ready>> {
  for (;;) {
    const answer = await request(exportClips, { files: [...files] }, { signal })
    if (signal.aborted) return noAnswer('ERR_CANCELED')
    if (!answer.ok) return answer
    const { data } = answer
    if (data.state === 'ready') return { ok: true, data }
    $export.set({ step: 'preparing', share: data.ready / Math.max(1, data.total) })
  }
}

export function saveList(): void {
  const names = $cameraNames.get()
  const table = eventsCsv($filteredEvents.get(), (id) => names.get(id) ?? '')
  saveAs(new Blob([table], { type: 'text/csv;charset=utf-8' }), `${BRAND_NAME} events.csv`)
}
