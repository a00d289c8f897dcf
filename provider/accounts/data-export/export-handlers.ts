import { crc32 } from 'node:zlib'
import * as v from 'valibot'
import { parseJsonAs } from '../../../contract/wire/lenient-parse.ts'
import { DATA_EXPORT_CLIPS_MAX, DATA_EXPORT_EVENTS_MAX } from '../../../contract/account/data-export.ts'
import { EXPORT_BYTES_MAX } from '../../../contract/events/timeline.ts'
import type { AccountAccess } from '../../homes/members/account-access.ts'
import { homeStub } from '../../homes/members/home-stub.ts'
import { notFound } from '../../platform/api-error.ts'
import type { Env } from '../../env.ts'
import {
  signArchiveUrl,
  exportEntry,
  type ExportEntry,
  type HomeExportClip,
  storeArchive,
  computeClipChecksums,
  loadClipSizes,
} from '../../events/export/clip-export-handlers.ts'
import type { Caller } from '../../platform/auth/verify-token.ts'
import type { InvoiceRecord } from '../../billing/ledger/record-schemas.ts'
import { getLedgerStub } from '../../billing/ledger/ledger-stub.ts'
import { queryAllHomes } from '../../billing/plans/query-all-homes.ts'
import { renderInvoiceText, renderInvoicesCsv } from './invoice-files.ts'
import { createZonedClock, type ZonedClock } from './zoned-clock.ts'
import { collectExportBatch, listOwnHomes, type ExportEvent } from './collect-events.ts'
import { createClipNames, renderEventsCsv } from './event-files.ts'

/** Maximum number of invoices that get their own text file in the export: forty years of monthly invoices. */
const INVOICE_PAGES_MAX = 500

export async function estimateExportSize(env: Env, access: AccountAccess, now: number) {
  const { userId } = access
  const homes = listOwnHomes(env, access)
  const counts = await Promise.all(
    homes.map(({ home_id, plans }) => homeStub(env, home_id).countExportData({ userId, plans, now })),
  )
  const sum = (of: 'clips' | 'events' | 'bytes' | 'unknown') => counts.reduce((all, count) => all + count[of], 0)
  const [clips, events, knownBytes, unknown] = [sum('clips'), sum('events'), sum('bytes'), sum('unknown')]
  const { length: invoices } = await getLedgerStub(env, userId).listInvoices(now)
  // Clips of unknown size count with the average size of the other clips.
  const bytes = unknown < clips ? Math.round((knownBytes * clips) / (clips - unknown)) : knownBytes
  const parts = [
    clips / DATA_EXPORT_CLIPS_MAX,
    events / DATA_EXPORT_EVENTS_MAX,
    bytes / EXPORT_BYTES_MAX,
    Math.min(1, invoices),
  ]
  return { clips, events, bills: invoices, bytes, about: unknown > 0, archives: Math.ceil(Math.max(...parts)) }
}

export async function buildExportArchive(
  env: Env,
  { account, access }: { readonly account: Caller; readonly access: AccountAccess },
  { zone, after }: { readonly zone: string; readonly after: string },
  now: number,
) {
  const { userId } = account
  const clock = createZonedClock(zone)
  const homes = listOwnHomes(env, access)
  const [first] = homes
  if (!first) throw notFound()
  const { events, next } = await collectExportBatch(env, homes, after, { userId, now })
  const clips = await loadClipSizes(env, filterClips(events))
  const ready = await computeClipChecksums(env, clips)
  if (ready < clips.length) return { state: 'preparing' as const, ready, total: clips.length }
  const files = buildExportEntries(events, clips, clock, now)
  const invoices = after === '' ? await getLedgerStub(env, userId).listInvoices(now) : []
  const entries = [...files, ...(invoices.length === 0 ? [] : buildInvoiceFiles(invoices, clock, now))]
  if (entries.length === 0) throw notFound()
  const { exportId, ...opened } = await storeArchive(env, account, first.home_id, entries, now)
  return { ...opened, take_id: exportId, clips: clips.length, next }
}

const filterClips = (events: readonly ExportEvent[]): HomeExportClip[] =>
  events.flatMap(({ clip_object, ...event }) => (clip_object === null ? [] : [{ ...event, clip_object }]))

function buildExportEntries(
  events: readonly ExportEvent[],
  clips: readonly HomeExportClip[],
  clock: ZonedClock,
  now: number,
): ExportEntry[] {
  if (events.length === 0) return []
  const clipById = new Map(clips.map((clip) => [clip.event_id, clip]))
  const names = createClipNames(events, clock)
  const entries = events.flatMap(({ event_id, event_ts: at }, i): ExportEntry[] => {
    const clip = clipById.get(event_id)
    if (!clip) return []
    const { home_id, clip_object: object, clip_bytes, clip_crc } = clip
    const name = names[i] ?? event_id
    return [{ home_id, event_id, object, name, bytes: clip_bytes ?? 0, crc: clip_crc ?? 0, at, text: null }]
  })
  const files = events.map(({ event_id }, i) => (clipById.has(event_id) ? (names[i] ?? '') : ''))
  return [createTextFile('events.csv', renderEventsCsv(events, files, clock), now), ...entries]
}

function buildInvoiceFiles(invoices: readonly InvoiceRecord[], clock: ZonedClock, now: number): ExportEntry[] {
  const pages = invoices
    .slice(0, INVOICE_PAGES_MAX)
    .map((bill) => createTextFile(`bills/${bill.bill}.txt`, renderInvoiceText(bill, clock), bill.at))
  return [createTextFile('bills.csv', renderInvoicesCsv(invoices, clock), now), ...pages]
}

function createTextFile(name: string, text: string, at: number): ExportEntry {
  const bytes = new TextEncoder().encode(text)
  return { home_id: '', event_id: '', object: '', name, bytes: bytes.length, crc: crc32(bytes), at, text }
}

/** Returns a download URL for an archive that was built for the account. Throws 404 if there is no such archive. */
export async function createExportUrl(
  env: Env,
  { account, access }: { readonly account: Caller; readonly access: AccountAccess },
  exportId: string,
  now: number,
) {
  const results = await queryAllHomes(env, access, now, (stub) => stub.readExport(exportId, account.userId))
  const text = results.find((entries) => entries !== null)
  const entries = parseJsonAs(v.array(exportEntry), text ?? null)
  if (entries === null) throw notFound()
  return await signArchiveUrl(env, account, exportId, entries, now)
}
