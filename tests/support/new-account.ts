import type { Page } from 'playwright/test'
import { ADMIN_PATHS } from '../../contract/admin.ts'
import { callOperator } from '../../scripts/lib/operator.ts'
import { readEnvironment } from '../../scripts/lib/secrets-file.ts'
import { CARD } from './card.ts'
import { expect, signIn } from './e2e.ts'
import { RESULTS } from './results.ts'

export const PASSWORD = 'seven red kites at noon'
let count = 0

/** An account of its own for a test that buys, pays or redeems, with a home without cameras. Answers its address. */
export async function newAccount(name: string): Promise<string> {
  const { PROVIDER_ORIGIN = '', ADMIN_KEY = '' } = readEnvironment(`${RESULTS}/data/run.env`)
  const email = `${name}-${Date.now()}-${++count}@example.com`
  const account = { email, password: PASSWORD, home: `Home of ${name}` }
  await callOperator({ PROVIDER_ORIGIN, ADMIN_KEY }, 'POST', ADMIN_PATHS.accounts, account)
  return email
}

/** Opens `path` as a new account. */
export async function openAsNew(page: Page, name: string, path: string): Promise<string> {
  const email = await newAccount(name)
  await page.goto(path)
  await signIn(page, email, PASSWORD)
  await expect(page).toHaveURL(path)
  return email
}

/** Types a test card on the card page that is open, and comes back. */
export async function typeCard(page: Page, change: Partial<typeof CARD> = {}): Promise<void> {
  const card = { ...CARD, ...change }
  await page.locator('[name=number]').fill(card.number)
  await page.locator('[name=ends]').fill(card.ends)
  await page.locator('[name=code]').fill(card.code)
  await page.locator('[name=name]').fill(card.name)
  await page.locator('[name=country]').selectOption(card.country)
  await page.locator('[name=street]').fill(card.street)
  await page.locator('[name=city]').fill(card.city)
  await page.locator('[name=state]').selectOption(card.state)
  await page.locator('[name=zip]').fill(card.zip)
  await page.getByRole('button', { name: 'Save card' }).click()
}

/** Adds a card on the payment page. */
export async function addCard(page: Page, change: Partial<typeof CARD> = {}): Promise<void> {
  await page.getByRole('button', { name: 'Add a method' }).click()
  await typeCard(page, change)
  await expect(page).toHaveURL('/account/payment')
  // Only then it is the account's: whoever leaves before comes to the next page without it.
  await expect(page.getByText('Saved just now.')).toBeVisible()
}
