import { PLAN_BRANDS } from './brand.ts'

/** Plans on sale (PLAN-01). Money in integer cents, USD. Names and segments are the brand's. */

/** Subscription tiers (PLAN-02). */
export const SUBSCRIPTION_TIERS = { free: 0, T1: 1, T2: 2, T3: 3 } as const

export interface Plan {
  readonly sku: 'free' | 'cam-ai' | 'unlimited' | 'pro' | 'hms'
  readonly name: string
  /** Path segment under `/account/products/`; null where the plan has no page of its own. */
  readonly segment: string | null
  /** null: not a camera plan. */
  readonly tier: (typeof SUBSCRIPTION_TIERS)[keyof typeof SUBSCRIPTION_TIERS] | null
  readonly monthlyCents: number
  readonly annualCents: number
  readonly per: 'camera' | 'home'
  readonly keepsDays: number | null
  readonly search: boolean
  readonly people: boolean
}

export const PLANS = [
  {
    sku: 'free',
    name: PLAN_BRANDS.free.name,
    segment: PLAN_BRANDS.free.segment,
    tier: 0,
    monthlyCents: 0,
    annualCents: 0,
    per: 'home',
    keepsDays: 1,
    search: false,
    people: false,
  },
  {
    sku: 'cam-ai',
    name: PLAN_BRANDS['cam-ai'].name,
    segment: PLAN_BRANDS['cam-ai'].segment,
    tier: 1,
    monthlyCents: 299,
    annualCents: 2999,
    per: 'camera',
    keepsDays: 14,
    search: true,
    people: false,
  },
  {
    sku: 'unlimited',
    name: PLAN_BRANDS.unlimited.name,
    segment: PLAN_BRANDS.unlimited.segment,
    tier: 2,
    monthlyCents: 999,
    annualCents: 9999,
    per: 'home',
    keepsDays: 30,
    search: true,
    people: false,
  },
  {
    sku: 'pro',
    name: PLAN_BRANDS.pro.name,
    segment: PLAN_BRANDS.pro.segment,
    tier: 3,
    monthlyCents: 1999,
    annualCents: 19999,
    per: 'home',
    keepsDays: 60,
    search: true,
    people: true,
  },
  {
    sku: 'hms',
    name: PLAN_BRANDS.hms.name,
    segment: PLAN_BRANDS.hms.segment,
    tier: null,
    monthlyCents: 999,
    annualCents: 9999,
    per: 'home',
    keepsDays: null,
    search: false,
    people: false,
  },
] as const satisfies readonly Plan[]

export type Sku = (typeof PLANS)[number]['sku']
