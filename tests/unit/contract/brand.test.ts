import { isOnSale } from '../../../provider/billing/checkout/plan-availability.ts'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')

function runWithOtherBrand<T>(script: string): T {
  const hook = join(root, 'tests/support/other-brand.ts')
  const run = spawnSync(process.execPath, ['--import', hook, '--input-type=module', '--eval', script], {
    cwd: root,
    encoding: 'utf8',
  })
  if (run.status !== 0) throw new Error(run.stderr)
  return JSON.parse(run.stdout) as T
}

describe('another brand file', () => {
  test('sets the name and colors of the provider’s sign-in page', () => {
    const html = runWithOtherBrand<string>(`
      import { signInPage } from './provider/identity/sign-in/sign-in-page.ts'
      const page = await signInPage({ action: '/', email: '', problem: null, accounts: [], passkey: null, portalOrigin: '' })
      console.log(JSON.stringify(String(page)))`)
    expect(html).toContain('<title>Log in · Nightlamp</title>')
    expect(html).toContain('to see your cameras on Nightlamp')
    expect(html).toContain('--primary:#0a5fd0')
    expect(html).not.toContain('Porchlight')
  })

  test('determines which plans are on sale, and may omit the option of the flat plan', () => {
    const availability = runWithOtherBrand<boolean[]>(`
      import { isOnSale } from './provider/billing/checkout/plan-availability.ts'
      const env = { BILLING_GATEWAY: 'stripe', DEMO: '0' }
      console.log(JSON.stringify(['cam-ai', 'unlimited', 'pro', 'hms', 'free'].map((sku) => isOnSale(sku, env))))`)
    expect(availability).toEqual([true, true, false, true, false])
  })

  test('describes home monitoring, which is sold for real money only with its description', () => {
    const html = runWithOtherBrand<string>(`
      import { renderHomeMonitoringPage } from './provider/billing/checkout/home-monitoring-page.ts'
      console.log(JSON.stringify(String(renderHomeMonitoringPage('', true))))`)
    expect(html).toContain('Our guards answer within a minute.')
    expect(html).toContain('It needs one camera at each door.')
    expect(html).not.toContain('sample')
    const realPayments = { BILLING_GATEWAY: 'stripe', DEMO: '0' } as const
    const demoPayments = { BILLING_GATEWAY: 'embedded', DEMO: '1' } as const
    expect([isOnSale('hms', realPayments), isOnSale('hms', demoPayments)]).toEqual([false, true])
  })

  test('sets the name, page and page title of a plan, and the colors of the portal', () => {
    const found = runWithOtherBrand<Record<string, unknown>>(`
      import { PLAN_PAGES } from './src/layouts/prices.ts'
      import { PLAN_CARDS } from './src/domain/copy/plan-cards.ts'
      import { findPage } from './src/domain/navigation/pages.ts'
      import { brandStyle } from './src/boot/page/brand-style.ts'
      console.log(JSON.stringify({
        card: PLAN_CARDS[1], page: PLAN_PAGES[0], style: brandStyle(),
        titles: ['/account/products/watch', '/account/products/camera-ai'].map((path) => findPage(path).title),
      }))`)
    expect(found['card']).toMatchObject({ name: 'Watch' })
    expect(found['page']).toMatchObject({ title: 'Watch', segment: 'watch' })
    expect(found['titles']).toEqual(['The Watch Plan', 'Web Portal'])
    expect(found['style']).toContain('--light-primary:#0a5fd0;')
  })
})

test('user-facing text takes the name from the brand file: no other source spells it', () => {
  const files = ['src', 'functions', 'provider'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  const sources = files.filter((name) => /\.(ts|tsx|astro)$/.test(name))
  expect(sources.length).toBeGreaterThan(200)
  const filesWithBrandName = sources.filter((name) =>
    readFileSync(join(root, name), 'utf8')
      .split('\n')
      .some((line) => /Porchlight/.test(line) && !/^\s*(\/?\*|\/\/)/.test(line)),
  )
  expect(filesWithBrandName).toEqual([])
})

test('the style sheet takes each of the brand’s colors from the brand file', async () => {
  const { BRAND_COLORS } = await import('../../../contract/brand.ts')
  const css = readFileSync(join(root, 'src/styles/tokens.css'), 'utf8')
  for (const [theme, colors] of Object.entries(BRAND_COLORS))
    for (const name of Object.keys(colors)) expect(css).toContain(`var(--${theme}-${name})`)
})
