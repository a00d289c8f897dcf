import type { Page } from 'playwright/test'
import * as v from 'valibot'
import { XSRF_COOKIE, XSRF_HEADER } from '../../contract/wire/constants.ts'
import type { Call } from '../../contract/wire/call.ts'
import type { Order } from '../../contract/billing/purchase.ts'
import { readEnvironment } from '../../scripts/lib/secrets-file.ts'
import { giveCard, givePlan, newAccount, PASSWORD, signInContext, UNLIMITED } from './browser-account.ts'
import type { CARD } from './card-form.ts'
import { RESULTS } from './results.ts'

/** Signs the browser in as a new account, over HTTP. Returns its email address. */
export async function signInAsNew(page: Page, name: string): Promise<string> {
  const email = await newAccount(name)
  await signInContext(page.context(), email, PASSWORD)
  return email
}

export async function openWithCard(
  page: Page,
  name: string,
  path: string,
  change: Partial<typeof CARD> = {},
): Promise<void> {
  await signInAsNew(page, name)
  await giveCard(page, change)
  await page.goto(path)
}

export async function openWithPlan(page: Page, name: string, path: string, target = UNLIMITED): Promise<Order> {
  await signInAsNew(page, name)
  const order = await givePlan(page, await giveCard(page), target)
  await page.goto(path)
  return order
}

const called = v.object({ data: v.unknown() })

/** Makes a call with the session of the browser, without a page. Returns the data of the response. */
export async function callAs(page: Page, { group, path, method }: Call, data: object): Promise<unknown> {
  const { PORTAL_ORIGIN = '' } = readEnvironment(`${RESULTS}/data/run.env`)
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
  if (!answer.ok()) throw new Error(`${path} was answered ${answer.status()}.`)
  return v.parse(called, await answer.json()).data
}
