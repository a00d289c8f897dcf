import type { Match, Said } from '../../contract/search.ts'
import { expect, type Locator, type Page } from 'playwright/test'

/** The search dialog and what stands in it. */
export const searchDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Search' })
export const searchField = (page: Page): Locator =>
  searchDialog(page).getByRole('combobox', { name: 'Describe what happened' })
export const searchResults = (page: Page): Locator =>
  searchDialog(page).getByRole('list', { name: 'Results' }).getByRole('listitem')

/** Opens the search at an address; whoever comes first with an account turns it on. */
export async function goToSearch(page: Page, address = '/events?search='): Promise<void> {
  await page.goto(address)
  await searchDialog(page).getByRole('button', { name: 'Turn on search' }).or(searchField(page)).click()
  await expect(searchField(page)).toBeVisible()
}

/** What the provider answers to the next question of the page; begin to wait before it asks. */
export async function nextAnswer(page: Page) {
  const answer = await page.waitForResponse((one) => one.url().endsWith('/api/p/ai-video-search/search'))
  const body = (await answer.json()) as {
    data: { events: Match[]; total: number; closest: Match[]; said: Said }
  }
  return body.data
}

/** Asks, waits for the answer of the provider, and answers what it found. */
export async function searchFor(page: Page, query: string) {
  const answer = nextAnswer(page)
  await searchField(page).fill(query)
  await page.keyboard.press('Enter')
  return answer
}
