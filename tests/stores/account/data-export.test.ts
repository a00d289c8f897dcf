// @vitest-environment jsdom
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { configureClient } from '../../../src/api/api-client.ts'
import {
  $exportProgress,
  $exportSize,
  $exportStep,
  cancelExport,
  loadExportSize,
  pauseExport,
  exportNextArchive,
} from '../../../src/stores/account/data-export.ts'
import { $toast, closeToast } from '../../../src/stores/shell/toasts.ts'
import { extractFacts } from '../../support/facts.ts'

const PART_BYTES = 8 * 1024 * 1024
const ARCHIVE_BYTES = randomBytes(2 * PART_BYTES + 1000)
const EXPORT_SIZE = { clips: 2, events: 3, bills: 1, bytes: ARCHIVE_BYTES.length, about: false, archives: 1 }
const EXPORT_ID = 'a'.repeat(40)

function createMemoryCache() {
  const entries = new Map<string, ArrayBuffer>()
  const cache = {
    match: (url: string) => Promise.resolve(entries.has(url) ? new Response(entries.get(url)) : undefined),
    put: async (url: string, answer: Response) => void entries.set(url, await answer.arrayBuffer()),
  }
  return { entries, open: () => Promise.resolve(cache), delete: () => Promise.resolve((entries.clear(), true)) }
}

let cache: ReturnType<typeof createMemoryCache>
let requests: string[]
let requestedRanges: string[]
let savedSizes: number[]
let disconnectAt: number
let serverStates: Record<string, unknown>[]

beforeEach(() => {
  ;[requests, requestedRanges, savedSizes, disconnectAt, cache] = [[], [], [], Infinity, createMemoryCache()]
  serverStates = [
    { state: 'ready', take_id: EXPORT_ID, url: 'http://media/zip', bytes: ARCHIVE_BYTES.length, clips: 2, next: null },
  ]
  vi.stubGlobal('caches', cache)
  vi.stubGlobal('fetch', (_url: string, { headers }: { headers: { range: string } }) => {
    const [from = 0, to = 0] = (headers.range.match(/\d+/g) ?? []).map(Number)
    if (from >= disconnectAt) return Promise.reject(new TypeError('cut'))
    requestedRanges.push(headers.range)
    return Promise.resolve(new Response(ARCHIVE_BYTES.subarray(from, to + 1), { status: 206 }))
  })
  URL.createObjectURL = (blob) => (savedSizes.push((blob as Blob).size), 'blob:x')
  URL.revokeObjectURL = () => undefined
  HTMLAnchorElement.prototype.click = () => undefined
  configureClient({
    fetch: (url, init) => {
      const path = new URL(String(url), 'http://localhost').pathname
      requests.push(`${init?.method ?? 'GET'} ${path}`)
      if (path.endsWith('take-address')) return jsonResponse({ url: 'http://media/zip', bytes: ARCHIVE_BYTES.length })
      return init?.method === 'POST'
        ? jsonResponse(serverStates.length > 1 ? serverStates.shift() : serverStates[0])
        : jsonResponse(EXPORT_SIZE)
    },
    token: () => 'handle',
    xsrf: () => 'xsrf',
    refresh: () => Promise.resolve('over'),
    onSignedOut: () => undefined,
  })
  $exportProgress.set(null)
  $exportSize.set({ state: 'loading' })
  while ($toast.get()) closeToast()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const jsonResponse = (data: unknown) => Promise.resolve(Response.json({ code: 200, data }))

/** Runs the export until it finishes or fails. Fake timers skip the waits of the export. */
async function runExport(): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const done = exportNextArchive()
  const ticking = setInterval(() => void vi.advanceTimersByTimeAsync(60_000), 5)
  await done
  clearInterval(ticking)
  vi.useRealTimers()
}

describe('data export', () => {
  test('reports its contents before it starts', async () => {
    await loadExportSize()
    expect($exportSize.get()).toEqual({ state: 'ready', ...EXPORT_SIZE })
  })

  test('polls until the archive is ready and saves the whole file', async () => {
    serverStates.unshift({ state: 'preparing', ready: 1, total: 2 })
    await runExport()
    expect(requests.filter((request) => request.startsWith('POST'))).toHaveLength(2)
    expect(savedSizes).toEqual([ARCHIVE_BYTES.length])
    expect([$exportProgress.get(), $exportStep.get()]).toEqual([null, null])
    expect($toast.get()?.style).toBe('success')
  })

  test('resumes after a lost connection with a fresh URL, without fetching the received parts again', async () => {
    disconnectAt = PART_BYTES
    await runExport()
    expect(savedSizes).toEqual([])
    expect($exportProgress.get()?.made?.share).toBeCloseTo(PART_BYTES / ARCHIVE_BYTES.length, 5)
    expect($toast.get()?.style).toBe('error')
    ;[disconnectAt, requestedRanges, requests] = [Infinity, [], []]
    await runExport()
    expect(requests).toEqual(['GET /api/p/extension/extension/take-address'])
    expect(requestedRanges.map((range) => range.replace(/-.*/, ''))).toEqual([
      `bytes=${PART_BYTES}`,
      `bytes=${2 * PART_BYTES}`,
    ])
    expect([savedSizes, $exportProgress.get()]).toEqual([[ARCHIVE_BYTES.length], null])
  })

  test('stores nothing that is readable without data that this browser deletes at sign-out', async () => {
    disconnectAt = PART_BYTES
    await runExport()
    const [stored] = cache.entries.values()
    expect(stored?.byteLength).toBeGreaterThan(PART_BYTES)
    expect(Buffer.from(stored ?? new ArrayBuffer()).includes(ARCHIVE_BYTES.subarray(0, 64))).toBe(false)
  })

  test('stops on request, and starts over only on request', async () => {
    serverStates = [{ state: 'preparing', ready: 0, total: 2 }]
    const done = exportNextArchive()
    pauseExport()
    await done
    expect([$exportProgress.get(), savedSizes]).toEqual([null, []])
    $exportProgress.set({ after: '', part: 1, made: null })
    await cancelExport()
    expect($exportProgress.get()).toBeNull()
  })

  test('waits for a request before it fetches the next of several archives', async () => {
    serverStates = [{ ...serverStates[0], next: 'home_a:7' }]
    await runExport()
    expect($exportProgress.get()).toEqual({ after: 'home_a:7', part: 2, made: null })
    expect(extractFacts($toast.get()?.text ?? '')).toEqual(['1', '1'])
    closeToast()
    $exportSize.set({ state: 'ready', ...EXPORT_SIZE, archives: 5 })
    await runExport()
    expect(extractFacts($toast.get()?.text ?? '')).toEqual(['2', '3'])
  })
})
