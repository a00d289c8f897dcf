import { expect, type Page } from 'playwright/test'

/** Toolbar, keys and dragging of /live work once their scripts are there. */
export async function ready(page: Page): Promise<void> {
  await expect(page.getByText(/\d of \d live/)).toBeVisible()
  await expect(page.getByRole('main').getByRole('status').first()).toBeAttached()
}
