import { randomBytes } from 'node:crypto'
import type { BrowserContext, Page } from 'playwright/test'
import { ADMIN_PATHS } from '../../contract/operator/operator-calls.ts'
import { fillPath, type Call } from '../../contract/wire/call.ts'
import { createPurchase, type Order, previewPurchase } from '../../contract/billing/purchase.ts'
import { callOperator } from '../../scripts/lib/operator.ts'
import { readEnvironment } from '../../scripts/lib/secrets-file.ts'
import { TEST_CARD, completeCardReturn, saveCardOnPage as submitCard } from './card-form.ts'
import { expect } from './e2e.ts'
import { RESULTS_FOLDER } from './results.ts'
import { startSignIn, completeSignInPage } from './sign-in-walk.ts'
import { Visitor } from './visitor.ts'

export const PASSWORD = 'seven red kites at noon'
let accountCount = 0

const visitors = new WeakMap<BrowserContext, Visitor>()

/** Creates an account that has a home without cameras. Returns the account's email address. */
export async function createAccount(name: string): Promise<string> {
  const { PROVIDER_ORIGIN = '', ADMIN_KEY = '' } = readEnvironment(`${RESULTS_FOLDER}/data/run.env`)
  const email = `${name}-${Date.now()}-${++accountCount}@example.com`
  const account = { email, password: PASSWORD, home: `Home of ${name}` }
  await callOperator({ PROVIDER_ORIGIN, ADMIN_KEY }, 'POST', ADMIN_PATHS.accounts, account)
  return email
}

/**
 * Signs a browser context in over HTTP: submits the provider's sign-in form and opens the callback URL, without
 * rendering a page.
 */
export async function signInContext(context: BrowserContext, email: string, password = 'porchlight'): Promise<void> {
  const visitor = new Visitor(portalOrigin())
  await visitor.navigate(await completeSignInPage(visitor, await startSignIn(visitor, '/live'), email, password))
  await context.addCookies(visitor.listCookieNames().map((name) => toBrowserCookie(visitor, name)))
  visitors.set(context, visitor)
}

const portalOrigin = (): string => readEnvironment(`${RESULTS_FOLDER}/data/run.env`)['PORTAL_ORIGIN'] ?? ''

function toBrowserCookie(visitor: Visitor, name: string) {
  const attributes = (visitor.setCookieHeaders.get(name) ?? '').toLowerCase()
  return {
    name,
    value: visitor.getCookie(name) ?? '',
    domain: new URL(visitor.portalOrigin).hostname,
    path: '/',
    httpOnly: attributes.includes('httponly'),
    secure: attributes.includes('secure'),
    sameSite: attributes.includes('samesite=strict') ? ('Strict' as const) : ('Lax' as const),
  }
}

/** Signs in as a new account and opens `path`. Returns the account's email address. */
export async function openAsNewAccount(page: Page, name: string, path: string): Promise<string> {
  const email = await createAccount(name)
  await signInContext(page.context(), email, PASSWORD)
  await page.goto(path)
  await expect(page).toHaveURL(path)
  return email
}

function requireVisitor(page: Page): Visitor {
  const visitor = visitors.get(page.context())
  if (!visitor) throw new Error('Nobody has signed in over HTTP in this browser context.')
  return visitor
}

/** Adds a card over HTTP with the forms of the card page. Returns the id of the payment method. */
export async function addCardOverHttp(page: Page, change: Partial<typeof TEST_CARD> = {}): Promise<string> {
  const visitor = requireVisitor(page)
  const started = await visitor.post('/api/payment/start', { return_to: '/account/payment' })
  const { url } = (await started.json()) as { url: string }
  const returned = await completeCardReturn(visitor, await submitCard(visitor, url, change))
  const { method } = (await returned.json()) as { method?: { method_id: string } }
  if (!method) throw new Error(`The card page returned no payment method (status ${returned.status}).`)
  return method.method_id
}

/** A plan in the format that the plan pages send. */
export interface PlanTarget {
  readonly sku: string
  readonly level: 1 | 2 | 3 | ''
  readonly mode: 'monthly' | 'annual'
  readonly quantity: number
}
export const UNLIMITED_PLAN: PlanTarget = { sku: 'unlimited', level: 2, mode: 'monthly', quantity: 1 }
export const cameraAiPlan = (quantity: number): PlanTarget => ({ sku: 'cam-ai', level: 1, mode: 'monthly', quantity })

/** Requests a quote for a plan and buys the plan at this quote, over HTTP. Returns the order. */
export async function buyPlanOverHttp(
  page: Page,
  methodId: string,
  target: PlanTarget = UNLIMITED_PLAN,
): Promise<Order> {
  const visitor = requireVisitor(page)
  const { quote } = (await sendCall(visitor, previewPurchase, { ...target })) as { quote: string }
  const intent = randomBytes(18).toString('base64url')
  const purchase = await sendCall(visitor, createPurchase, { ...target, quote, intent, method_id: methodId })
  const { state, order } = purchase as { state: string; order?: Order }
  if (!order) throw new Error(`The purchase is ${state}.`)
  return order
}

async function sendCall(visitor: Visitor, call: Call, body: object): Promise<unknown> {
  const answer = await visitor.post(`/api/p/${call.group}${fillPath(call.path, {})}`, body)
  const { data } = (await answer.json()) as { data?: unknown }
  if (!answer.ok || data === undefined) throw new Error(`${call.path} returned ${answer.status}.`)
  return data
}

export async function submitCardForm(page: Page, change: Partial<typeof TEST_CARD> = {}): Promise<void> {
  const card = { ...TEST_CARD, ...change }
  await page.locator('[name=number]').fill(card.number)
  await page.locator('[name=ends]').fill(card.ends)
  await page.locator('[name=code]').fill(card.code)
  await page.locator('[name=name]').fill(card.name)
  const storedAddress = page.locator('#billing:not([open]) > summary')
  if (await storedAddress.isVisible()) await storedAddress.click()
  await page.locator('[name=country]').selectOption(card.country)
  await page.locator('[name=street]').fill(card.street)
  await page.locator('[name=city]').fill(card.city)
  await page.locator('[name=state]').selectOption(card.state)
  await page.locator('[name=zip]').fill(card.zip)
  await page.getByRole('button', { name: 'Save card' }).click()
}
