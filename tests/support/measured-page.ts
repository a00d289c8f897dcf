import type { Page } from 'playwright/test'
import type { SentEvent } from '../../contract/measured.ts'

/** Pages send what waits every ten seconds, or as they are left: a limit against what never ends, far from that. */
export const UNTIL_SENT = { timeout: 60_000 } as const

/** What the page sends of itself to the sinks, and which of them it asks. */
export function follow(page: Page) {
  const sent: SentEvent[] = []
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (!pathname.startsWith('/t/')) return
    asked.push(pathname)
    if (pathname !== '/t/events') return
    // A page that is left before its sink has answered leaves its events to the next one, which sends them again.
    const { events } = request.postDataJSON() as { events: SentEvent[] }
    sent.push(...events.filter(({ insert_id }) => sent.every((one) => one.insert_id !== insert_id)))
  })
  return { sent, asked }
}
