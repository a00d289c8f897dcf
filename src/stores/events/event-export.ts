import { atom } from 'nanostores'
import { BRAND_NAME } from '../../../contract/brand.ts'
import type { Event } from '../../../contract/events/events.ts'
import { exportClips } from '../../../contract/events/timeline.ts'
import type { DataOf } from '../../api/api-client.ts'
import { request } from '../../api/api-client.ts'
import { createNoResponseFailure, type Result } from '../../api/result.ts'
import { eventsCsv } from '../../domain/events/event-csv.ts'
import { clipFileName } from '../../domain/events/download-file-names.ts'
import { type ChunkedDownload, downloadInChunks } from '../../services/resumable-download.ts'
import { $cameraNames } from './event-cameras.ts'
import { $filteredEvents } from './events.ts'
import { withFailureShown } from '../shell/report-failure.ts'
import { showToast } from '../shell/toasts.ts'
import { saveFile } from '../shell/save-file.ts'

/** Export in progress. `share`: progress of the current step, from 0 to 1. */
export interface ClipExportState {
  readonly step: 'preparing' | 'downloading'
  readonly share: number
}
export const $clipExport = atom<ClipExportState | null>(null)

export const MAX_EXPORT_CLIPS = 500

const EXPORT_FAILED_TEXT = 'We couldn’t prepare the clips. Try again, or select fewer.'

let abortController: AbortController | null = null

/**
 * Saves the clips of events as one zip file; each clip is named after its camera and time. Resumes after a lost
 * connection.
 */
export async function exportEventClips(events: readonly Event[]): Promise<void> {
  if (abortController) return showToast('warning', 'A download is in progress. Wait for it to finish, or stop it.')
  if (events.length > MAX_EXPORT_CLIPS)
    return showToast('warning', `Select up to ${MAX_EXPORT_CLIPS} events per download.`)
  const names = $cameraNames.get()
  const files = events.map((event) => ({
    event_id: event.event_id,
    name: clipFileName(event, names.get(event.device_id) ?? ''),
  }))
  abortController = new AbortController()
  try {
    await downloadClips(files, abortController.signal)
  } finally {
    abortController = null
    $clipExport.set(null)
  }
}

export function cancelClipExport(): void {
  abortController?.abort()
}

type ExportFiles = readonly { readonly event_id: string; readonly name: string }[]
type ReadyExport = Extract<DataOf<typeof exportClips>, { state: 'ready' }>

async function downloadClips(files: ExportFiles, signal: AbortSignal): Promise<void> {
  const readyResult = await withFailureShown('toast', waitForExport(files, signal), EXPORT_FAILED_TEXT)
  if (!readyResult.ok) return
  const ready = readyResult.data
  $clipExport.set({ step: 'downloading', share: 0 })
  const chunks: ChunkedDownload = {
    bytes: ready.bytes,
    // The download URL expires. A new URL delivers the same file, so the download can resume.
    getUrl: async (again) => {
      const next = again ? await waitForExport(files, signal) : readyResult
      return next.ok ? next.data.url : undefined
    },
    onProgress: (share) => $clipExport.set({ step: 'downloading', share }),
    signal,
  }
  const blob = await downloadInChunks(chunks)
  if (signal.aborted) return
  if (!blob) return showToast('error', 'The download stopped. Check your connection and try again.')
  saveFile(blob, `${BRAND_NAME} clips.zip`)
  const { length: missing } = ready.missing
  if (missing > 0)
    showToast(
      'warning',
      `${missing} of ${files.length} events ${missing === 1 ? 'has no clip and isn’t' : 'have no clip and aren’t'} in the file.`,
    )
  else showToast('success', files.length === 1 ? 'Clip saved.' : `${files.length} clips saved.`)
}

/** Polls until the file is ready. If the signal aborts, returns a failure of kind `ERR_CANCELED`. */
async function waitForExport(files: ExportFiles, signal: AbortSignal): Promise<Result<ReadyExport>> {
  for (;;) {
    const response = await request(exportClips, { files: [...files] }, { signal })
    if (signal.aborted) return createNoResponseFailure('ERR_CANCELED')
    if (!response.ok) return response
    const { data } = response
    if (data.state === 'ready') return { ok: true, data }
    $clipExport.set({ step: 'preparing', share: data.ready / Math.max(1, data.total) })
  }
}

export function saveEventsCsv(): void {
  const names = $cameraNames.get()
  const table = eventsCsv($filteredEvents.get(), (id) => names.get(id) ?? '')
  saveFile(new Blob([table], { type: 'text/csv;charset=utf-8' }), `${BRAND_NAME} events.csv`)
}
