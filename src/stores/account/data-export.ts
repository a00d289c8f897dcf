import { atom } from 'nanostores'
import { BRAND_NAME } from '../../../contract/brand.ts'
import { getDataExportSize, getDataExportUrl, exportAccountData } from '../../../contract/account/data-export.ts'
import { type DataOf, request } from '../../api/api-client.ts'
import { createNoResponseFailure, type Result } from '../../api/result.ts'
import { archiveSavedText } from '../../domain/copy/account-overview.ts'
import { deleteStoredChunks, createChunkStore, generateSecret } from '../../services/saved-chunks.ts'
import { downloadInChunks } from '../../services/resumable-download.ts'
import { showFailure, withFailureShown, type Failure } from '../shell/report-failure.ts'
import { saveFile } from '../shell/save-file.ts'
import { showToast } from '../shell/toasts.ts'
import { persistentJson } from '../storage/persistent-atoms.ts'
import { BILLING_KEYS } from '../storage/billing-keys.ts'

export type ExportSizeState =
  { state: 'loading' } | ({ state: 'ready' } & DataOf<typeof getDataExportSize>) | { state: 'failed'; failure: Failure }
export const $exportSize = atom<ExportSizeState>({ state: 'loading' })

type ReadyArchive = Omit<Extract<DataOf<typeof exportAccountData>, { state: 'ready' }>, 'state' | 'url'>
/**
 * Progress of the data export, persisted across visits: the next archive and, once that archive is ready, the share of
 * it that has been downloaded.
 */
export interface ExportProgress {
  /** Cursor in the list of all events. The archive starts after it. '' for the first archive. */
  readonly after: string
  /** Number of the archive, from 1. */
  readonly part: number
  /** Archive that is ready for download; null while there is none. `secret` encrypts the archive's stored chunks. */
  readonly made: (ReadyArchive & { readonly share: number; readonly secret: string }) | null
}

const isExportProgress = (value: unknown): value is ExportProgress | null =>
  value === null ||
  (typeof value === 'object' &&
    'after' in value &&
    'made' in value &&
    typeof (value as ExportProgress).part === 'number')

/** Progress of the current export; null if no export is in progress. */
export const $exportProgress = persistentJson<ExportProgress | null>(BILLING_KEYS.take, null, isExportProgress)
/** Current step of the export, with its progress `share` from 0 to 1. Null if no export is running. */
export const $exportStep = atom<{ readonly step: 'preparing' | 'downloading'; readonly share: number } | null>(null)

const EXPORT_FAILED_TEXT = 'We couldn’t prepare your clips. No data was lost. Try again shortly.'
const DOWNLOAD_STOPPED_TEXT =
  'The download stopped, but the downloaded part is saved. Continue when you’re back online.'

let abortController: AbortController | null = null

export async function loadExportSize(): Promise<void> {
  if ($exportSize.get().state === 'failed') $exportSize.set({ state: 'loading' })
  // Without an export in progress, the stored chunks are leftovers, possibly of another account.
  if ($exportProgress.get() === null) void deleteStoredChunks()
  const response = await withFailureShown('place', request(getDataExportSize, {}))
  $exportSize.set(response.ok ? { state: 'ready', ...response.data } : { state: 'failed', failure: response })
}

/** Downloads the next archive, or resumes its unfinished download. */
export async function exportNextArchive(): Promise<void> {
  if (abortController) return
  abortController = new AbortController()
  try {
    await downloadArchive($exportProgress.get() ?? { after: '', part: 1, made: null }, abortController.signal)
  } finally {
    abortController = null
    $exportStep.set(null)
  }
}

/** Pauses the download; the stored chunks stay. */
export function pauseExport(): void {
  abortController?.abort()
}

/** Cancels the export and deletes the stored chunks. */
export async function cancelExport(): Promise<void> {
  pauseExport()
  $exportProgress.set(null)
  await deleteStoredChunks()
}

async function downloadArchive(progress: ExportProgress, signal: AbortSignal): Promise<void> {
  const ready = await prepareArchive(progress, signal)
  if (!ready) return
  const { made, part } = ready.taken
  const { take_id, bytes, next } = made
  $exportStep.set({ step: 'downloading', share: made.share })
  const blob = await downloadInChunks({
    bytes,
    getUrl: async (isRejected) => (isRejected ? await fetchArchiveUrl(take_id) : ready.url),
    onProgress: (share) => {
      $exportProgress.set({ ...ready.taken, made: { ...made, share } })
      $exportStep.set({ step: 'downloading', share })
    },
    signal,
    chunkStore: createChunkStore(take_id, made.secret),
  })
  if (signal.aborted) return
  if (!blob) return showToast('error', DOWNLOAD_STOPPED_TEXT)
  saveFile(blob, `${BRAND_NAME} ${part === 1 && next === null ? 'data' : `data ${part}`}.zip`)
  $exportProgress.set(next === null ? null : { after: next, part: part + 1, made: null })
  await deleteStoredChunks()
  showToast('success', next === null ? 'Download complete.' : archiveSavedText(part, countRemainingArchives(part)))
}

/**
 * Returns how many archives follow archive `part`, according to the loaded export size. Returns at least 1, because
 * callers know that another archive follows.
 */
function countRemainingArchives(part: number): number {
  const size = $exportSize.get()
  return size.state === 'ready' ? Math.max(1, size.archives - part) : 1
}

interface ArchiveDownload {
  readonly taken: ExportProgress & { made: NonNullable<ExportProgress['made']> }
  readonly url: string
}

async function prepareArchive(progress: ExportProgress, signal: AbortSignal): Promise<ArchiveDownload | null> {
  if (progress.made) {
    const existing = await requestArchiveUrl(progress.made.take_id)
    if (existing.ok) return { taken: { ...progress, made: progress.made }, url: existing.data.url }
    if (existing.status !== 404) {
      showFailure('toast', existing, DOWNLOAD_STOPPED_TEXT)
      return null
    }
    await deleteStoredChunks()
  }
  $exportStep.set({ step: 'preparing', share: 0 })
  const response = await withFailureShown('toast', waitForArchive(progress.after, signal), EXPORT_FAILED_TEXT)
  if (!response.ok) return null
  const { take_id, bytes, clips, next, url } = response.data
  const ready = { ...progress, made: { take_id, bytes, clips, next, share: 0, secret: generateSecret() } }
  $exportProgress.set(ready)
  return { taken: ready, url }
}

const requestArchiveUrl = (take_id: string) => request(getDataExportUrl, { take_id })

async function fetchArchiveUrl(take_id: string): Promise<string | undefined> {
  const response = await requestArchiveUrl(take_id)
  return response.ok ? response.data.url : undefined
}

type PreparedArchive = Extract<DataOf<typeof exportAccountData>, { state: 'ready' }>

/** Polls until the archive is ready. If the signal aborts, returns a failure of kind `ERR_CANCELED`. */
async function waitForArchive(after: string, signal: AbortSignal): Promise<Result<PreparedArchive>> {
  const { timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions()
  for (;;) {
    const response = await request(exportAccountData, { zone, after }, { signal })
    if (signal.aborted) return createNoResponseFailure('ERR_CANCELED')
    if (!response.ok) return response
    const { data } = response
    if (data.state === 'ready') return { ok: true, data }
    $exportStep.set({ step: 'preparing', share: data.ready / Math.max(1, data.total) })
  }
}
