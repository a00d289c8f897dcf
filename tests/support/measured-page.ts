import type { Page } from 'playwright/test'
import type { SentEvent } from '../../contract/measured.ts'

/** What pages measure is told once they are idle, and then every ten seconds: it is waited for longer than what one sees. */
export const SENT = { timeout: 45_000 } as const

/** What the page sends of itself to the sinks, and which of them it asks. */
export function follow(page: Page) {
  const sent: SentEvent[] = []
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (!pathname.startsWith('/t/')) return
    asked.push(pathname)
    if (pathname === '/t/events') sent.push(...(request.postDataJSON() as { events: SentEvent[] }).events)
  })
  return { sent, asked }
}
