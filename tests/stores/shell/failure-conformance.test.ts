// @vitest-environment jsdom
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Call } from '../../../contract/wire/call.ts'
import { GATEWAY_CALLS } from '../../../contract/all-calls.ts'
import { ERROR_CATALOG } from '../../../contract/wire/error-codes.ts'
import { configureClient } from '../../../src/api/api-client.ts'
import { $devices, toDevice } from '../../../src/stores/home/devices.ts'
import { $userId } from '../../../src/stores/session/session.ts'
import { $toast, closeToast, type Toast } from '../../../src/stores/shell/toasts.ts'
import * as known from '../../support/store-calls.ts'
import { LEAVING, LEAVING_PANELS, SILENT_LEAVING } from '../../support/asked-leaving.ts'
import { OVERVIEW, OVERVIEW_PANELS, SILENT_OVERVIEW } from '../../support/asked-overview.ts'
import { PEOPLE_ACTIONS, PEOPLE_PANELS } from '../../support/asked-people.ts'
import { PURCHASE_PANELS, PURCHASES, SILENT_PURCHASES } from '../../support/asked-purchases.ts'
import { patience } from '../../support/patience.ts'
import type { StoreCall } from '../../support/store-call.ts'

const { ENROLLMENT: ENROLLMENT, EVENT_LISTS } = known
const ACTIONS = [...known.ACTIONS, ...PURCHASES, ...LEAVING, ...OVERVIEW, ...PEOPLE_ACTIONS]
const PANELS = [...known.PANELS, ...PURCHASE_PANELS, ...LEAVING_PANELS, ...OVERVIEW_PANELS, ...PEOPLE_PANELS]
const SILENT = [...known.SILENT, ...SILENT_PURCHASES, ...SILENT_LEAVING, ...SILENT_OVERVIEW]
const SENTENCE = ERROR_CATALOG['429'].text
const ALL = [...ACTIONS, ...EVENT_LISTS, ...PANELS, ...SILENT, ENROLLMENT]

let requests: string[] = []
let toasts: Toast[] = []
let stop = () => {}

const camera = (device_id: string, device_order: number) =>
  toDevice({ device_id, device_model: 'M', nickname: device_id, device_order, role: 1, device_category: 'camera' })

beforeEach(() => {
  localStorage.clear()
  $userId.set('user_1')
  vi.spyOn(console, 'debug').mockImplementation(() => undefined)
  $devices.set({ state: 'ready', devices: [camera('a', 0), camera('b', 1)] })
  requests = []
  toasts = []
  stop = $toast.listen((toast) => {
    if (!toast) return
    toasts.push(toast)
    closeToast()
  })
})
afterEach(() => {
  stop()
  vi.restoreAllMocks()
})

function findCall(method: string, path: string): Call | undefined {
  return GATEWAY_CALLS.find(
    (call) =>
      call.method === method &&
      new RegExp(`^/api/p/${call.group}${call.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )
}

/** Answers every call with `status` (null: the connection breaks), except the calls in `before`. */
function answerAll(status: number | null, before: StoreCall['before'] = {}): void {
  configureClient({
    fetch: (url, init) => {
      const call = findCall(init?.method ?? 'GET', new URL(String(url), 'http://localhost').pathname)
      if (!call) throw new Error(`No call has the address ${String(url)}.`)
      requests.push(call.ledger)
      const data = before[call.ledger]
      if (data !== undefined) return Promise.resolve(Response.json({ code: call.success, data }))
      if (status === null) return Promise.reject(new TypeError('Failed to fetch'))
      return Promise.resolve(Response.json({ code: status, msg: '<b>no</b>' }, { status }))
    },
    token: () => 'handle',
    xsrf: () => 'xsrf',
    refresh: () => Promise.resolve('over'),
    signedOut: () => undefined,
  })
}

/** Runs the call. Returns its result once no request is pending. */
async function run({ ledger, ask, before }: StoreCall, status: number | null): Promise<unknown> {
  answerAll(status, before)
  const answer = await ask()
  await vi.waitFor(() => expect(requests).toContain(ledger), patience)
  for (let turns = 0; turns < 5; turns += 1) await new Promise((resolve) => setTimeout(resolve))
  return answer
}
const texts = () => toasts.map(({ text }) => text)

describe('failed action', () => {
  test.each(ACTIONS)(
    'OPEN-133 OPEN-169 ERROR-01 ERROR-04 shows one toast if the user $what too often',
    async (action) => {
      await run(action, 429)
      expect(toasts).toEqual([{ id: expect.any(Number) as number, style: 'error', text: SENTENCE }])
    },
  )

  test.each(ACTIONS)('ERROR-06 shows one toast if the user $what and the server fails', async (action) => {
    await run(action, 500)
    expect(texts()).toEqual([ERROR_CATALOG['500'].text])
  })

  test.each(ACTIONS)('shows one toast if the user $what and no response arrives', async (action) => {
    await run(action, null)
    expect(texts()).toEqual([expect.stringMatching(/^[A-Z].{20,}\.$/)])
  })

  test.each(ACTIONS)('ERROR-39 shows no toast if the user $what and is signed out', async (action) => {
    await run(action, 401)
    expect(texts()).toEqual([])
  })

  test('SEARCH-10 OPEN-71 has its own message if the user turns search on', async () => {
    await run(ENROLLMENT, 429)
    expect(texts()).toEqual(['Looks like there was a problem while enrolling you. Please try again.'])
  })
})

describe('failed list or panel', () => {
  test.each(EVENT_LISTS)('OPEN-63 shows the message in place and in one toast: $what', async (list) => {
    const answer = await run(list, 429)
    expect(list.place(answer)).toBe(SENTENCE)
    await vi.waitFor(() => expect(texts()).toEqual([SENTENCE]), patience)
  })

  test.each(PANELS)('OPEN-133 shows the message only in place: $what', async (panel) => {
    const answer = await run(panel, 429)
    expect([panel.place(answer), texts()]).toEqual([SENTENCE, []])
  })

  test.each(PANELS)('shows a lost connection only in place: $what', async (panel) => {
    const answer = await run(panel, null)
    expect(panel.place(answer)).toMatch(/^[A-Z].{20,}\.$/)
    expect(texts()).toEqual([])
  })
})

describe('failed background request', () => {
  test.each(SILENT)('shows no toast: $what', async (ask) => {
    await run(ask, 429)
    expect(texts()).toEqual([])
  })
})

test('every call that a page makes is in one of these tables', async () => {
  const root = process.cwd()
  const names = new Set<string>()
  const folders = ['src/stores', 'src/early'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(root, folder, name)),
  )
  for (const file of folders.filter((name) => name.endsWith('.ts'))) {
    const source = readFileSync(file, 'utf8')
    for (const [, list = ''] of source.matchAll(/import \{([^}]*)\} from '[./]*contract\/[\w/-]+\.ts'/g))
      for (const name of list.split(',')) names.add(name.trim())
  }
  const used: string[] = []
  for (const file of readdirSync(join(root, 'contract'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )) {
    const module = (await import(join(root, 'contract', file))) as Record<string, Call>
    for (const [name, call] of Object.entries(module))
      if (names.has(name) && GATEWAY_CALLS.includes(call)) used.push(call.ledger)
  }
  expect(used.length).toBeGreaterThan(40)
  expect([...new Set(ALL.map(({ ledger }) => ledger))].toSorted()).toEqual(used.toSorted())
})
