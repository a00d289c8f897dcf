import { vi } from 'vitest'
import { Analytics, type AnalyticsPorts } from '../../src/services/analytics.ts'
import type { SentEvent } from '../../contract/telemetry/analytics-events.ts'
import { local, tab } from '../../src/stores/storage/safe-storage.ts'
import { MEASURE_KEYS } from '../../src/stores/storage/analytics-keys.ts'
import { browserFor } from '../../src/stores/storage/sent-analytics-events.ts'

export const ORIGIN = 'https://portal.example'

/** Opens the analytics of a page whose sink responds with `answer`. Returns them with everything sent. */
export function openAnalytics(
  change: Partial<AnalyticsPorts> = {},
  answer = () => Promise.resolve(Response.json({ code: 200 })),
) {
  const state = { due: null as number | null, isOut: false }
  const posted: { url: string; events: SentEvent[] }[] = []
  const sent: SentEvent[] = []
  const ports: AnalyticsPorts = {
    ...{ origin: ORIGIN, build: 'abcdef0', testTracking: true, route: '/live' },
    fetch: vi.fn((url: string, { body }: RequestInit) => {
      posted.push({ url, events: (JSON.parse(body as string) as { events: SentEvent[] }).events })
      return answer()
    }),
    readDue: () => state.due,
    writeDue: (due) => ((state.due = due), true),
    optOut: () => void (state.isOut = true),
    ...{ goesOn: () => true, browserFor, giveWay: () => Promise.resolve() },
    sent: (events) => void sent.push(...events),
    ...change,
  }
  const events = () => posted.flatMap((batch) => batch.events)
  return { analytics: new Analytics(ports), ports, kept: state, posted, events, sent }
}

/** Clears storage, its in-memory fallback and the page between tests. */
export function cleanBrowser(): void {
  for (const key of Object.values(MEASURE_KEYS)) for (const storage of [local, tab]) storage.remove(key)
  localStorage.clear()
  sessionStorage.clear()
  document.body.innerHTML = ''
}
