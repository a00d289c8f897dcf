import type { SearchMatch, QueryInterpretation } from '../../contract/search/search-calls.ts'
import { expect, type Locator, type Page, type Response } from 'playwright/test'
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

const isSearchResponse = (response: Response) => response.url().endsWith('/api/p/ai-video-search/search')

async function readMatches(response: Response) {
  const body = (await response.json()) as {
    data: { events: SearchMatch[]; total: number; closest: SearchMatch[]; said: QueryInterpretation }
  }
  return body.data
}

/** Returns the data of the next search response. Call this function before the page sends the search. */
export async function waitForSearchResponse(page: Page) {
  return readMatches(await page.waitForResponse(isSearchResponse))
}

/**
 * Returns an array to which the matches of all later search responses of the page are added. Ignores responses that the
 * browser discarded because the page was left.
 */
export function collectSearchMatches(page: Page) {
  const matches: SearchMatch[] = []
  page.on('response', (response) => {
    if (!isSearchResponse(response)) return
    void readMatches(response).then(
      ({ events }) => matches.push(...events),
      () => undefined,
    )
  })
  return matches
}

export async function searchFor(page: Page, query: string) {
  const answer = waitForSearchResponse(page)
  await searchField(page).fill(query)
  await page.keyboard.press('Enter')
  return answer
}
