import type { Browser, BrowserContextOptions, Page } from 'playwright'
import { median, openBrowser, openSignedInPage } from './browser.ts'
import { BASELINE_CARD_ATTRIBUTE, buildBaselinePages, PLAN_PATH } from './floor-pages.ts'
import { type CdnProxy, startCdnProxy } from './cdn-proxy.ts'
import type { Figure } from './figure.ts'
import { BILLING_KEYS } from '../../src/stores/storage/billing-keys.ts'
import type { System } from './system.ts'

const RUNS = 4

/** Mobile: slow 4G (562.5 ms latency, 1.5 Mbit/s download) and a CPU slowed down by a factor of four. */
const PROFILES = {
  desktop: { viewport: { width: 1350, height: 940 }, cpuSlowdown: 1, network: null },
  mobile: {
    viewport: { width: 412, height: 823 },
    cpuSlowdown: 4,
    network: { offline: false, latency: 562.5, downloadThroughput: 188_744, uploadThroughput: 86_400 },
  },
} as const
export type Profile = keyof typeof PROFILES

interface FirstScreenCase {
  readonly path: string
  /** Selector of the content that fills the first screen. */
  readonly card: string
  readonly profile: Profile
}

const FIRST_SCREEN_CASES: readonly (FirstScreenCase & { readonly label: string; readonly goal: number })[] = [
  {
    label: 'events: first screen painted, 10,000 events',
    path: '/events',
    card: '[data-event]',
    profile: 'mobile',
    goal: 1800,
  },
  { label: 'live: camera tiles listed', path: '/live', card: '[data-camera]', profile: 'mobile', goal: 2300 },
  { label: 'live: camera tiles listed', path: '/live', card: '[data-camera]', profile: 'desktop', goal: 250 },
  {
    label: 'plan page: price and button',
    path: PLAN_PATH,
    goal: 1500,
    card: '#content:not([hidden]) .quote-panel:has(.price-due) .pay-button',
    profile: 'desktop',
  },
  {
    label: 'plan page: price and button',
    path: PLAN_PATH,
    goal: 1600,
    card: '#content:not([hidden]) .phone-bar:not([hidden]):has(b:not(:empty)) .pay-button:not(:empty)',
    profile: 'mobile',
  },
]

/**
 * Measures the time from a navigation with an empty cache (signed in) until the cards of the first screen are painted.
 */
export async function measureFirstScreens(system: System): Promise<Figure[]> {
  const browser = await openBrowser()
  const baselinePages = buildBaselinePages()
  const proxy = await startCdnProxy(system.origin, baselinePages)
  const { context, page } = await openSignedInPage(browser, system.origin, '/live')
  // The page has then stored what later visits need, such as the subscriptions.
  await page.waitForFunction((key) => localStorage.getItem(key) !== null, BILLING_KEYS.allSubs)
  const { cookies, origins } = await context.storageState()
  await context.close()
  const figures: Figure[] = []
  for (const screenCase of FIRST_SCREEN_CASES) {
    // Account pages start with the localStorage of an earlier session. On all pages, the HTTP cache is empty.
    const localStorage = screenCase.path.startsWith('/account/') ? (origins[0]?.localStorage ?? []) : []
    const storageState = { cookies, origins: [{ origin: proxy.origin, localStorage }] }
    const value = await measureMedian(browser, proxy, screenCase, storageState)
    const path = `/floor${screenCase.path}`
    const baseline =
      path in baselinePages
        ? await measureMedian(
            browser,
            proxy,
            { ...screenCase, path, card: `[${BASELINE_CARD_ATTRIBUTE}]` },
            storageState,
          )
        : null
    figures.push({
      label: `${screenCase.label}, ${screenCase.profile}, median`,
      value,
      unit: 'ms',
      goal: screenCase.goal,
      bound: 'max',
      ...(baseline !== null && { baseline }),
    })
  }
  proxy.close()
  await browser.close()
  return figures
}

export type StorageState = Exclude<BrowserContextOptions['storageState'], string | undefined>

/** Returns the median without the first visit, during which the proxy compresses the portal's files. */
async function measureMedian(
  browser: Browser,
  proxy: CdnProxy,
  screenCase: FirstScreenCase,
  storageState: StorageState,
): Promise<number> {
  const times: number[] = []
  for (let run = 0; run <= RUNS; run++) times.push(await measureFirstScreen(browser, proxy, screenCase, storageState))
  return median(times.slice(1))
}

async function measureFirstScreen(
  browser: Browser,
  proxy: CdnProxy,
  { path, card, profile }: FirstScreenCase,
  storageState: StorageState,
): Promise<number> {
  const page = await openProfilePage(browser, profile, storageState)
  await page.addInitScript(recordCardPaint, card)
  await page.goto(proxy.origin + path, { waitUntil: 'commit' })
  const time = await page.waitForFunction(() => (globalThis as { cardsPainted?: number }).cardsPainted)
  const value = (await time.jsonValue()) ?? Number.NaN
  await page.context().close()
  return value
}

/** Opens a page in a browser with an empty cache and the profile's speed. */
export async function openProfilePage(browser: Browser, profile: Profile, storageState: StorageState): Promise<Page> {
  const { viewport, cpuSlowdown, network } = PROFILES[profile]
  const context = await browser.newContext({ viewport, ignoreHTTPSErrors: true, storageState })
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  await cdp.send('Network.enable')
  if (network) await cdp.send('Network.emulateNetworkConditions', network)
  return page
}

/** Runs in the page: records when the first cards are painted, ms since the navigation. */
function recordCardPaint(card: string): void {
  const observer = new MutationObserver(() => {
    if (!document.querySelector(card)) return
    observer.disconnect()
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => ((globalThis as { cardsPainted?: number }).cardsPainted = performance.now())
      port2.postMessage(0)
    })
  })
  observer.observe(document, { childList: true, subtree: true, attributeFilter: ['hidden'] })
}
