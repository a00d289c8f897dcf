import { expect, type Page } from 'playwright/test'

/** Waits until toolbar, keyboard shortcuts and dragging of /live work. */
export async function ready(page: Page): Promise<void> {
  await expect(page.getByText(/\d of \d live/)).toBeVisible()
  await expect(page.getByRole('main').getByRole('status').first()).toBeAttached()
}
