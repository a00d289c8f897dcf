import type { Page } from 'playwright/test'

interface LayoutShiftGlobal {
  shifted?: { score: number }
}

/** Sums the layout shift scores of each document that the page loads after this call. Each document has its own sum. */
export async function recordLayoutShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const sum = ((globalThis as LayoutShiftGlobal).shifted = { score: 0 })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) sum.score += (entry as unknown as { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

export const readLayoutShift = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { shifted } = globalThis as LayoutShiftGlobal
    if (!shifted) throw new Error('Layout shifts of this page are not recorded.')
    return shifted.score
  })
