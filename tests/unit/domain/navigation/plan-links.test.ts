import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const PLAN_CHOOSER_PATH = '/account/products/choose'

/** Texts of plan chooser links that differ from `Explore plans`, keyed by the end of the file path. */
const LINK_TEXT_EXCEPTIONS: Readonly<Record<string, string>> = {
  // The link contains a long and a short text, because a narrow header has room only for the short text.
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
  return [...links].filter(([, href]) => href === PLAN_CHOOSER_PATH).map(([, , inner = '']) => [path, stripTags(inner)])
}

test('every link to the plans has the same name: Explore plans', () => {
  const links = globSync('src/**/*.{tsx,astro}').flatMap(readLinks)
  expect(links.length).toBeGreaterThan(10)
  const getLinkText = (path: string) =>
    Object.entries(LINK_TEXT_EXCEPTIONS).find(([end]) => path.endsWith(end))?.[1] ?? 'Explore plans'
  expect(links.filter(([path, text]) => text !== getLinkText(path))).toEqual([])
})

test('every link to the plans in emails is named Explore plans, except that of a renewal', () => {
  const emailSource = readFileSync('provider/notifications/email/billing-emails.ts', 'utf8')
  const labels = [...emailSource.matchAll(/label: '([^']*)', to: PLANS/g)].map(([, label]) => label)
  // A renewal reminder must say how to cancel. The plan chooser offers this and all changes.
  expect(labels).toEqual(['Explore plans', 'Cancel or change plan', 'Explore plans'])
})
