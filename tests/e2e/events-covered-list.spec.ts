import type { Page } from 'playwright/test'
import { findViolationsOnPhone } from '../support/axe.ts'
import { expect, SIGNED_IN_STATES, test } from '../support/e2e.ts'
import { eventCards } from '../support/events.ts'

test.use({ storageState: SIGNED_IN_STATES.owner, viewport: { width: 412, height: 823 } })

interface TraceEvent {
  readonly name: string
  readonly args: { readonly elementCount?: number }
}

/** Returns the largest number of elements whose styles the browser computed together during `action`. */
async function countRestyledElements(page: Page, action: () => Promise<void>): Promise<number> {
  const browser = page.context().browser()
  if (!browser) throw new Error('The page has no browser.')
  await browser.startTracing(page, { categories: ['devtools.timeline'] })
  await action()
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as { traceEvents: TraceEvent[] }
  return Math.max(...traceEvents.map(({ name, args }) => (name === 'UpdateLayoutTree' ? (args.elementCount ?? 0) : 0)))
}

test('on a phone, the list behind a clip is hidden, and closing the clip does not compute its styles again', async ({
  page,
}) => {
  await page.goto('/events')
  const link = eventCards(page).getByRole('link').first()
  await link.click()
  const panel = page.locator('section[data-covered]')
  await expect(panel).toHaveCount(1)
  await expect(page.getByRole('region', { name: 'Events' })).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Clip' })).toBeVisible()
  expect(await findViolationsOnPhone(page, 'clip over the list')).toEqual([])
  const card = page.locator('[data-event]').first()
  await expect(card).toBeHidden()
  await card.evaluate((element: HTMLElement) => element.focus())
  await expect(card).not.toBeFocused()

  // Settled: the covered list no longer renders.
  const elementCount = await page.locator('section[data-covered] *').count()
  expect(elementCount).toBeGreaterThan(200)
  const restyledCount = await countRestyledElements(page, async () => {
    await page.keyboard.press('Escape')
    await expect(link).toBeFocused()
    await expect(page.getByRole('region', { name: 'Clip' })).toHaveCount(0)
  })
  expect(restyledCount).toBeLessThan(elementCount / 2)
})
