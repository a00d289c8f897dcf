import { planOf } from '../../contract/catalogue.ts'
import type { Sku } from '../../contract/skus.ts'

export type { Sku }

/** Words that belong to a plan on the plan chooser. Prices and days are the catalogue's. */
const WORDS: Record<Sku, { readonly sentence: string; readonly unit: string }> = {
  free: { sentence: 'Live view of every camera.', unit: '' },
  'cam-ai': { sentence: 'Pay for each camera you choose.', unit: 'each camera' },
  unlimited: { sentence: 'Every camera at one price.', unit: 'all cameras' },
  pro: { sentence: 'Every camera, and the longest memory.', unit: 'all cameras' },
  hms: { sentence: 'A service for the whole home.', unit: 'whole home' },
}

const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const inMoney = (cents: number) => money.format(cents / 100)

/** Unlimited Pro is bought on the page of the unlimited plan. */
const PAGE_OF_PRO = 'unlimited'

/** A plan as its price card shows it. `segment`: of the page that sells it. */
export function priceCard(sku: Sku) {
  const { monthlyCents, annualCents, name, keepsDays, segment } = planOf(sku)
  return {
    ...WORDS[sku],
    name,
    keepsDays,
    segment: segment ?? PAGE_OF_PRO,
    monthly: inMoney(monthlyCents),
    annual: inMoney(annualCents),
    saving: inMoney(monthlyCents * 12 - annualCents),
  }
}

/** How many cameras make the flat plan cheaper than paying for each. */
export function camerasWorthUnlimited(): number {
  return Math.floor(planOf('unlimited').monthlyCents / planOf('cam-ai').monthlyCents) + 1
}

interface PlanPage {
  readonly segment: string
  readonly title: string
  readonly sentence: string
  readonly sells: readonly Sku[]
  readonly facts: readonly string[]
  /** Where more is to be read. */
  readonly away?: string
}

const keeps = (sku: Sku) => `${priceCard(sku).keepsDays} days`

/** The pages of the plans, `/account/products/{segment}` (ROUTE-08). */
export const PLAN_PAGES: readonly PlanPage[] = [
  {
    segment: priceCard('cam-ai').segment,
    title: priceCard('cam-ai').name,
    sentence: 'Pay for each camera you choose, and for no other.',
    sells: ['cam-ai'],
    facts: [
      `Clips of the cameras you choose, kept for ${keeps('cam-ai')}`,
      'All kinds of events on these cameras',
      'Live view of every camera of your home, chosen or not',
    ],
  },
  {
    segment: priceCard('unlimited').segment,
    title: priceCard('unlimited').name,
    sentence: 'Every camera of your home at one price.',
    sells: ['unlimited', 'pro'],
    facts: [
      'All kinds of events on up to 99 cameras',
      `Clips kept for ${keeps('unlimited')}, with ${priceCard('pro').name} for ${keeps('pro')}`,
      `Cheaper than paying for each camera from ${camerasWorthUnlimited()} cameras on`,
    ],
  },
  {
    segment: priceCard('hms').segment,
    title: priceCard('hms').name,
    sentence: 'A service for the whole home, beside any camera plan.',
    sells: ['hms'],
    facts: ['For the whole home, however many devices it has', 'Beside any camera plan, or without one'],
    away: '/purchase/hms',
  },
]
