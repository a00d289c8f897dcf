import { expect, type Page } from 'playwright/test'

/** Waits until the toolbar, the keyboard shortcuts and drag and drop of /live work. */
export async function waitForLivePage(page: Page): Promise<void> {
  await expect(page.getByText(/\d of \d live/)).toBeVisible()
  // PageBehaviors.tsx renders this paragraph together with its listeners.
  await expect(page.getByRole('main').locator('p[role="status"]').first()).toBeAttached()
}
