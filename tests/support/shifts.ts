import type { Page } from 'playwright/test'

interface Counting {
  shifted?: { score: number }
}

/** Counts on every page that is opened from now on how much of what is seen moves by itself. */
export async function countShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const sum = ((globalThis as Counting).shifted = { score: 0 })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) sum.score += (entry as unknown as { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/** The cumulative layout shift of the page so far. */
export const readLayoutShift = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { shifted } = globalThis as Counting
    if (!shifted) throw new Error('Nothing counts the shifts of this page.')
    return shifted.score
  })
