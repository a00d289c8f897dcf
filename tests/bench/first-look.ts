import type { Browser, BrowserContextOptions } from 'playwright'
import { median, openBrowser, signedIn } from './browser.ts'
import { type FrontDoor, openFrontDoor } from './front-door.ts'
import type { Figure } from './main.ts'
import type { System } from './system.ts'

const RUNS = 5

/** Mobile is slow 4G (562 ms a request, 1.44 Mbit/s) and a CPU four times slower. */
const PROFILES = {
  desktop: { viewport: { width: 1350, height: 940 }, slow: 1, line: null },
  mobile: {
    viewport: { width: 412, height: 823 },
    slow: 4,
    line: { offline: false, latency: 562.5, downloadThroughput: 188_744, uploadThroughput: 86_400 },
  },
} as const
type Profile = keyof typeof PROFILES

const LOOKS: readonly { what: string; path: string; card: string; profile: Profile; goal: number }[] = [
  { what: 'events: first screenful at 10,000', path: '/events', card: '[data-event]', profile: 'mobile', goal: 2500 },
  { what: 'live: camera tiles listed', path: '/live', card: '[data-camera]', profile: 'mobile', goal: 2300 },
  { what: 'live: camera tiles listed', path: '/live', card: '[data-camera]', profile: 'desktop', goal: 300 },
]

/** From a navigation with an empty cache, the sign-in aside, to what fills the first screen: its cards are painted. */
export async function measureFirstLook(system: System): Promise<Figure[]> {
  const browser = await openBrowser()
  const door = await openFrontDoor(system.origin)
  const { context } = await signedIn(browser, system.origin, '/live')
  const { cookies } = await context.storageState()
  await context.close()
  const figures: Figure[] = []
  for (const look of LOOKS) {
    const times: number[] = []
    for (let run = 0; run <= RUNS; run++) times.push(await timeOf(browser, door, look, cookies))
    // The first visit has the portal compress its files.
    const value = median(times.slice(1))
    figures.push({ what: `${look.what}, ${look.profile}, median`, value, unit: 'ms', goal: look.goal, bound: 'max' })
  }
  door.close()
  await browser.close()
  return figures
}

type Cookies = Exclude<BrowserContextOptions['storageState'], string | undefined>['cookies']

async function timeOf(
  browser: Browser,
  door: FrontDoor,
  { path, card, profile }: (typeof LOOKS)[number],
  cookies: Cookies,
): Promise<number> {
  const { viewport, slow, line } = PROFILES[profile]
  const storageState = { cookies, origins: [] }
  const context = await browser.newContext({ viewport, ignoreHTTPSErrors: true, storageState })
  await context.addInitScript(noteCards, card)
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slow })
  await cdp.send('Network.enable')
  if (line) await cdp.send('Network.emulateNetworkConditions', line)
  await page.goto(door.origin + path, { waitUntil: 'commit' })
  const time = await page.waitForFunction(() => (globalThis as { cardsPainted?: number }).cardsPainted)
  const value = (await time.jsonValue()) ?? Number.NaN
  await context.close()
  return value
}

/** Runs in the page: notes when the first cards have been painted, ms since the navigation. */
function noteCards(card: string): void {
  const observer = new MutationObserver(() => {
    if (!document.querySelector(card)) return
    observer.disconnect()
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => ((globalThis as { cardsPainted?: number }).cardsPainted = performance.now())
      port2.postMessage(0)
    })
  })
  observer.observe(document, { childList: true, subtree: true })
}
