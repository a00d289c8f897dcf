import type { Page } from 'playwright/test'
import type { SentEvent } from '../../contract/telemetry/analytics-events.ts'
import { expect } from './e2e.ts'
import { scaleTimeout } from './machine.ts'

export const ANALYTICS_SENT_TIMEOUT = { timeout: scaleTimeout(60_000) }

/** Records the analytics events that a page sends, and the paths below `/t/` that it requests. */
export function recordAnalytics(page: Page) {
  const sent: SentEvent[] = []
  const requestedPaths: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (!pathname.startsWith('/t/')) return
    requestedPaths.push(pathname)
    if (pathname !== '/t/events') return
    // If a page closes before the server responds, the next page sends the same events again. Skips these repeats.
    const { events } = request.postDataJSON() as { events: SentEvent[] }
    sent.push(...events.filter(({ insert_id }) => sent.every((event) => event.insert_id !== insert_id)))
  })
  return { sent, requestedPaths }
}

/**
 * Runs idle callbacks immediately. Analytics requests many idle callbacks, and on a busy machine each can wait for two
 * seconds.
 */
export const runIdleCallbacksAtOnce = (page: Page) =>
  page.addInitScript(() => {
    window.requestIdleCallback = (task) => window.setTimeout(task, 0, { didTimeout: false, timeRemaining: () => 50 })
  })

/**
 * Polls `read`. Hides the page before each read, as a tab switch does, because a hidden page sends its queued events.
 */
export const pollWhileHiding = <T>(page: Page, read: () => T | Promise<T>, message?: string) =>
  expect.poll(
    async () => {
      await hidePage(page)
      return read()
    },
    { ...ANALYTICS_SENT_TIMEOUT, intervals: [100], ...(message !== undefined && { message }) },
  )

const hidePage = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const value of ['hidden', 'visible']) {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true })
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    }
  })

export function recordScriptUrls(page: Page): string[] {
  const scripts: string[] = []
  page.on('requestfinished', (request) => void (request.resourceType() === 'script' && scripts.push(request.url())))
  return scripts
}

export async function expectNoAnalytics(page: Page, scripts: readonly string[]): Promise<void> {
  await expect.poll(() => scripts.some((url) => /\/start-analytics\.[\w-]+\.js/.test(url))).toBe(true)
  await page.evaluate(() => fetch('/config.json').then(() => new Promise((resolve) => requestIdleCallback(resolve))))
  expect(scripts.filter((url) => /page-analytics|amplitude-clients/.test(url))).toEqual([])
}
