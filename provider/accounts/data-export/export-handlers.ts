import { crc32 } from 'node:zlib'
import * as v from 'valibot'
import { readJson } from '../../../contract/wire/lenient-parse.ts'
import { TAKE_CLIPS_MAX, TAKE_EVENTS_MAX } from '../../../contract/account/data-export.ts'
import { EXPORT_BYTES_MAX } from '../../../contract/events/timeline.ts'
import { homeStub } from '../../homes/members/home-stub.ts'
import { notFound } from '../../platform/api-error.ts'
import type { Env } from '../../env.ts'
import {
  address,
  exportEntry,
  type ExportEntry,
  type HomeExportClip,
  open,
  computeClipChecksums,
  withoutLost,
} from '../../events/export/clip-export-handlers.ts'
import type { Caller } from '../../platform/auth/verify-token.ts'
import type { InvoiceRecord } from '../../billing/ledger/record-schemas.ts'
import { ledgerStub } from '../../billing/ledger/ledger-stub.ts'
import { queryAllHomes } from '../../billing/plans/query-all-homes.ts'
import { billPage, billsTable } from './invoice-files.ts'
import { createClock, type ZonedClock } from './zoned-clock.ts'
import { collect, ownHomes, type OwnEvent } from './collect-events.ts'
import { clipNames, eventsTable } from './event-files.ts'

/** Maximum number of invoices that get their own page in the export: forty years of monthly invoices. */
const BILL_PAGES = 500

export async function answerSize(env: Env, userId: string, now: number) {
  const homes = await ownHomes(env, userId)
  const counts = await Promise.all(
    homes.map(({ home_id, plans }) => homeStub(env, home_id).countExportData({ userId, plans, now })),
  )
  const sum = (of: 'clips' | 'events' | 'bytes' | 'unknown') => counts.reduce((all, count) => all + count[of], 0)
  const [clips, events, knownBytes, unknown] = [sum('clips'), sum('events'), sum('bytes'), sum('unknown')]
  const { length: bills } = await ledgerStub(env, userId).invoices(now)
  // Clips of unknown size are estimated by the average of the others.
  const bytes = unknown < clips ? Math.round((knownBytes * clips) / (clips - unknown)) : knownBytes
  const parts = [clips / TAKE_CLIPS_MAX, events / TAKE_EVENTS_MAX, bytes / EXPORT_BYTES_MAX, Math.min(1, bills)]
  return { clips, events, bills, bytes, about: unknown > 0, archives: Math.ceil(Math.max(...parts)) }
}

export async function buildExportArchive(
  env: Env,
  caller: Caller,
  { zone, after }: { readonly zone: string; readonly after: string },
  now: number,
) {
  const { userId } = caller
  const clock = createClock(zone)
  const homes = await ownHomes(env, userId)
  const [first] = homes
  if (!first) throw notFound()
  const { events, next } = await collect(env, homes, after, { userId, now })
  const clips = await withoutLost(env, filterClips(events))
  const ready = await computeClipChecksums(env, clips)
  if (ready < clips.length) return { state: 'preparing' as const, ready, total: clips.length }
  const files = buildExportEntries(events, clips, clock, now)
  const bills = after === '' ? await ledgerStub(env, userId).invoices(now) : []
  const entries = [...files, ...(bills.length === 0 ? [] : billFiles(bills, clock, now))]
  if (entries.length === 0) throw notFound()
  const { exportId, ...opened } = await open(env, caller, first.home_id, entries, now)
  return { ...opened, take_id: exportId, clips: clips.length, next }
}

const filterClips = (events: readonly OwnEvent[]): HomeExportClip[] =>
  events.flatMap(({ clip_object, ...event }) => (clip_object === null ? [] : [{ ...event, clip_object }]))

function buildExportEntries(
  events: readonly OwnEvent[],
  clips: readonly HomeExportClip[],
  clock: ZonedClock,
  now: number,
): ExportEntry[] {
  if (events.length === 0) return []
  const stored = new Map(clips.map((clip) => [clip.event_id, clip]))
  const names = clipNames(events, clock)
  const entries = events.flatMap(({ event_id, event_ts: at }, i): ExportEntry[] => {
    const clip = stored.get(event_id)
    if (!clip) return []
    const { home_id, clip_object: object, clip_bytes, clip_crc } = clip
    const name = names[i] ?? event_id
    return [{ home_id, event_id, object, name, bytes: clip_bytes ?? 0, crc: clip_crc ?? 0, at, text: null }]
  })
  const files = events.map(({ event_id }, i) => (stored.has(event_id) ? (names[i] ?? '') : ''))
  return [textFile('events.csv', eventsTable(events, files, clock), now), ...entries]
}

function billFiles(bills: readonly InvoiceRecord[], clock: ZonedClock, now: number): ExportEntry[] {
  const pages = bills
    .slice(0, BILL_PAGES)
    .map((bill) => textFile(`bills/${bill.bill}.txt`, billPage(bill, clock), bill.at))
  return [textFile('bills.csv', billsTable(bills, clock), now), ...pages]
}

function textFile(name: string, text: string, at: number): ExportEntry {
  const bytes = new TextEncoder().encode(text)
  return { home_id: '', event_id: '', object: '', name, bytes: bytes.length, crc: crc32(bytes), at, text }
}

/** Returns a URL of an archive that was built for the account. Throws 404 without one. */
export async function answerAddress(env: Env, caller: Caller, takeId: string, now: number) {
  const results = await queryAllHomes(env, { userId: caller.userId, now }, (stub) => stub.export(takeId, caller.userId))
  const text = results.find((entries) => entries !== null)
  const entries = readJson(v.array(exportEntry), text ?? null)
  if (entries === null) throw notFound()
  return await address(env, caller, takeId, entries, now)
}
