import { vi } from 'vitest'
import { DeviceCollector } from '../../src/services/device-collector/device-collector.ts'
import type { CollectorPorts } from '../../src/services/device-collector/collector-ports.ts'
import { COLLECTOR_KEYS } from '../../src/stores/storage/analytics-keys.ts'

export const HOST = 'https://collector.example'
export const SESSION = 'session1'
export const CONFIG = {
  clientID: 'porchlight',
  environment: 'TEST',
  isSinglePageApp: false,
  hosts: { TEST: HOST, PROD: 'https://prod.example' },
}
export const FLAGS = { app: true, battery: true, browser: true, exp: true, page: true, ui: true }
export const VALUE = 'first-party-value-1'
/** Default responses of the host, by method and path. */
export const ANSWERS: Readonly<Record<string, () => Response | Promise<Response>>> = {
  'GET /cs/config': () => Response.json({ ttlms: 60_000, collection: { collect: true, feature_flags: FLAGS } }),
  'GET /cs/generatecookie': () => Response.json({ value: VALUE }),
  'POST /cs/storecookie': () => Response.json({}),
  'POST /session/session1': () => Response.json({}),
  'POST /session/session2': () => Response.json({}),
}

const keptText = () => {
  const entries = new Map<string, string>()
  return {
    kept: entries,
    read: (key: string) => entries.get(key) ?? null,
    write: (key: string, value: string) => void entries.set(key, value),
    remove: (key: string) => void entries.delete(key),
  }
}

/**
 * Fakes a browser for a device collector. The collector's host responds with `answers`, then with `ANSWERS`; the clock
 * is vitest's.
 */
export function collectorBrowser(changes: Partial<CollectorPorts> = {}, answers: typeof ANSWERS = {}) {
  const requests: { call: string; url: URL; init: RequestInit }[] = []
  const cookies = new Map<string, string>()
  const written: string[] = []
  const [local, tab] = [keptText(), keptText()]
  const frames: string[] = []
  const beacons: { url: string; form: string }[] = []
  const debug: string[] = []
  let hear: ((message: { origin: string; data: unknown }) => void) | null = null
  let leave: () => void = () => undefined
  const ports: CollectorPorts = {
    fetch: vi.fn(async (input, init: RequestInit = {}) => {
      const url = new URL(String(input))
      const call = `${init.method ?? 'GET'} ${url.pathname}`
      requests.push({ call, url, init })
      const answer = { ...ANSWERS, ...answers }[call]
      if (!answer) throw new TypeError('Failed to fetch')
      return answer()
    }) as typeof fetch,
    local,
    tab,
    cookie: {
      read: () => [...cookies].map((pair) => pair.join('=')).join('; '),
      write(text) {
        written.push(text)
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
      hear = listener
      return () => (hear = null)
    },
    whenIdle: (task) => task(),
    onLeave: (task) => (leave = task),
    beacon: (url, form) => void beacons.push({ url, form: form.toString() }),
    formOf: (id) => document.querySelector(`#${id}`),
    debug: (sentence) => void debug.push(sentence),
    ...changes,
  }
  return {
    ports,
    asked: requests,
    calls: (name: string) => requests.filter(({ call }) => call === name),
    local: local.kept,
    tab: tab.kept,
    cookies,
    written,
    frames,
    beacons,
    debug,
    keys: COLLECTOR_KEYS,
    say: (data: unknown, origin = HOST) => hear?.({ origin, data }),
    leave: () => leave(),
  }
}

export const status = (code: number) => () => Response.json({}, { status: code })
export const dead = () => Promise.reject(new TypeError('Failed to fetch'))
export const never = () => new Promise<Response>(() => undefined)
export const config = (changes: object) => () =>
  Response.json({ ttlms: 60_000, collection: { collect: true, feature_flags: FLAGS }, ...changes })

/** Opens a collector in a fake browser, and records its phases. */
export function openCollector(changes: Partial<CollectorPorts> = {}, answers: typeof ANSWERS = {}) {
  const browser = collectorBrowser(changes, answers)
  const collector = new DeviceCollector(CONFIG, browser.ports, browser.keys)
  const phases: string[] = []
  const listen = () => {
    collector.on('collect-begin', () => phases.push('begin'))
    collector.on('collect-end', () => phases.push('end'))
  }
  listen()
  return { ...browser, collector, told: phases, listen }
}

/**
 * Starts the collector and advances vitest's clock by 10 ms, which is enough for it to find the value that it requests.
 */
export async function startCollector(collector: DeviceCollector): Promise<void> {
  const started = collector.start(SESSION)
  await vi.advanceTimersByTimeAsync(10)
  await started
}
