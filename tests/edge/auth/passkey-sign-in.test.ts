import { chromium, type Browser, type Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN_PATHS } from '../../../contract/operator/operator-calls.ts'
import { browserOptions } from '../../../scripts/tools.mjs'
import { findViolations } from '../../support/axe.ts'
import { openTestDeployment, type TestDeployment } from '../../support/harness.ts'
import { toHostNameUrl } from '../../support/passkeys.ts'
import { startFlow } from '../../support/provider.ts'

const CREDENTIALS = { email: 'pat@example.com', password: 'correct horse' }
let browser: Browser
let deployment: TestDeployment
beforeAll(async () => {
  const opening = openTestDeployment({
    portal: 'with its site',
    change: ({ PROVIDER_ORIGIN: origin }) => ({
      DEMO: '0',
      PROVIDER_ORIGIN: toHostNameUrl(origin),
      OIDC_ISSUER: toHostNameUrl(origin),
    }),
  })
  ;[browser, deployment] = await Promise.all([chromium.launch(browserOptions()), opening])
  await fetch(deployment.env.PROVIDER_ORIGIN + ADMIN_PATHS.accounts, {
    method: 'POST',
    headers: { authorization: `Admin ${deployment.env.ADMIN_KEY}` },
    body: JSON.stringify(CREDENTIALS),
  })
})
afterAll(async () => {
  await browser.close()
  await deployment.close()
})

/** Opens a page with a virtual authenticator that confirms automatically, and collects its CSP violations. */
async function openPage(javaScriptEnabled = true) {
  const context = await browser.newContext({ javaScriptEnabled })
  const page = await context.newPage()
  const cspViolations: string[] = []
  page.on('console', (line) => {
    if (line.text().includes('Content Security Policy')) cspViolations.push(line.text())
  })
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { context, page, cspViolations }
}

async function signInByPassword(page: Page): Promise<void> {
  await page.goto(`${deployment.env.PORTAL_ORIGIN}/account/activity`)
  await page.getByLabel('Email').fill(CREDENTIALS.email)
  await page.getByLabel('Password').fill(CREDENTIALS.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL(`${deployment.env.PORTAL_ORIGIN}/account/activity`)
}

test('a passkey created in a browser signs in to the portal without password until removed', async () => {
  const { context, page, cspViolations } = await openPage()
  await signInByPassword(page)
  await page.goto(`${deployment.env.PROVIDER_ORIGIN}/account/passkeys`)
  await page.getByLabel('Your password').fill(CREDENTIALS.password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Name').fill('The blue phone')
  await page.getByRole('button', { name: 'Create passkey' }).click()
  await page.getByText('Passkey added.').waitFor()
  expect(await page.getByRole('listitem').textContent()).toMatch(/The blue phone\s*Created on [^·]* ·\s*never used/)

  await context.clearCookies()
  await page.goto(`${deployment.env.PORTAL_ORIGIN}/account/activity`)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.waitForURL(`${deployment.env.PORTAL_ORIGIN}/account/activity`)
  await page.getByText('Passkey added').waitFor()

  await page.goto(`${deployment.env.PROVIDER_ORIGIN}/account/passkeys`)
  await page.getByText('last used on').waitFor()
  await page.getByRole('button', { name: 'Remove The blue phone' }).click()
  await page.getByLabel('Your password').fill(CREDENTIALS.password)
  await page.getByRole('button', { name: 'Remove passkey' }).click()
  await page.getByText('Passkey removed').waitFor()
  await context.clearCookies()
  await page.goto(`${deployment.env.PORTAL_ORIGIN}/account/activity`)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByText(/No account matches/).waitFor()
  expect(cspViolations).toEqual([])
  await context.close()
})

test('axe finds nothing on the passkey pages', async () => {
  const { context, page } = await openPage()
  await signInByPassword(page)
  await page.goto(`${deployment.env.PROVIDER_ORIGIN}/account/passkeys`)
  const found = await findViolations(page, 'none yet')
  await page.getByLabel('Your password').fill(CREDENTIALS.password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Create passkey' }).waitFor()
  found.push(...(await findViolations(page, 'another one')))
  await page.getByRole('button', { name: 'Create passkey' }).click()
  await page.getByText('Passkey added.').waitFor()
  found.push(...(await findViolations(page, 'the list')))
  await page.getByRole('button', { name: /^Remove / }).click()
  await page.getByLabel('Your password').waitFor()
  found.push(...(await findViolations(page, 'removing one')))
  await context.clearCookies()
  await page.goto(startFlow(deployment.env).url.href)
  await page.getByRole('button', { name: 'Use a passkey' }).waitFor()
  expect([...found, ...(await findViolations(page, 'the sign-in page'))]).toEqual([])
  await context.close()
})

test('the sign-in page without JavaScript offers no passkey and is otherwise unchanged', async () => {
  const { context, page } = await openPage(false)
  await page.goto(startFlow(deployment.env).url.href)
  expect(await page.getByRole('button', { name: 'Log in' }).isVisible()).toBe(true)
  expect(await page.getByText('Use a passkey').isVisible()).toBe(false)
  await context.close()
})
