import type { Page } from 'playwright/test'

interface Counting {
  shifted?: { score: number }
}

/** Adds up the layout shift scores of every document that the page loads from now on. */
export async function countShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const sum = ((globalThis as Counting).shifted = { score: 0 })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) sum.score += (entry as unknown as { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

export const readLayoutShift = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { shifted } = globalThis as Counting
    if (!shifted) throw new Error('Nothing counts the shifts of this page.')
    return shifted.score
  })
