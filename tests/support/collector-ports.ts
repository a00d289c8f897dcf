import { vi } from 'vitest'
import { DeviceCollector } from '../../src/services/device-collector/device-collector.ts'
import type { CollectorPorts } from '../../src/services/device-collector/collector-ports.ts'
import { COLLECTOR_KEYS } from '../../src/stores/storage/analytics-keys.ts'

export const COLLECTOR_ORIGIN = 'https://collector.example'
export const SESSION_ID = 'session1'
export const COLLECTOR_CONFIG = {
  clientID: 'porchlight',
  environment: 'TEST',
  isSinglePageApp: false,
  hosts: { TEST: COLLECTOR_ORIGIN, PROD: 'https://prod.example' },
}
export const FEATURE_FLAGS = { app: true, battery: true, browser: true, exp: true, page: true, ui: true }
export const FIRST_PARTY_VALUE = 'first-party-value-1'
/** Default responses of the collector's host, by method and path. */
export const DEFAULT_RESPONSES: Readonly<Record<string, () => Response | Promise<Response>>> = {
  'GET /cs/config': () => Response.json({ ttlms: 60_000, collection: { collect: true, feature_flags: FEATURE_FLAGS } }),
  'GET /cs/generatecookie': () => Response.json({ value: FIRST_PARTY_VALUE }),
  'POST /cs/storecookie': () => Response.json({}),
  'POST /session/session1': () => Response.json({}),
  'POST /session/session2': () => Response.json({}),
}

const createTextStorage = () => {
  const entries = new Map<string, string>()
  return {
    entries,
    read: (key: string) => entries.get(key) ?? null,
    write: (key: string, value: string) => void entries.set(key, value),
    remove: (key: string) => void entries.delete(key),
  }
}

/**
 * Creates a fake browser for a device collector. `answers` override `DEFAULT_RESPONSES`, by method and path. All other
 * requests fail with a network error.
 */
export function createCollectorBrowser(changes: Partial<CollectorPorts> = {}, answers: typeof DEFAULT_RESPONSES = {}) {
  const requests: { call: string; url: URL; init: RequestInit }[] = []
  const cookies = new Map<string, string>()
  const cookieWrites: string[] = []
  const [localEntries, tabEntries] = [createTextStorage(), createTextStorage()]
  const frames: string[] = []
  const beacons: { url: string; form: string }[] = []
  const debug: string[] = []
  let messageListener: ((message: { origin: string; data: unknown }) => void) | null = null
  let leaveListener: () => void = () => undefined
  const ports: CollectorPorts = {
    fetch: vi.fn(async (input, init: RequestInit = {}) => {
      const url = new URL(String(input))
      const call = `${init.method ?? 'GET'} ${url.pathname}`
      requests.push({ call, url, init })
      const answer = { ...DEFAULT_RESPONSES, ...answers }[call]
      if (!answer) throw new TypeError('Failed to fetch')
      return answer()
    }) as typeof fetch,
    localStorage: localEntries,
    tabStorage: tabEntries,
    cookie: {
      read: () => [...cookies].map((pair) => pair.join('=')).join('; '),
      write(text) {
        cookieWrites.push(text)
        const [name = '', value = ''] = (text.split(';')[0] ?? '').split('=')
        if (text.includes('max-age=0')) cookies.delete(name)
        else cookies.set(name, value)
      },
    },
    isSecure: true,
    now: () => Date.now(),
    randomId: () => 'instance1',
    openFrame: (src) => {
      frames.push(src)
      return () => void frames.splice(frames.indexOf(src), 1)
    },
    listen: (listener) => {
      messageListener = listener
      return () => (messageListener = null)
    },
    whenIdle: (task) => task(),
    onPageHide: (task) => (leaveListener = task),
    sendBeacon: (url, form) => void beacons.push({ url, form: form.toString() }),
    findForm: (id) => document.querySelector(`#${id}`),
    debug: (sentence) => void debug.push(sentence),
    ...changes,
  }
  return {
    ports,
    requests,
    listCalls: (name: string) => requests.filter(({ call }) => call === name),
    localEntries: localEntries.entries,
    tabEntries: tabEntries.entries,
    cookies,
    cookieWrites,
    frames,
    beacons,
    debug,
    keys: COLLECTOR_KEYS,
    sendMessage: (data: unknown, origin = COLLECTOR_ORIGIN) => messageListener?.({ origin, data }),
    leavePage: () => leaveListener(),
  }
}

export const respondWithStatus = (code: number) => () => Response.json({}, { status: code })
export const failNetwork = () => Promise.reject(new TypeError('Failed to fetch'))
export const neverRespond = () => new Promise<Response>(() => undefined)
export const respondWithConfig = (changes: object) => () =>
  Response.json({ ttlms: 60_000, collection: { collect: true, feature_flags: FEATURE_FLAGS }, ...changes })

/** Creates a collector in a fake browser, and records its phases. */
export function openCollector(changes: Partial<CollectorPorts> = {}, answers: typeof DEFAULT_RESPONSES = {}) {
  const browser = createCollectorBrowser(changes, answers)
  const collector = new DeviceCollector(COLLECTOR_CONFIG, browser.ports, browser.keys)
  const phases: string[] = []
  const listen = () => {
    collector.on('collect-begin', () => phases.push('begin'))
    collector.on('collect-end', () => phases.push('end'))
  }
  listen()
  return { ...browser, collector, phases, listen }
}

/**
 * Starts the collector and advances vitest's clock by 10 ms. After this time, the collector checks whether the
 * first-party value that it requested has arrived.
 */
export async function startCollector(collector: DeviceCollector): Promise<void> {
  const started = collector.start(SESSION_ID)
  await vi.advanceTimersByTimeAsync(10)
  await started
}
