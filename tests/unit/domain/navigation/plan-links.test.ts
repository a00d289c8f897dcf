import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const CHOOSER = '/account/products/choose'

/** Files whose links to the plan chooser have other texts, by the end of the path. */
const OTHERWISE: Readonly<Record<string, string>> = {
  // On a narrow screen the header has room only for the short text.
  'layouts/Header.astro': 'Explore plans Plans',
  'payment/parts/RetryPayment.tsx': 'Plans',
  'products/[segment].astro': 'Plans',
  // Next step with a coupon, which the link carries along.
  'redeem/parts/RedeemButtons.tsx': 'Choose a plan',
}

const stripTags = (inner: string) =>
  inner
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

function readLinks(path: string): [string, string][] {
  const links = readFileSync(path, 'utf8').matchAll(/<a\b[^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs)
  return [...links].filter(([, href]) => href === CHOOSER).map(([, , inner = '']) => [path, stripTags(inner)])
}

test('every link to the plans has the same name: Explore plans', () => {
  const links = globSync('src/**/*.{tsx,astro}').flatMap(readLinks)
  expect(links.length).toBeGreaterThan(10)
  const getLinkText = (path: string) =>
    Object.entries(OTHERWISE).find(([end]) => path.endsWith(end))?.[1] ?? 'Explore plans'
  expect(links.filter(([path, text]) => text !== getLinkText(path))).toEqual([])
})

test('every link to the plans in emails is named Explore plans', () => {
  const letters = readFileSync('provider/notifications/email/billing-emails.ts', 'utf8')
  const labels = [...letters.matchAll(/label: '([^']*)', to: PLANS/g)].map(([, label]) => label)
  expect(labels).toEqual(['Explore plans', 'Explore plans'])
})
