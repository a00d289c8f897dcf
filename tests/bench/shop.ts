import { DEMO_PASSWORD } from '../../contract/operator/operator-calls.ts'
import { previewPurchase } from '../../contract/billing/purchase.ts'
import { startSignIn, walkSignInPage } from '../support/sign-in-walk.ts'
import { Visitor } from '../support/visitor.ts'
import { median, openBrowser } from './browser.ts'
import { openAs } from './first-look.ts'
import { openFrontDoor } from './front-door.ts'
import type { Figure } from './figure.ts'
import type { System } from './system.ts'

const SHELLS = ['/account/products/choose', '/account/products/camera-ai']
const RUNS = 5
/** Number of price previews that one account requests in sequence; it stays below the rate limit of an account. */
const PREVIEWS = 60

/** Measures how soon plan pages appear for a visitor, and how long a price preview takes. */
export async function measureShop(system: System): Promise<Figure[]> {
  return [...(await measureShells(system)), await measurePreview(system)]
}

/**
 * Measures the largest contentful paint of the prerendered shells on mobile, with an empty cache, while the page does
 * not know yet who is signed in.
 */
async function measureShells(system: System): Promise<Figure[]> {
  const browser = await openBrowser()
  const door = await openFrontDoor(system.origin)
  const figures: Figure[] = []
  for (const path of SHELLS) {
    const times: number[] = []
    for (let run = 0; run <= RUNS; run++) {
      const page = await openAs(browser, 'mobile', { cookies: [], origins: [] })
      await page.route('**/api/auth/me', () => undefined)
      await page.goto(door.origin + path, { waitUntil: 'load' })
      times.push(await page.evaluate(largestPaint))
      await page.context().close()
    }
    // The first visit is not measured, because it makes the portal compress its files.
    const value = median(times.slice(1))
    figures.push({ what: `${path}: LCP of the shell, mobile, median`, value, unit: 'ms', goal: 900, bound: 'max' })
  }
  door.close()
  await browser.close()
  return figures
}

/** Runs in the page: returns the time of the largest contentful paint, ms since the navigation. */
async function largestPaint(): Promise<number> {
  await document.fonts.ready
  return await new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? Number.NaN)).observe({
      type: 'largest-contentful-paint',
      buffered: true,
    })
  })
}

/** Measures a price preview as the page requests it: through the portal, for an account without a plan. */
async function measurePreview({ origin }: System): Promise<Figure> {
  const visitor = new Visitor(origin)
  const signIn = await startSignIn(visitor, '/live')
  await visitor.navigate(await walkSignInPage(visitor, signIn, 'free@example.com', DEMO_PASSWORD))
  const times: number[] = []
  for (let nth = 0; nth < PREVIEWS; nth++) {
    const input = { sku: 'cam-ai', level: 1, mode: 'annual', quantity: 1 + (nth % 9) }
    const started = performance.now()
    const answer = await visitor.post(`/api/p/${previewPurchase.group}${previewPurchase.path}`, input)
    await answer.text()
    times.push(performance.now() - started)
    if (!answer.ok) throw new Error(`A price was answered ${answer.status}.`)
  }
  const value = times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN
  return { what: `${PREVIEWS} prices, through the portal, p95`, value, unit: 'ms', goal: 60, bound: 'max' }
}
