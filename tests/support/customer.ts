import type { Page } from 'playwright/test'
import * as v from 'valibot'
import { XSRF_COOKIE, XSRF_HEADER } from '../../contract/wire/constants.ts'
import type { Call } from '../../contract/wire/call.ts'
import type { Order } from '../../contract/billing/purchase.ts'
import { readEnvironment } from '../../scripts/lib/secrets-file.ts'
import {
  addCardOverHttp,
  buyPlanOverHttp,
  createAccount,
  PASSWORD,
  signInContext,
  UNLIMITED_PLAN,
} from './browser-account.ts'
import { TEST_CARD } from './card-form.ts'
import { pressTabUntilFocused } from './e2e.ts'
import { RESULTS_FOLDER } from './results.ts'

/** Creates an account and signs the browser in to it over HTTP. Returns the account's email address. */
export async function signInAsNewAccount(page: Page, name: string): Promise<string> {
  const email = await createAccount(name)
  await signInContext(page.context(), email, PASSWORD)
  return email
}

export async function openWithCard(
  page: Page,
  name: string,
  path: string,
  change: Partial<typeof TEST_CARD> = {},
): Promise<void> {
  await signInAsNewAccount(page, name)
  await addCardOverHttp(page, change)
  await page.goto(path)
}

export async function openWithPlan(page: Page, name: string, path: string, target = UNLIMITED_PLAN): Promise<Order> {
  await signInAsNewAccount(page, name)
  const order = await buyPlanOverHttp(page, await addCardOverHttp(page), target)
  await page.goto(path)
  return order
}

/** Fills the card page with the keyboard and submits it. */
export async function typeCard(page: Page): Promise<void> {
  for (const name of ['number', 'ends', 'code', 'name', 'street', 'city', 'state', 'zip'] as const) {
    await pressTabUntilFocused(page, page.locator(`[name=${name}]`))
    await page.keyboard.type(TEST_CARD[name])
  }
  await page.keyboard.press('Enter')
}

const responseSchema = v.object({ data: v.unknown() })

/** Sends an API call with the browser's session, without using the page. Returns the data of the response. */
export async function callFromPage(page: Page, { group, path, method }: Call, data: object): Promise<unknown> {
  const { PORTAL_ORIGIN = '' } = readEnvironment(`${RESULTS_FOLDER}/data/run.env`)
  const cookies = await page.context().cookies(PORTAL_ORIGIN)
  const answer = await page.context().request.fetch(`${PORTAL_ORIGIN}/api/p/${group}${path}`, {
    method,
    data,
    headers: {
      origin: PORTAL_ORIGIN,
      'sec-fetch-site': 'same-origin',
      [XSRF_HEADER]: cookies.find(({ name }) => name === XSRF_COOKIE)?.value ?? '',
    },
  })
  if (!answer.ok()) throw new Error(`${path} returned ${answer.status()}.`)
  return v.parse(responseSchema, await answer.json()).data
}
