import type { Browser, BrowserContext } from 'playwright'
import { renameCamera } from '../../../contract/cameras/owner-calls.ts'
import { setLiveLayouts } from '../../../contract/live/saved-layouts.ts'
import { makeEvent, RECENT } from '../../support/home.ts'
import { openBrowser } from '../browser.ts'
import { type Attempts, type Verdict } from './attempts.ts'
import { fetchData, type Ground } from './ground.ts'
import { type Household, openHousehold } from './household.ts'

/**
 * Attribute of injected elements. If a page interprets one of the texts below as markup, the text adds such an element
 * or opens a dialog.
 */
const MARK = 'data-injected'
const IMAGE = `<img ${MARK} src=x onerror=alert(1)>`
const BREAKOUT = `"><svg ${MARK} onload=alert(1)>'`
const SCRIPT = `</script><script ${MARK}>alert(1)</script>`
const LINK = 'javascript:alert(1)'
const SETTLE_MS = 700

const BOTH = encodeURIComponent(BREAKOUT + IMAGE)
const PATHS = [
  ...['/live', '/events', '/account/services', '/account/activity', '/account/billing', '/account/payment'],
  ...['/account/redeem/choose?coupon=', '/account/billing/invoice?bill=', '/user/redirect?error='].map(
    (path) => path + BOTH,
  ),
  ...['/events?search=', '/events?event=', '/account/products/choose?sku=', '/nowhere/'].map((path) => path + BOTH),
  ...['/account/payment?payment=', '/user/callback?error=access_denied&error_description='].map((path) => path + BOTH),
  ...[BREAKOUT, SCRIPT, LINK].map((value) => `/user/callback?redirect_uri=${encodeURIComponent(value)}`),
]

async function fill({ browser, bridge, camera, event }: Household): Promise<void> {
  await fetchData(browser, renameCamera, { device_id: camera, nickname: IMAGE })
  await bridge.register(`second_${camera}`, { nickname: BREAKOUT })
  const layouts = [{ name: '<b onclick=alert(1)>x', mode: 'grid', order: [], shown: [] }]
  await fetchData(browser, setLiveLayouts, { layouts })
  for (const [n, title] of [IMAGE, BREAKOUT, SCRIPT].entries())
    await bridge.post(
      makeEvent(camera, `${event}_${n}`, { title, event_values: [title.slice(0, 80)], event_ts: RECENT + n }),
    )
}

async function createContext(browser: Browser, { browser: member }: Household): Promise<BrowserContext> {
  const context = await browser.newContext()
  const cookies = [...(member.cookies.get(member.portal) ?? [])]
  const at = { domain: new URL(member.portal).hostname, path: '/', secure: true }
  await context.addCookies(
    cookies.map(([name, value]) => ({ name, value, ...at, httpOnly: !/^(XSRF|signed)/.test(name) })),
  )
  return context
}

async function visit(context: BrowserContext, address: string): Promise<Verdict> {
  const page = await context.newPage()
  const seen: string[] = []
  page.on('dialog', (dialog) => {
    seen.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) seen.push(message.text().slice(0, 150))
  })
  await page.goto(address, { waitUntil: 'load' })
  await page.waitForTimeout(SETTLE_MS)
  const injected = await page.locator(`[${MARK}], [onerror], [onload], [onclick], a[href^="javascript:" i]`).count()
  await page.close()
  if (injected > 0) seen.push(`${injected} elements`)
  return seen.length === 0 || seen.join('; ')
}

export const markup = {
  name: 'markup',
  promise: 'names and parameters are shown as text: no element, dialog or report of the content security policy',
  async run(attempts: Attempts, ground: Ground) {
    const house = await openHousehold(ground)
    await fill(house)
    const browser = await openBrowser()
    try {
      const context = await createContext(browser, house)
      const page = await context.newPage()
      await page.goto(`${house.browser.portal}/live`)
      // Control: the page displays the camera's name, so the browser had the chance to interpret the name as markup.
      await page.getByText(IMAGE).first().waitFor()
      await page.close()
      await attempts.each('the page', PATHS, (path) => visit(context, house.browser.portal + path))
    } finally {
      await browser.close()
    }
  },
}
