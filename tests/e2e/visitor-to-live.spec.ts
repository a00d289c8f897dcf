import type { Page } from 'playwright/test'
import { findViolations } from '../support/axe.ts'
import { ACTION_STREAM } from '../support/bridge-streams.ts'
import { PASSWORD } from '../support/browser-account.ts'
import { typeCard } from '../support/customer.ts'
import { expect, pressTabUntilFocused, removeExpectedProblems, SIGNED_OUT_STATE, test } from '../support/e2e.ts'
import { expectPlaying } from '../support/moving.ts'
import { RtspServer } from '../support/rtsp-server.ts'

test.use({ storageState: SIGNED_OUT_STATE, viewport: { width: 390, height: 844 } })

let camera: RtspServer
test.beforeAll(async () => {
  camera = await RtspServer.start({ stream: ACTION_STREAM })
})
test.afterAll(() => camera.close())

async function pressEnterOn(page: Page, target: ReturnType<Page['getByRole']>): Promise<void> {
  await pressTabUntilFocused(page, target)
  await page.keyboard.press('Enter')
}

async function chooseCameraAi(page: Page): Promise<void> {
  await page.goto('/')
  await pressEnterOn(page, page.getByRole('link', { name: 'Choose Camera AI' }))
}

/** Creates the account, confirms its email in the outbox, and logs in. */
async function createAccountWithKeyboard(page: Page, email: string): Promise<void> {
  await expect(page.getByLabel('Email')).toBeFocused()
  await page.keyboard.type(email)
  await pressTabUntilFocused(page, page.getByLabel('Password', { exact: true }))
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await pressEnterOn(page, page.getByRole('link', { name: 'Open the outbox' }))
  await pressEnterOn(page, page.getByRole('link').filter({ hasText: email }))
  await pressEnterOn(page, page.frameLocator('iframe').getByRole('link', { name: 'Confirm email' }))
  await pressEnterOn(page, page.getByRole('button', { name: 'Confirm email' }))
  await expect(page.getByRole('heading', { name: 'Confirmed' })).toBeVisible()
  await pressEnterOn(page, page.getByRole('link', { name: 'Log in' }))
  await pressTabUntilFocused(page, page.getByLabel('Email'))
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(email)
  await pressTabUntilFocused(page, page.getByLabel('Password'))
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
}

async function payWithKeyboard(page: Page): Promise<void> {
  // The page removes the chosen period from the URL once it has applied it.
  await expect(page).toHaveURL(/\/account\/products\/camera-ai(\?period=monthly)?$/)
  await expect(page.getByRole('radio', { name: 'Monthly' })).toBeChecked()
  await pressEnterOn(page, page.getByRole('button', { name: 'Add a card or wallet' }))
  await typeCard(page)
  await expect(page).toHaveURL('/account/products/camera-ai')
  const pay = page.getByRole('button', { name: /^Pay \$\d+\.\d\d$/ })
  await expect(pay).not.toHaveAttribute('aria-disabled', 'true')
  await pressEnterOn(page, pay)
  await expect(page).toHaveURL('/account/products/bought')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Camera AI is active')
}

async function addCameraWithKeyboard(page: Page): Promise<void> {
  await expect(page).toHaveURL('/live')
  await pressTabUntilFocused(page, page.getByLabel('Camera address'))
  await page.keyboard.type(camera.url())
  await page.keyboard.press('Enter')
  const card = page.getByRole('article', { name: '127.0.0.1' })
  await expect(card.getByText('All good')).toBeVisible()
  await pressTabUntilFocused(page, card.getByLabel('Camera name'))
  await page.keyboard.type('Front gate')
  await pressEnterOn(page, card.getByRole('button', { name: 'Add this camera' }))
}

test('a visitor chooses a plan, creates an account, pays, adds a camera and sees it live, on a phone with the keyboard', async ({
  page,
  problems,
}) => {
  test.slow()
  await chooseCameraAi(page)
  await createAccountWithKeyboard(page, `visitor-to-live-${Date.now()}@example.com`)
  // The outbox shows emails without scripts, and the test finds the focus with one.
  removeExpectedProblems(problems, { console: /Blocked script execution in '[^']+\/mail\// })
  await payWithKeyboard(page)
  const plan = page.getByRole('region', { name: 'What your plan includes' })
  await expect(plan).toContainText('14 days')
  await expect(plan).not.toContainText(/\b0\b/)
  expect(await findViolations(page, 'bought without cameras')).toEqual([])
  await pressEnterOn(page, plan.getByRole('link', { name: 'Add your first camera' }))
  await addCameraWithKeyboard(page)
  await expect(page.getByText('1 of 1 live')).toBeVisible()
  await expectPlaying(page.getByRole('listitem', { name: 'Front gate, live' }).locator('video'))
})
