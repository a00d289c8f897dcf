import type { SearchMatch, QueryInterpretation } from '../../contract/search/search-calls.ts'
import { expect, type Locator, type Page } from 'playwright/test'
import { addCardOverHttp, buyPlanOverHttp, createAccount, PASSWORD, signInContext } from './browser-account.ts'
import { addNewCameras } from './new-cameras.ts'

export const searchDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Search' })
export const searchField = (page: Page): Locator =>
  searchDialog(page).getByRole('combobox', { name: 'Describe what happened' })
export const searchResults = (page: Page): Locator =>
  searchDialog(page).getByRole('list', { name: 'Results' }).getByRole('listitem')

/** Signs the browser in as a new account with a camera and a plan that includes search. Returns the email address. */
export async function signInToSearch(page: Page, name: string): Promise<string> {
  const email = await createAccount(name)
  await addNewCameras(email, ['Porch'])
  await signInContext(page.context(), email, PASSWORD)
  await buyPlanOverHttp(page, await addCardOverHttp(page))
  return email
}

export async function openSearchPage(page: Page, path = '/events?search='): Promise<void> {
  await page.goto(path)
  await turnOnSearch(page)
}

/** Waits for the search dialog, turns search on if it is off, and waits until the search field has the focus. */
export async function turnOnSearch(page: Page): Promise<void> {
  const button = searchDialog(page).getByRole('button', { name: 'Turn on search' })
  await expect(button.or(searchField(page))).toBeVisible()
  if (await button.isVisible()) await button.click()
  await expect(searchField(page)).toBeFocused()
}

/** Returns the data of the next search response. Call this function before the page sends the search. */
export async function waitForSearchResponse(page: Page) {
  const answer = await page.waitForResponse((response) => response.url().endsWith('/api/p/ai-video-search/search'))
  const body = (await answer.json()) as {
    data: { events: SearchMatch[]; total: number; closest: SearchMatch[]; said: QueryInterpretation }
  }
  return body.data
}

export async function searchFor(page: Page, query: string) {
  const answer = waitForSearchResponse(page)
  await searchField(page).fill(query)
  await page.keyboard.press('Enter')
  return answer
}
