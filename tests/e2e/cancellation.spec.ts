import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright/test'
import { ADMIN_PATHS } from '../../contract/operator/operator-calls.ts'
import { findCatalogEntry } from '../../contract/wire/error-codes.ts'
import { callOperator, readOperator } from '../../scripts/lib/operator.ts'
import { readEnvironment } from '../../scripts/lib/secrets-file.ts'
import { findViolations } from '../support/axe.ts'
import { PASSWORD, signInContext, submitCardForm } from '../support/browser-account.ts'
import { openWithPlan, signInAsNewAccount } from '../support/customer.ts'
import { expect, removeExpectedProblems, SIGNED_OUT_STATE, pressTabUntilFocused, test } from '../support/e2e.ts'
import { extractFacts } from '../support/facts.ts'
import { RESULTS_FOLDER } from '../support/results.ts'

test.use({ storageState: SIGNED_OUT_STATE })

const findPlanCard = (page: Page) => page.getByRole('region', { name: 'Services' }).getByRole('listitem').first()
const findDialog = (page: Page) => page.getByRole('dialog')
const findButton = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const findCurrentStep = (page: Page) => findDialog(page).getByRole('list', { name: 'Steps' }).locator('[aria-current]')
const findCancelButton = (page: Page) => findButton(page, /^Cancel plan: /)

/** Opens the services page as a new account with a monthly Unlimited plan. */
async function openServicesWithPlan(page: Page, name: string): Promise<void> {
  await openWithPlan(page, name, '/account/services')
  await expect(findPlanCard(page)).toContainText('Active')
}

test('CANCEL-01 CANCEL-02 CANCEL-04 four clicks cancel a plan with the promised refund; a reload keeps the step, Escape keeps the plan', async ({
  page,
}) => {
  await openServicesWithPlan(page, 'leaves')
  const sent: unknown[] = []
  page.on(
    'request',
    (request) => request.url().includes('/api/v2/cancel/') && sent.push([request.url(), request.postDataJSON()]),
  )
  await findCancelButton(page).click()
  await findButton(page, 'Skip').click()
  await expect(findButton(page, 'Continue to cancel')).toBeVisible()
  await page.reload()
  await expect(findCurrentStep(page)).toHaveText(/What happens/)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('cancelStep'))).toBe('2')
  await page.keyboard.press('Escape')
  await expect(findDialog(page)).toHaveCount(0)
  await expect(findPlanCard(page)).toContainText('Active')
  await page.reload()
  await expect(findCancelButton(page)).toBeVisible()
  await expect(findDialog(page)).toHaveCount(0)

  await findCancelButton(page).click()
  await expect(findCurrentStep(page)).toHaveText(/Reason/)
  await expect(findDialog(page).getByRole('radio', { checked: true })).toHaveCount(0)
  expect(await findViolations(page, 'the reason', '.leave')).toEqual([])
  const promisedRefund = await cancelPlanNow(page)
  expect(sent).toEqual([
    [expect.stringMatching(/\/api\/v2\/cancel\/\w+$/), expect.objectContaining({ way: 'now', reason: null })],
  ])
  await findButton(page, 'Done').click()
  await expect(page.getByRole('list', { name: 'Ended' })).toContainText('Unlimited Cameras')
  await expect(page.getByRole('link', { name: 'Invoices: Unlimited Cameras' })).toHaveAttribute(
    'href',
    /^\/account\/billing\?subscription=/,
  )
  await page.getByRole('link', { name: 'Invoices: Unlimited Cameras' }).click()
  await expectRefunded(page, promisedRefund)
})

/** Amount and card of a refund, as read by `extractFacts`. */
interface Refund {
  readonly amount: string
  readonly card: string
}

async function expectRefunded(page: Page, { amount, card: paidCard }: Refund): Promise<void> {
  const note = page.getByRole('row').filter({ has: page.getByRole('link', { name: /^Open credit note / }) })
  await expect(note).toHaveCount(1)
  const extractMoney = (text: string) => new Set(extractFacts(text).filter((fact) => /\$|··/.test(fact)))
  // Settled: a credit note never changes.
  const [number = '', ...cells] = await note.getByRole('cell').allInnerTexts()
  expect(extractMoney(cells.join('\n'))).toEqual(new Set([paidCard, `\u2212${amount}`]))
  await expect.poll(async () => extractMoney(await readInvoiceEmail(page, number))).toEqual(new Set([amount, paidCard]))
}

/**
 * Returns the text of the email to the `leaves` account that names the document `number`, or '' if the local outbox has
 * no such email yet.
 */
