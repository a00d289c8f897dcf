import AxeBuilder from '@axe-core/playwright'
import type { Page } from 'playwright/test'
import { isWhole } from './tier.ts'

interface Look {
  readonly colorScheme: 'light' | 'dark'
  readonly width: number
}
/** Each width once, each scheme at a narrow and a wide one; a fault of one width shows in either scheme. */
const ALL_LOOKS: readonly Look[] = [
  { colorScheme: 'light', width: 350 },
  { colorScheme: 'light', width: 768 },
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'dark', width: 390 },
  { colorScheme: 'dark', width: 1024 },
]
/** Look that the gate checks. The sweep of axe.spec.ts and `npm run test:all` check all looks. */
const ONE_LOOK: readonly Look[] = [{ colorScheme: 'light', width: 390 }]
const PHONE_LOOKS: readonly Look[] = [...ONE_LOOK, { colorScheme: 'dark', width: 390 }]
/** Without `media`: axe would wait ten seconds for the duration of each live video, which has none. */
const OPTIONS = { resultTypes: ['violations' as const], preload: { assets: ['cssom'] } }

/** Resolves once the page has been painted at its new width. */
const waitForPaint = (page: Page) =>
  page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))))

/**
 * Returns the axe violations of the current page; `within` limits them to a part. Does not reload the page, injects axe
 * once and restores size and scheme.
 */
export const findings = (page: Page, name: string, within?: string): Promise<string[]> =>
  findingsIn(page, name, isWhole ? ALL_LOOKS : ONE_LOOK, within)

/** Returns violations at every width, in the light or the dark scheme. */
export const findingsInAllLooks = (page: Page, name: string): Promise<string[]> => findingsIn(page, name, ALL_LOOKS)

/** Returns the violations of a part that closes on wide pages. */
export const findingsOnPhone = (page: Page, name: string): Promise<string[]> =>
  findingsIn(page, name, isWhole ? PHONE_LOOKS : ONE_LOOK)

async function findingsIn(page: Page, name: string, looks: readonly Look[], within?: string): Promise<string[]> {
  const found: string[] = []
  const size = page.viewportSize()
  let source = {}
  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 900 })
    await waitForPaint(page)
    const axe = new AxeBuilder({ page, ...source }).options({ ...OPTIONS }).setLegacyMode()
    if (within) axe.include(within)
    const { violations } = await axe.analyze()
    source = { axeSource: 'void 0' }
    found.push(...violations.map(({ id, nodes }) => `${name} at ${width} px, ${colorScheme}, ${id}: ${nodes[0]?.html}`))
  }
  await page.emulateMedia({ colorScheme: null })
  if (size) await page.setViewportSize(size)
  await waitForPaint(page)
  return found
}
