import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const CHOOSER = '/account/products/choose'

/** Text of the links to the plan chooser in files that do not use `Explore plans`, by the end of the file's path. */
const OTHERWISE: Readonly<Record<string, string>> = {
  // The link contains a long and a short text, because on a narrow screen the header has room only for the short text.
  'layouts/Header.astro': 'Explore plans Plans',
  'payment/parts/RetryPayment.tsx': 'Plans',
  'products/[segment].astro': 'Plans',
  // The link passes the user's coupon on to the plan chooser, so its text names the next step.
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
