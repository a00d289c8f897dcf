import { atom } from 'nanostores'
import { BRAND_NAME } from '../../../contract/brand.ts'
import { getTake, takeAddress, exportAccountData } from '../../../contract/account/data-export.ts'
import { type DataOf, request } from '../../api/api-client.ts'
import { noAnswer, type Result } from '../../api/result.ts'
import { archiveSavedText } from '../../domain/copy/account-overview.ts'
import { dropPieces, keptPieces, newSecret } from '../../services/saved-chunks.ts'
import { downloadInChunks } from '../../services/resumable-download.ts'
import { showFailure, withFailureShown, type Failure } from '../shell/report-failure.ts'
import { saveAs } from '../shell/save-file.ts'
import { showToast } from '../shell/toasts.ts'
import { keptJson } from '../storage/persistent-atoms.ts'
import { MONEY_KEYS } from '../storage/billing-keys.ts'

export type TakeSize =
  { state: 'loading' } | ({ state: 'ready' } & DataOf<typeof getTake>) | { state: 'failed'; failure: Failure }
/** Size of the data export. */
export const $takeSize = atom<TakeSize>({ state: 'loading' })

type Made = Omit<Extract<DataOf<typeof exportAccountData>, { state: 'ready' }>, 'state' | 'url'>
/**
 * Progress of the data export, persisted across visits: the next archive and, once that archive is ready, the share of
 * it that was downloaded.
 */
export interface ExportProgress {
  /** Cursor in the list of all events after which the archive starts; '' for the first archive. */
  readonly after: string
  /** Number of the archive, from 1. */
  readonly part: number
  /** Archive that is ready for download; null while there is none. `secret` encrypts the archive's stored chunks. */
  readonly made: (Made & { readonly share: number; readonly secret: string }) | null
}

const isTaken = (value: unknown): value is ExportProgress | null =>
  value === null ||
  (typeof value === 'object' &&
    'after' in value &&
    'made' in value &&
    typeof (value as ExportProgress).part === 'number')

/** Progress of the current export; null if no export is in progress. */
export const $taken = keptJson<ExportProgress | null>(MONEY_KEYS.take, null, isTaken)
/** Step of the export that runs now, with its progress `share` from 0 to 1; null if none runs. */
export const $taking = atom<{ readonly step: 'preparing' | 'downloading'; readonly share: number } | null>(null)

const NOT_GATHERED = 'Your clips could not be gathered. Nothing is lost: try again in a moment.'
const STOPPED = 'The download stopped. What has come is kept: go on when the connection is back.'

let ending: AbortController | null = null

export async function loadTake(): Promise<void> {
  if ($takeSize.get().state === 'failed') $takeSize.set({ state: 'loading' })
  // Without an export in progress, no export refers to the stored chunks; they may be from another account.
  if ($taken.get() === null) void dropPieces()
  const answer = await withFailureShown('place', request(getTake, {}))
  $takeSize.set(answer.ok ? { state: 'ready', ...answer.data } : { state: 'failed', failure: answer })
}

/** Downloads the next archive, or resumes its unfinished download. */
export async function exportNextArchive(): Promise<void> {
  if (ending) return
  ending = new AbortController()
  try {
    await run($taken.get() ?? { after: '', part: 1, made: null }, ending.signal)
  } finally {
    ending = null
    $taking.set(null)
  }
}

/** Pauses the download; the stored chunks stay. */
export function stopTaking(): void {
  ending?.abort()
}

/** Cancels the export and deletes the stored chunks. */
export async function dropTaken(): Promise<void> {
  stopTaking()
  $taken.set(null)
  await dropPieces()
}

async function run(progress: ExportProgress, signal: AbortSignal): Promise<void> {
  const ready = await readied(progress, signal)
  if (!ready) return
  const { made, part } = ready.taken
  const { take_id, bytes, next } = made
  $taking.set({ step: 'downloading', share: made.share })
  const blob = await downloadInChunks({
    bytes,
    address: async (again) => (again ? await fetchArchiveUrl(take_id) : ready.url),
    progress: (share) => {
      $taken.set({ ...ready.taken, made: { ...made, share } })
      $taking.set({ step: 'downloading', share })
    },
    signal,
    kept: keptPieces(take_id, made.secret),
  })
  if (signal.aborted) return
  if (!blob) return showToast('error', STOPPED)
  saveAs(blob, `${BRAND_NAME} ${part === 1 && next === null ? 'everything' : `everything ${part}`}.zip`)
  $taken.set(next === null ? null : { after: next, part: part + 1, made: null })
  await dropPieces()
  showToast('success', next === null ? 'Everything was saved.' : archiveSavedText(part, archivesAfter(part)))
}

/**
 * Returns how many archives follow after archive `part`, from the counted size. At least 1, because it is called only
 * if another archive follows.
 */
function archivesAfter(part: number): number {
  const size = $takeSize.get()
  return size.state === 'ready' ? Math.max(1, size.archives - part) : 1
}

interface Ready {
  readonly taken: ExportProgress & { made: NonNullable<ExportProgress['made']> }
  readonly url: string
}

/**
 * Returns the archive with its URL: the existing archive if it is still available, otherwise a new one. Null on
 * failure.
 */
async function readied(progress: ExportProgress, signal: AbortSignal): Promise<Ready | null> {
  if (progress.made) {
    const existing = await requestArchiveUrl(progress.made.take_id)
    if (existing.ok) return { taken: { ...progress, made: progress.made }, url: existing.data.url }
    if (existing.status !== 404) {
      showFailure('toast', existing, STOPPED)
      return null
    }
    await dropPieces()
  }
  $taking.set({ step: 'preparing', share: 0 })
  const answer = await withFailureShown('toast', prepared(progress.after, signal), NOT_GATHERED)
  if (!answer.ok) return null
  const { take_id, bytes, clips, next, url } = answer.data
  const ready = { ...progress, made: { take_id, bytes, clips, next, share: 0, secret: newSecret() } }
  $taken.set(ready)
  return { taken: ready, url }
}

const requestArchiveUrl = (take_id: string) => request(takeAddress, { take_id })

async function fetchArchiveUrl(take_id: string): Promise<string | undefined> {
  const answer = await requestArchiveUrl(take_id)
  return answer.ok ? answer.data.url : undefined
}

type Prepared = Extract<DataOf<typeof exportAccountData>, { state: 'ready' }>

/** Polls until the archive is ready. If the signal aborts, returns a failure of kind `ERR_CANCELED`. */
async function prepared(after: string, signal: AbortSignal): Promise<Result<Prepared>> {
  const { timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions()
  for (;;) {
    const answer = await request(exportAccountData, { zone, after }, { signal })
    if (signal.aborted) return noAnswer('ERR_CANCELED')
    if (!answer.ok) return answer
    const { data } = answer
    if (data.state === 'ready') return { ok: true, data }
    $taking.set({ step: 'preparing', share: data.ready / Math.max(1, data.total) })
  }
}
