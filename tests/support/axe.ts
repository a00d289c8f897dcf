import AxeBuilder from '@axe-core/playwright'
import type { Page } from 'playwright/test'

/** Every width once, both looks at a narrow and a wide one; what is wrong at one width in both looks shows in either. */
const LOOKS = [
  { colorScheme: 'light', width: 350 },
  { colorScheme: 'light', width: 768 },
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'dark', width: 390 },
  { colorScheme: 'dark', width: 1024 },
] as const
/** A part of a page stands in a page that was looked at in every way: its narrowest and its widest, one in each look. */
const LOOKS_WITHIN = [
  { colorScheme: 'light', width: 350 },
  { colorScheme: 'dark', width: 1440 },
] as const
/** Without `media`: axe would wait ten seconds for the length of each live picture, which has none. */
const OPTIONS = { resultTypes: ['violations' as const], preload: { assets: ['cssom'] } }

/** Resolves when the page has taken notice of its new width and was drawn with it. */
const drawn = (page: Page) =>
  page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))))

/**
 * What axe finds on the page as it stands, at every width, in light or in dark; `within` narrows it to a
 * part of the page, at two widths. The page is not loaded again, and axe goes into it once.
 */
export async function findings(page: Page, name: string, within?: string): Promise<string[]> {
  const found: string[] = []
  let source = {}
  for (const { colorScheme, width } of within ? LOOKS_WITHIN : LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 900 })
    await drawn(page)
    const axe = new AxeBuilder({ page, ...source }).options({ ...OPTIONS }).setLegacyMode()
    if (within) axe.include(within)
    const { violations } = await axe.analyze()
    source = { axeSource: 'void 0' }
    found.push(...violations.map(({ id, nodes }) => `${name} at ${width} px, ${colorScheme}, ${id}: ${nodes[0]?.html}`))
  }
  return found
}