async function readInvoiceEmail(page: Page, number: string): Promise<string> {
  const { PROVIDER_ORIGIN = '' } = readEnvironment(`${RESULTS_FOLDER}/data/run.env`)
  const read = async (path: string) => (await page.request.get(PROVIDER_ORIGIN + path)).text()
  const list = await read('/mail')
  for (const [, path = ''] of list.matchAll(/href="(\/mail\/\w+)"\s*><strong>[^<]*<\/strong><span>To leaves-/g)) {
    const [, text = ''] = /<pre class="mail-text">([^<]*)<\/pre>/.exec(await read(path)) ?? []
    if (text.includes(number)) return text
  }
  return ''
}

/**
 * Cancels the plan in the dialog, from the reason to the last step. Checks that the steps name the refund and its card.
 * Returns the refund that the dialog promised before the cancellation.
 */
async function cancelPlanNow(page: Page): Promise<Refund> {
  await findButton(page, 'Skip').click()
  await expect(findDialog(page).getByRole('heading', { name: 'If you cancel Unlimited Cameras' })).toBeFocused()
  await expect(findDialog(page)).toContainText('$10.81 will be refunded to Visa ·· 4242')
  await expect(findDialog(page).getByRole('link', { name: /Download your data first/ })).toHaveAttribute(
    'href',
    '/account?take=1',
  )
  expect(await findViolations(page, 'what happens')).toEqual([])
  await findButton(page, 'Continue to cancel').click()
  await expect(findDialog(page).getByRole('heading', { name: 'End Unlimited Cameras now?' })).toBeFocused()
  expect(await findViolations(page, 'the last word', '.leave')).toEqual([])
  const chosenOption = findDialog(page).locator('label', { has: page.getByRole('radio', { checked: true }) })
  const [amount = '', paidCard = ''] = extractFacts(await chosenOption.innerText())
  await findDialog(page).getByRole('button', { name: 'Cancel plan' }).click()
  await expect(findDialog(page).getByRole('heading', { name: 'Unlimited Cameras is canceled' })).toBeFocused()
  await expect(findDialog(page)).toContainText('$10.81 will be refunded')
  expect(await findViolations(page, 'done', '.leave')).toEqual([])
  return { amount, card: paidCard }
}

test('SUB-13 SUB-12 a plan can be canceled at its period end, and reactivated, by keyboard alone', async ({ page }) => {
  await openServicesWithPlan(page, 'undoes')
  const press = async (name: string | RegExp, within = findDialog(page)) => {
    await pressTabUntilFocused(page, within.getByRole('button', { name }))
    await page.keyboard.press('Enter')
  }
  await press(/^Cancel plan: /, findPlanCard(page))
  await pressTabUntilFocused(page, findDialog(page).getByRole('radio').first())
  await page.keyboard.press('Space')
  await press('Continue')
  await press('Continue to cancel')
  await pressTabUntilFocused(page, findDialog(page).getByRole('radio', { checked: true }))
  await page.keyboard.press('ArrowDown')
  await expect(findDialog(page).getByRole('radio', { name: /^Keep until/ })).toBeChecked()
  await press('Cancel plan')
  await expect(findCurrentStep(page)).toHaveText(/Done/)
  await press('Done')
  await expect(findDialog(page)).toHaveCount(0)
  await expect(findPlanCard(page)).toBeFocused()
  await expect(findPlanCard(page)).toContainText(/Ends \d+ \w+/)
  await expect(findCancelButton(page)).toHaveCount(0)
  await press(/^Undo cancellation/, findPlanCard(page))
  await expect(findPlanCard(page)).toContainText('Active')
  await expect(findCancelButton(page)).toBeVisible()
})

test('OPEN-87 a plan can be paused instead of canceled, and resumes on request', { tag: '@all' }, async ({ page }) => {
  await openServicesWithPlan(page, 'pauses')
  await findCancelButton(page).click()
  await findButton(page, 'Skip').click()
  await findDialog(page)
    .getByRole('button', { name: /^Pause/ })
    .click()
  await expect(findButton(page, 'Choose how long')).toHaveAttribute('aria-disabled', 'true')
  await findDialog(page).getByRole('radio', { name: '2 months' }).check()
  expect(await findViolations(page, 'a pause', '.leave')).toEqual([])
  await findButton(page, 'Pause for 2 months').click()
  await expect(findPlanCard(page)).toContainText(/Paused until \d+ \w+/)
  await expect(findPlanCard(page)).toContainText('No charges while your plan is paused')
  expect(await findViolations(page, 'a paused plan')).toEqual([])
  await findButton(page, 'Resume Unlimited Cameras').click()
  await expect(findPlanCard(page)).toContainText('Active')
})

