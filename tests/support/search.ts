import type { SearchMatch, QueryInterpretation } from '../../contract/search/search-calls.ts'
import { expect, type Locator, type Page } from 'playwright/test'
import { giveCard, givePlan, newAccount, PASSWORD, signInContext } from './browser-account.ts'
import { newCameras } from './new-cameras.ts'

export const searchDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Search' })
export const searchField = (page: Page): Locator =>
  searchDialog(page).getByRole('combobox', { name: 'Describe what happened' })
export const searchResults = (page: Page): Locator =>
  searchDialog(page).getByRole('list', { name: 'Results' }).getByRole('listitem')

/** Signs the browser in as a new account with a camera and a plan that includes the search. Returns its email address. */
export async function signInToSearch(page: Page, name: string): Promise<string> {
  const email = await newAccount(name)
  await newCameras(email, ['Porch'])
  await signInContext(page.context(), email, PASSWORD)
  await givePlan(page, await giveCard(page))
  return email
}

export async function goToSearch(page: Page, address = '/events?search='): Promise<void> {
  await page.goto(address)
  await turnOnSearch(page)
}

/**
 * Waits for the search dialog, turns search on if the account has not done so yet, and waits until the search field has
 * the focus.
 */
export async function turnOnSearch(page: Page): Promise<void> {
  const button = searchDialog(page).getByRole('button', { name: 'Turn on search' })
  await expect(button.or(searchField(page))).toBeVisible()
  if (await button.isVisible()) await button.click()
  await expect(searchField(page)).toBeFocused()
}

/** Returns the response to the page's next search. Call it before the page searches. */
export async function nextAnswer(page: Page) {
  const answer = await page.waitForResponse((response) => response.url().endsWith('/api/p/ai-video-search/search'))
  const body = (await answer.json()) as {
    data: { events: SearchMatch[]; total: number; closest: SearchMatch[]; said: QueryInterpretation }
  }
  return body.data
}

export async function searchFor(page: Page, query: string) {
  const answer = nextAnswer(page)
  await searchField(page).fill(query)
  await page.keyboard.press('Enter')
  return answer
}
