// @vitest-environment jsdom
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { configureClient } from '../../../src/api/api-client.ts'
import {
  $taken,
  $takeSize,
  $taking,
  dropTaken,
  loadTake,
  stopTaking,
  exportNextArchive,
} from '../../../src/stores/account/data-export.ts'
import { $toast, closeToast } from '../../../src/stores/shell/toasts.ts'
import { extractFacts } from '../../support/facts.ts'

const PIECE = 8 * 1024 * 1024
const FILE = randomBytes(2 * PIECE + 1000)
const SIZE = { clips: 2, events: 3, bills: 1, bytes: FILE.length, about: false, archives: 1 }
const ID = 'a'.repeat(40)

function inMemory() {
  const entries = new Map<string, ArrayBuffer>()
  const cache = {
    match: (url: string) => Promise.resolve(entries.has(url) ? new Response(entries.get(url)) : undefined),
    put: async (url: string, answer: Response) => void entries.set(url, await answer.arrayBuffer()),
  }
  return { kept: entries, open: () => Promise.resolve(cache), delete: () => Promise.resolve((entries.clear(), true)) }
}

let cache: ReturnType<typeof inMemory>
let requests: string[]
let pieces: string[]
let saved: number[]
let cutAt: number
let made: Record<string, unknown>[]

beforeEach(() => {
  ;[requests, pieces, saved, cutAt, cache] = [[], [], [], Infinity, inMemory()]
  made = [{ state: 'ready', take_id: ID, url: 'http://media/zip', bytes: FILE.length, clips: 2, next: null }]
  vi.stubGlobal('caches', cache)
  vi.stubGlobal('fetch', (_url: string, { headers }: { headers: { range: string } }) => {
    const [from = 0, to = 0] = (headers.range.match(/\d+/g) ?? []).map(Number)
    if (from >= cutAt) return Promise.reject(new TypeError('cut'))
    pieces.push(headers.range)
    return Promise.resolve(new Response(FILE.subarray(from, to + 1), { status: 206 }))
  })
  URL.createObjectURL = (blob) => (saved.push((blob as Blob).size), 'blob:x')
  URL.revokeObjectURL = () => undefined
  HTMLAnchorElement.prototype.click = () => undefined
  configureClient({
    fetch: (address, init) => {
      const path = new URL(String(address), 'http://localhost').pathname
      requests.push(`${init?.method ?? 'GET'} ${path}`)
      if (path.endsWith('take-address')) return answer({ url: 'http://media/zip', bytes: FILE.length })
      return init?.method === 'POST' ? answer(made.length > 1 ? made.shift() : made[0]) : answer(SIZE)
    },
    token: () => 'handle',
    xsrf: () => 'xsrf',
    refresh: () => Promise.resolve('over'),
    signedOut: () => undefined,
  })
  $taken.set(null)
  $takeSize.set({ state: 'loading' })
  while ($toast.get()) closeToast()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const answer = (data: unknown) => Promise.resolve(Response.json({ code: 200, data }))

/** Runs the export until it is done or has given up, skipping the waits. */
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
    await loadTake()
    expect($takeSize.get()).toEqual({ state: 'ready', ...SIZE })
  })

  test('polls until the archive is ready and saves the whole file', async () => {
    made.unshift({ state: 'preparing', ready: 1, total: 2 })
    await runExport()
    expect(requests.filter((request) => request.startsWith('POST'))).toHaveLength(2)
    expect(saved).toEqual([FILE.length])
    expect([$taken.get(), $taking.get()]).toEqual([null, null])
    expect($toast.get()?.style).toBe('success')
  })

  test('resumes after a lost connection with a fresh URL, without fetching the received parts again', async () => {
    cutAt = PIECE
    await runExport()
    expect(saved).toEqual([])
    expect($taken.get()?.made?.share).toBeCloseTo(PIECE / FILE.length, 5)
    expect($toast.get()?.style).toBe('error')
    ;[cutAt, pieces, requests] = [Infinity, [], []]
    await runExport()
    expect(requests).toEqual(['GET /api/p/extension/extension/take-address'])
    expect(pieces.map((range) => range.replace(/-.*/, ''))).toEqual([`bytes=${PIECE}`, `bytes=${2 * PIECE}`])
    expect([saved, $taken.get()]).toEqual([[FILE.length], null])
  })

  test('stores nothing that is readable without data that this browser deletes at sign-out', async () => {
    cutAt = PIECE
    await runExport()
    const [stored] = cache.kept.values()
    expect(stored?.byteLength).toBeGreaterThan(PIECE)
    expect(Buffer.from(stored ?? new ArrayBuffer()).includes(FILE.subarray(0, 64))).toBe(false)
  })

  test('stops on request, and starts over only on request', async () => {
    made = [{ state: 'preparing', ready: 0, total: 2 }]
    const done = exportNextArchive()
    stopTaking()
    await done
    expect([$taken.get(), saved]).toEqual([null, []])
    $taken.set({ after: '', part: 1, made: null })
    await dropTaken()
    expect($taken.get()).toBeNull()
  })

  test('waits for a request before it fetches the next of several archives', async () => {
    made = [{ ...made[0], next: 'home_a:7' }]
    await runExport()
    expect($taken.get()).toEqual({ after: 'home_a:7', part: 2, made: null })
    expect(extractFacts($toast.get()?.text ?? '')).toEqual(['1'])
    closeToast()
    $takeSize.set({ state: 'ready', ...SIZE, archives: 5 })
    await runExport()
    expect(extractFacts($toast.get()?.text ?? '')).toEqual(['2', '3'])
  })
})
