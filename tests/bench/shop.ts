import { DEMO_PASSWORD } from '../../contract/operator/operator-calls.ts'
import { previewPurchase } from '../../contract/billing/purchase.ts'
import { startSignIn, completeSignInPage } from '../support/sign-in-walk.ts'
import { Visitor } from '../support/visitor.ts'
import { median, openBrowser } from './browser.ts'
import { openProfilePage } from './first-screen.ts'
import { startCdnProxy } from './cdn-proxy.ts'
import type { Figure } from './figure.ts'
import type { System } from './system.ts'

const SHELL_PATHS = ['/account/products/choose', '/account/products/camera-ai']
const RUNS = 5
/** Number of price previews that one account requests in sequence, chosen below the account's rate limit. */
const PREVIEW_COUNT = 60

/** Measures the largest contentful paint of plan pages and the duration of a price preview. */
export async function measureShop(system: System): Promise<Figure[]> {
  return [...(await measureShells(system)), await measurePricePreview(system)]
}

/**
 * Measures the largest contentful paint of the prerendered page shells on mobile with an empty cache. The request for
 * the current user stays pending, so that only the shell is painted.
 */
async function measureShells(system: System): Promise<Figure[]> {
  const browser = await openBrowser()
  const proxy = await startCdnProxy(system.origin)
  const figures: Figure[] = []
  for (const path of SHELL_PATHS) {
    const times: number[] = []
    for (let run = 0; run <= RUNS; run++) {
      const page = await openProfilePage(browser, 'mobile', { cookies: [], origins: [] })
      await page.route('**/api/auth/me', () => undefined)
      await page.goto(proxy.origin + path, { waitUntil: 'load' })
      times.push(await page.evaluate(readLargestPaint))
      await page.context().close()
    }
    // The first visit is not measured, because the proxy compresses the portal's files during it.
    const value = median(times.slice(1))
    figures.push({ label: `${path}: LCP of the shell, mobile, median`, value, unit: 'ms', goal: 900, bound: 'max' })
  }
  proxy.close()
  await browser.close()
  return figures
}

/** Runs in the page: returns the time of the largest contentful paint, ms since the navigation. */
async function readLargestPaint(): Promise<number> {
  await document.fonts.ready
  return await new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? Number.NaN)).observe({
      type: 'largest-contentful-paint',
      buffered: true,
    })
  })
}

/** Measures price previews of an account without a plan, requested through the portal as the page does. */
async function measurePricePreview({ origin }: System): Promise<Figure> {
  const visitor = new Visitor(origin)
  const signIn = await startSignIn(visitor, '/live')
  await visitor.navigate(await completeSignInPage(visitor, signIn, 'free@example.com', DEMO_PASSWORD))
  const times: number[] = []
  for (let nth = 0; nth < PREVIEW_COUNT; nth++) {
    const input = { sku: 'cam-ai', level: 1, mode: 'annual', quantity: 1 + (nth % 9) }
    const started = performance.now()
    const answer = await visitor.post(`/api/p/${previewPurchase.group}${previewPurchase.path}`, input)
    await answer.text()
    times.push(performance.now() - started)
    if (!answer.ok) throw new Error(`A price preview returned ${answer.status}.`)
  }
  const value = times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN
  return { label: `${PREVIEW_COUNT} prices, through the portal, p95`, value, unit: 'ms', goal: 60, bound: 'max' }
}
