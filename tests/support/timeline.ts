import type { Locator, Page } from 'playwright/test'
import { expect } from './e2e.ts'
import { cards } from './events.ts'

export const timeline = (page: Page) => page.getByRole('grid', { name: /^Timeline/ })
export const strips = (page: Page) => timeline(page).getByRole('gridcell')
/** Player of the open clip. It does not match the clip that a card plays under the mouse. */
export const clip = (page: Page) => page.getByLabel(/^Recording: /)
export const openId = (page: Page) => new URL(page.url()).searchParams.get('event') ?? ''

interface Box {
  x: number
  y: number
  width: number
  height: number
}

export async function measureBox(place: Locator): Promise<Box> {
  const box = await place.boundingBox()
  if (!box) throw new Error('It has no place.')
  return box
}

/** Opens the page and waits for all days of the list and the totals of the timeline strips. */
export async function openQuiet(page: Page, path = '/events'): Promise<void> {
  await page.goto(path)
  await expect(cards(page).nth(3)).toBeVisible()
  // Older days load after the newest day, and the timeline stays busy until all are loaded.
  await expect(timeline(page)).toHaveAttribute('aria-busy', 'false')
  await expect(strips(page).first()).toHaveAccessibleName(/On for .+ events?$/)
}
