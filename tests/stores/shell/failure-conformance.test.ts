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
import {
  CANCELLATION_ACTIONS,
  CANCELLATION_PANELS,
  SILENT_CANCELLATION_CALLS,
} from '../../support/cancellation-store-calls.ts'
import { ACCOUNT_ACTIONS, ACCOUNT_PANELS, SILENT_ACCOUNT_CALLS } from '../../support/account-store-calls.ts'
import { PEOPLE_ACTIONS, PEOPLE_PANELS } from '../../support/people-store-calls.ts'
import { PURCHASE_PANELS, PURCHASE_ACTIONS, SILENT_PURCHASE_CALLS } from '../../support/purchase-store-calls.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'
import type { StoreCall } from '../../support/store-call.ts'

const { SEARCH_ENROLLMENT: ENROLLMENT, EVENT_LIST_CALLS } = known
const ACTION_CALLS = [
  ...known.TOAST_ACTIONS,
  ...PURCHASE_ACTIONS,
  ...CANCELLATION_ACTIONS,
  ...ACCOUNT_ACTIONS,
  ...PEOPLE_ACTIONS,
]
const ALL_PANEL_CALLS = [
  ...known.PANEL_CALLS,
  ...PURCHASE_PANELS,
  ...CANCELLATION_PANELS,
  ...ACCOUNT_PANELS,
  ...PEOPLE_PANELS,
]
const ALL_SILENT_CALLS = [
  ...known.SILENT_CALLS,
  ...SILENT_PURCHASE_CALLS,
  ...SILENT_CANCELLATION_CALLS,
  ...SILENT_ACCOUNT_CALLS,
]
const RATE_LIMIT_TEXT = ERROR_CATALOG['429'].text
const ALL_CALLS = [...ACTION_CALLS, ...EVENT_LIST_CALLS, ...ALL_PANEL_CALLS, ...ALL_SILENT_CALLS, ENROLLMENT]

let requests: string[] = []
let toasts: Toast[] = []
let stopCollecting = () => {}

const createCamera = (device_id: string, device_order: number) =>
  toDevice({ device_id, device_model: 'M', nickname: device_id, device_order, role: 1, device_category: 'camera' })

beforeEach(() => {
  localStorage.clear()
  $userId.set('user_1')
  vi.spyOn(console, 'debug').mockImplementation(() => undefined)
  $devices.set({ state: 'ready', devices: [createCamera('a', 0), createCamera('b', 1)] })
  requests = []
  toasts = []
  stopCollecting = $toast.listen((toast) => {
    if (!toast) return
    toasts.push(toast)
    closeToast()
  })
})
afterEach(() => {
  stopCollecting()
  vi.restoreAllMocks()
})

function findCall(method: string, path: string): Call | undefined {
  return GATEWAY_CALLS.find(
    (call) =>
      call.method === method &&
      new RegExp(`^/api/p/${call.group}${call.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )
}

/** Responds to every call with `status` (null: a network error). Calls in `before` succeed with their data. */
function respondToAll(status: number | null, precedingResponses: StoreCall['before'] = {}): void {
  configureClient({
    fetch: (url, init) => {
      const call = findCall(init?.method ?? 'GET', new URL(String(url), 'http://localhost').pathname)
      if (!call) throw new Error(`No call has the URL ${String(url)}.`)
      requests.push(call.ledger)
      const data = precedingResponses[call.ledger]
      if (data !== undefined) return Promise.resolve(Response.json({ code: call.success, data }))
      if (status === null) return Promise.reject(new TypeError('Failed to fetch'))
      return Promise.resolve(Response.json({ code: status, msg: '<b>no</b>' }, { status }))
    },
    token: () => 'handle',
    xsrf: () => 'xsrf',
    refresh: () => Promise.resolve('over'),
    onSignedOut: () => undefined,
  })
}

/**
 * Runs the store call, and waits until its request is sent and five turns of the event loop have passed. Returns the
 * result of the store call.
 */
async function runCall(
  { requirement, ask: run, before: precedingResponses }: StoreCall,
  status: number | null,
): Promise<unknown> {
  respondToAll(status, precedingResponses)
  const answer = await run()
  await vi.waitFor(() => expect(requests).toContain(requirement), WAIT_OPTIONS)
  for (let turns = 0; turns < 5; turns += 1) await new Promise((resolve) => setTimeout(resolve))
  return answer
}
const listToastTexts = () => toasts.map(({ text }) => text)

describe('failed action', () => {
  test.each(ACTION_CALLS)(
    'OPEN-133 OPEN-169 ERROR-01 ERROR-04 shows one toast if the user $what too often',
    async (action) => {
      await runCall(action, 429)
      expect(toasts).toEqual([{ id: expect.any(Number) as number, style: 'error', text: RATE_LIMIT_TEXT }])
    },
  )

  test.each(ACTION_CALLS)('ERROR-06 shows one toast if the user $what and the server fails', async (action) => {
    await runCall(action, 500)
    expect(listToastTexts()).toEqual([ERROR_CATALOG['500'].text])
  })

  test.each(ACTION_CALLS)('shows one toast if the user $what and no response arrives', async (action) => {
    await runCall(action, null)
    expect(listToastTexts()).toEqual([expect.stringMatching(/^[A-Z].{20,}\.$/)])
  })

  test.each(ACTION_CALLS)('ERROR-39 shows no toast if the user $what and is signed out', async (action) => {
    await runCall(action, 401)
    expect(listToastTexts()).toEqual([])
  })

  test('SEARCH-10 OPEN-71 has its own message if the user turns search on', async () => {
    await runCall(ENROLLMENT, 429)
    expect(listToastTexts()).toEqual(['Looks like there was a problem while enrolling you. Please try again.'])
  })
})

describe('failed list or panel', () => {
  test.each(EVENT_LIST_CALLS)('OPEN-63 shows the message in place and in one toast: $what', async (list) => {
    const answer = await runCall(list, 429)
    expect(list.readFailure(answer)).toBe(RATE_LIMIT_TEXT)
    await vi.waitFor(() => expect(listToastTexts()).toEqual([RATE_LIMIT_TEXT]), WAIT_OPTIONS)
  })

  test.each(ALL_PANEL_CALLS)('OPEN-133 shows the message only in place: $what', async (panel) => {
    const answer = await runCall(panel, 429)
    expect([panel.readFailure(answer), listToastTexts()]).toEqual([RATE_LIMIT_TEXT, []])
  })

  test.each(ALL_PANEL_CALLS)('shows a lost connection only in place: $what', async (panel) => {
    const answer = await runCall(panel, null)
    expect(panel.readFailure(answer)).toMatch(/^[A-Z].{20,}\.$/)
    expect(listToastTexts()).toEqual([])
  })
})

describe('failed background request', () => {
  test.each(ALL_SILENT_CALLS)('shows no toast: $what', async (run) => {
    await runCall(run, 429)
    expect(listToastTexts()).toEqual([])
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
  expect([...new Set(ALL_CALLS.map(({ requirement }) => requirement))].toSorted()).toEqual(used.toSorted())
})
