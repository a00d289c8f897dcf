import AxeBuilder from '@axe-core/playwright'
import type { Page } from 'playwright/test'
import { isWhole } from './tier.ts'

interface Look {
  readonly colorScheme: 'light' | 'dark'
  readonly width: number
}
/**
 * Covers each width once, and each color scheme at a narrow and a wide width. Faults of a width do not depend on the
 * color scheme, so not every combination is checked.
 */
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
/**
 * Does not preload `media`: axe would wait ten seconds for the duration of each live video, because a live video has no
 * duration.
 */
const OPTIONS = { resultTypes: ['violations' as const], preload: { assets: ['cssom'] } }

/** Resolves once the page has been painted at its new width. */
const waitForPaint = (page: Page) =>
  page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))))

/**
 * Returns the axe violations of the current page, or only those inside the element that matches `within`. Does not
 * reload the page, injects axe only once, and restores the viewport size and color scheme.
 */
export const findings = (page: Page, name: string, within?: string): Promise<string[]> =>
  findingsIn(page, name, isWhole ? ALL_LOOKS : ONE_LOOK, within)

/** Returns the axe violations at every width of `ALL_LOOKS`, each in one color scheme, even in the gate. */
export const findingsInAllLooks = (page: Page, name: string): Promise<string[]> => findingsIn(page, name, ALL_LOOKS)

/** Returns the axe violations at phone widths only, for a part of the page that closes at wide widths. */
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
