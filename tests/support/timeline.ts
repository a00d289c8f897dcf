import type { Locator, Page } from 'playwright/test'
import { expect } from './e2e.ts'
import { eventCards } from './events.ts'

export const timelineGrid = (page: Page) => page.getByRole('grid', { name: /^Timeline/ })
export const timelineStrips = (page: Page) => timelineGrid(page).getByRole('gridcell')
/** Returns the player of the open clip. The locator does not match the preview that a card plays under the mouse. */
export const clipPlayer = (page: Page) => page.getByLabel(/^Clip: /)
export const readOpenEventId = (page: Page) => new URL(page.url()).searchParams.get('event') ?? ''

interface Box {
  x: number
  y: number
  width: number
  height: number
}

export async function measureBox(locator: Locator): Promise<Box> {
  const box = await locator.boundingBox()
  if (!box) throw new Error('The element has no bounding box.')
  return box
}

/** Opens the page and waits for all days of the list and the totals of the timeline strips. */
export async function openLoadedTimeline(page: Page, path = '/events'): Promise<void> {
  await page.goto(path)
  await expect(eventCards(page).nth(3)).toBeVisible()
  // Older days load after the newest day, and the timeline stays busy until all are loaded.
  await expect(timelineGrid(page)).toHaveAttribute('aria-busy', 'false')
  await expect(timelineStrips(page).first()).toHaveAccessibleName(/Online for .+ events?$/)
}
