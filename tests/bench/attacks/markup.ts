import type { Browser, BrowserContext } from 'playwright'
import { renameCamera } from '../../../contract/cameras/owner-calls.ts'
import { usesSecureCookies } from '../../../contract/wire/cookies.ts'
import { setLiveLayouts } from '../../../contract/live/saved-layouts.ts'
import { createBridgeEvent, RECENT_TIME_MS } from '../../support/home.ts'
import { openBrowser } from '../browser.ts'
import { type Attempts, type Verdict } from './attempts.ts'
import { fetchData, type AttackEnvironment } from './attack-environment.ts'
import { type Household, createHousehold } from './household.ts'

/**
 * Attribute of injected elements. A page that interprets a payload as markup has an element with this attribute, or
 * opens a dialog.
 */
const INJECTED_ATTRIBUTE = 'data-injected'
const IMAGE_PAYLOAD = `<img ${INJECTED_ATTRIBUTE} src=x onerror=alert(1)>`
const ATTRIBUTE_PAYLOAD = `"><svg ${INJECTED_ATTRIBUTE} onload=alert(1)>'`
const SCRIPT_PAYLOAD = `</script><script ${INJECTED_ATTRIBUTE}>alert(1)</script>`
const LINK_PAYLOAD = 'javascript:alert(1)'
const SETTLE_MS = 700

const ENCODED_PAYLOADS = encodeURIComponent(ATTRIBUTE_PAYLOAD + IMAGE_PAYLOAD)
const PATHS_WITH_PAYLOADS = [
  '/live',
  '/events',
  '/account/services',
  '/account/activity',
  '/account/billing',
  '/account/payment',
  ...['/account/redeem/choose?coupon=', '/account/billing/invoice?bill=', '/user/redirect?error='].map(
    (path) => path + ENCODED_PAYLOADS,
  ),
  ...['/events?search=', '/events?event=', '/account/products/choose?sku=', '/nowhere/'].map(
    (path) => path + ENCODED_PAYLOADS,
  ),
  ...['/account/payment?payment=', '/user/callback?error=access_denied&error_description='].map(
    (path) => path + ENCODED_PAYLOADS,
  ),
  ...[ATTRIBUTE_PAYLOAD, SCRIPT_PAYLOAD, LINK_PAYLOAD].map(
    (value) => `/user/callback?redirect_uri=${encodeURIComponent(value)}`,
  ),
]

async function storePayloads({ browser, bridge, camera, event }: Household): Promise<void> {
  await fetchData(browser, renameCamera, { device_id: camera, nickname: IMAGE_PAYLOAD })
  await bridge.register(`second_${camera}`, { nickname: ATTRIBUTE_PAYLOAD })
  const layouts = [{ name: '<b onclick=alert(1)>x', mode: 'grid', order: [], shown: [] }]
  await fetchData(browser, setLiveLayouts, { layouts })
  for (const [n, title] of [IMAGE_PAYLOAD, ATTRIBUTE_PAYLOAD, SCRIPT_PAYLOAD].entries())
    await bridge.postEvent(
      createBridgeEvent(camera, `${event}_${n}`, {
        title,
        event_values: [title.slice(0, 80)],
        event_ts: RECENT_TIME_MS + n,
      }),
    )
}

async function createContext(browser: Browser, { browser: member }: Household): Promise<BrowserContext> {
  const context = await browser.newContext()
  const cookies = [...(member.cookies.get(member.portalOrigin) ?? [])]
  const { portalOrigin } = member
  const cookieScope = { domain: new URL(portalOrigin).hostname, path: '/', secure: usesSecureCookies(portalOrigin) }
  await context.addCookies(
    cookies.map(([name, value]) => ({ name, value, ...cookieScope, httpOnly: !/^(XSRF|signed)/.test(name) })),
  )
  return context
}

async function checkPage(context: BrowserContext, url: string): Promise<Verdict> {
  const page = await context.newPage()
  const problems: string[] = []
  page.on('dialog', (dialog) => {
    problems.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) problems.push(message.text().slice(0, 150))
  })
  await page.goto(url, { waitUntil: 'load' })
  await page.waitForTimeout(SETTLE_MS)
  const injected = await page
    .locator(`[${INJECTED_ATTRIBUTE}], [onerror], [onload], [onclick], a[href^="javascript:" i]`)
    .count()
  await page.close()
  if (injected > 0) problems.push(`${injected} injected elements`)
  return problems.length === 0 || problems.join('; ')
}

export const markupAttacks = {
  name: 'markup',
  guarantee: 'pages show names and parameters as text: no injected element, dialog or CSP violation',
  async run(attempts: Attempts, environment: AttackEnvironment) {
    const household = await createHousehold(environment)
    await storePayloads(household)
    const browser = await openBrowser()
    try {
      const context = await createContext(browser, household)
      const page = await context.newPage()
      await page.goto(`${household.browser.portalOrigin}/live`)
      // Control: the page must show the camera's name as text. The name is a payload, so this proves that the page
      // receives payloads.
      await page.getByText(IMAGE_PAYLOAD).first().waitFor()
      await page.close()
      await attempts.tryEach('the page', PATHS_WITH_PAYLOADS, (path) =>
        checkPage(context, household.browser.portalOrigin + path),
      )
    } finally {
      await browser.close()
    }
  },
}
