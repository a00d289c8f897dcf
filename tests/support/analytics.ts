import { vi } from 'vitest'
import { AMPLITUDE_CLIENTS } from '../../src/boot/telemetry/amplitude-clients.ts'
import { OWN_CLIENTS } from '../../src/boot/telemetry/page-analytics.ts'
import { Analytics, type AnalyticsPorts } from '../../src/services/analytics.ts'
import type { SentEvent } from '../../contract/telemetry/analytics-events.ts'
import { safeLocalStorage, safeSessionStorage } from '../../src/stores/storage/safe-storage.ts'
import { deleteAnalyticsData } from '../../src/stores/storage/analytics-opt-out.ts'
import { ANALYTICS_KEYS } from '../../src/stores/storage/analytics-keys.ts'
import {
  getAnalyticsBrowser,
  addUnsentEvent,
  readUnsentEvents,
  removeUnsentEvents,
  storeAnalyticsBrowser,
} from '../../src/stores/storage/sent-analytics-events.ts'

export const ORIGIN = 'https://portal.example'

/** The portal's own clients, and the libraries that an operator can choose. Both must behave alike. */
export const CLIENTS = { own: OWN_CLIENTS, amplitude: AMPLITUDE_CLIENTS }
export const CLIENT_NAMES = ['own', 'amplitude'] as const

/**
 * Creates page analytics with a fake endpoint. `answer` returns the endpoint's response. In the result, `kept` contains
 * the end of test tracking and the opt-out, `events` returns all posted events, and `sent` lists the events of accepted
 * batches.
 */
export function createAnalytics(
  change: Partial<AnalyticsPorts> = {},
  answer = () => Promise.resolve(Response.json({ code: 200 })),
  client: keyof typeof CLIENTS = 'own',
) {
  const state = { due: null as number | null, isOptedOut: false }
  const posted: { url: string; events: SentEvent[] }[] = []
  const sent: SentEvent[] = []
  const ports: AnalyticsPorts = {
    origin: ORIGIN,
    build: 'abcdef0',
    testTracking: true,
    route: '/live',
    fetch: vi.fn((url: string, { body }: RequestInit) => {
      // The own client fetches its configuration here; the library uses the global `fetch`.
      if (body === undefined) return fetch(url)
      posted.push({ url, events: (JSON.parse(body as string) as { events: SentEvent[] }).events })
      return answer()
    }),
    readDue: () => state.due,
    writeDue: (due) => ((state.due = due), true),
    optOut: () => void (state.isOptedOut = true),
    canContinue: () => true,
    browserFor: getAnalyticsBrowser,
    storeBrowser: storeAnalyticsBrowser,
    readUnsent: readUnsentEvents,
    addUnsent: addUnsentEvent,
    removeUnsent: removeUnsentEvents,
    runExclusively: (task) => task(),
    giveWay: () => Promise.resolve(),
    sent: (events) => void sent.push(...events),
    ...change,
  }
  const events = () => posted.flatMap((batch) => batch.events)
  return { analytics: new Analytics(ports, CLIENTS[client].createEvents), ports, kept: state, posted, events, sent }
}

/** Clears the web storage, its in-memory fallback for the analytics keys, and the body of the document. */
export function clearBrowserState(): void {
  for (const key of Object.values(ANALYTICS_KEYS))
    for (const storage of [safeLocalStorage, safeSessionStorage]) storage.remove(key)
  deleteAnalyticsData()
  localStorage.clear()
  sessionStorage.clear()
  document.body.innerHTML = ''
}
