import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'

const root = join(import.meta.dirname, '../..')

vi.mock('../../contract/brand.ts', async (original) => {
  const brand = await original<typeof import('../../contract/brand.ts')>()
  return {
    ...brand,
    BRAND_NAME: 'Nightlamp',
    PLAN_BRANDS: { ...brand.PLAN_BRANDS, 'cam-ai': { name: 'Watch', segment: 'watch', title: 'The Watch Plan' } },
    BRAND_COLOURS: { ...brand.BRAND_COLOURS, light: { ...brand.BRAND_COLOURS.light, primary: '#0a5fd0' } },
  }
})

describe('another brand file', () => {
  test('names the sign-in page of the provider and gives it its colours', async () => {
    const { signInPage } = await import('../../provider/identity/sign-in-page.ts')
    const html = signInPage({ action: '/', email: '', error: null, accounts: [] })
    expect(html).toContain('<title>Log in · Nightlamp</title>')
    expect(html).toContain('to see your cameras on Nightlamp')
    expect(html).toContain('--primary:#0a5fd0')
    expect(html).not.toContain('Porchlight')
  })

  test('names a plan, its page and the title of that page', async () => {
    const { priceCard, PLAN_PAGES } = await import('../../src/boot/prices.ts')
    const { titleOf } = await import('../../src/domain/titles.ts')
    expect(priceCard('cam-ai')).toMatchObject({ name: 'Watch', segment: 'watch' })
    expect(PLAN_PAGES[0]).toMatchObject({ title: 'Watch', segment: 'watch' })
    expect([titleOf('/account/products/watch'), titleOf('/account/products/camera-ai')]).toEqual([
      'The Watch Plan',
      'Web Portal',
    ])
  })

  test('gives the portal its colours', async () => {
    const { brandStyle } = await import('../../src/boot/brand.ts')
    expect(brandStyle()).toContain('--light-primary:#0a5fd0;')
  })
})

test('what people read takes the name from the brand file: no other source spells it', () => {
  const files = ['src', 'functions', 'provider'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  const sources = files.filter((name) => /\.(ts|tsx|astro)$/.test(name))
  expect(sources.length).toBeGreaterThan(200)
  const spelt = sources.filter((name) =>
    readFileSync(join(root, name), 'utf8')
      .split('\n')
      .some((line) => /Porchlight/.test(line) && !/^\s*(\/?\*|\/\/)/.test(line)),
  )
  expect(spelt).toEqual([])
})

test('the style sheet takes each of the brand’s colours from the brand file', async () => {
  const { BRAND_COLOURS } = await import('../../contract/brand.ts')
  const css = readFileSync(join(root, 'src/styles/tokens.css'), 'utf8')
  for (const [theme, colours] of Object.entries(BRAND_COLOURS))
    for (const name of Object.keys(colours)) expect(css).toContain(`var(--${theme}-${name})`)
})