/** Recreates failed@example.com, the demo account whose card had insufficient funds at its last charge. */
async function recreateFailedAccount(): Promise<void> {
  const operator = readOperator(`${RESULTS_FOLDER}/data/run.env`)
  // A second owner keeps the home, so that the recreated account gets the same home again.
  const secondOwner = { email: `keeper-${randomUUID()}@example.com`, password: PASSWORD, home: 'home_demo_failed' }
  await callOperator(operator, 'POST', ADMIN_PATHS.accounts, secondOwner)
  await callOperator(operator, 'DELETE', `${ADMIN_PATHS.accounts}/failed@example.com`)
  await callOperator(operator, 'POST', ADMIN_PATHS.seed)
}

/** Saves a card on the card page that `FailedPayment` opens. Waits until its button on the service has the focus. */
async function addCardForCharge(page: Page, number: string): Promise<void> {
  await expect(page.getByText('$9.99 plus $0.82 tax, due since')).toBeVisible()
  await submitCardForm(page, { number })
  await expect(page).toHaveURL('/account/services')
  const card = `Visa ·· ${number.slice(-4)}`
  await expect(findPlanCard(page).getByRole('status')).toContainText(`${card} is saved. You haven’t been charged yet.`)
  await expect(page.getByRole('list', { name: 'Steps' }).locator('[aria-current=step]')).toHaveText(/Pay \$10\.81/)
  const payButton = findPlanCard(page).getByRole('button', { name: `Pay $10.81 with ${card}` })
  await expect(payButton).toBeFocused()
  await expect(payButton).toBeInViewport()
}

test('OPEN-83 a failed charge is paid with a new card, which the service offers on return from the card page', async ({
  page,
  problems,
}) => {
  await recreateFailedAccount()
  await signInContext(page.context(), 'failed@example.com')
  await page.goto('/account/services')
  await expect(findPlanCard(page)).toContainText('Payment failed')
  await expect(findPlanCard(page)).toContainText(/We tried to charge Visa ·· 4221 on [^.]+ and [^.]+\./)
  const dates = findPlanCard(page).getByRole('list', { name: 'What happens next' })
  await expect(dates).toContainText('Clips deleted')
  const retryDate = await dates.innerText()
  expect(await findViolations(page, 'a plan that is not paid')).toEqual([])
  await findButton(page, 'Try Visa ·· 4221 again').click()
  await expect(findPlanCard(page).getByRole('alert')).toContainText(findCatalogEntry('4221')?.text ?? 'no entry')

  await findButton(page, 'Pay with another method').click()
  await addCardForCharge(page, '4000 0000 0006 4222')
  expect(await findViolations(page, 'a card saved for a failed charge')).toEqual([])
  await page.keyboard.press('Enter')
  await expect(findPlanCard(page).getByRole('alert')).toContainText(findCatalogEntry('4222')?.text ?? 'no entry')
  await expect(findPlanCard(page)).not.toContainText('is saved')
  await expect(dates).toHaveText(retryDate, { useInnerText: true })

  await findButton(page, 'Pay with another method').click()
  await addCardForCharge(page, '4242 4242 4242 4242')
  await page.reload()
  await findButton(page, 'Pay $10.81 with Visa ·· 4242').click()
  await expect(findPlanCard(page)).toContainText('Active')
  await expect(findPlanCard(page).getByRole('status')).toHaveText('$10.81 was charged to Visa ·· 4242.')
  await expect(dates).toHaveCount(0)
  removeExpectedProblems(problems, { status: 402, path: /\/extension\/pay/ })
})

test('OPEN-91 OPEN-107 a free trial needs no card, is offered once and is extended up to its maximum', async ({
  page,
}) => {
  await signInAsNewAccount(page, 'longer')
  await page.goto('/account/products/camera-ai')
  const free = page.getByRole('radio', { name: '14-day free trial' })
  await free.check()
  const pay = page.getByRole('region', { name: 'Today’s price' }).getByRole('button', { name: /free/ })
  await expect(pay).not.toHaveAttribute('aria-disabled')
  await pay.click()
  await expect(page).toHaveURL('/account/products/bought')
  await page.goto('/account/services')
  await expect(findPlanCard(page)).toContainText('Trial, 14 days left')
  await expect(findCancelButton(page)).toHaveCount(0)
  await findButton(page, 'Extend trial by 7 days').click()
  await expect(findPlanCard(page)).toContainText('Trial, 21 days left')
  await findButton(page, 'Extend trial by 7 days').click()
  await expect(findPlanCard(page)).toContainText('extended it by the maximum')
  await page.goto('/account/products/camera-ai')
  await expect(page.getByText('free until')).toBeVisible()
  await expect(free).toHaveCount(0)
})

test('a guest account is offered no actions that only the owner may take', { tag: '@all' }, async ({ page }) => {
  await signInContext(page.context(), 'shared@example.com')
  await page.goto('/account/services')
  await expect(page.getByRole('heading', { name: 'Shared with you' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Explore plans' })).toHaveCount(0)
  await expect(findCancelButton(page)).toHaveCount(0)
})
