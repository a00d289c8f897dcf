import { PLAN_BRANDS } from '../brand.ts'
import { SKUS, type Sku } from './skus.ts'

/** Subscription tiers (PLAN-02). */
export const SUBSCRIPTION_TIERS = { free: 0, T1: 1, T2: 2, T3: 3 } as const

interface PlanOffer {
  /** Tier of a camera plan; null: not a camera plan. */
  readonly tier: (typeof SUBSCRIPTION_TIERS)[keyof typeof SUBSCRIPTION_TIERS] | null
  readonly monthlyCents: number
  readonly annualCents: number
  /** `camera`: each license covers one assigned camera. `home`: the plan covers every camera of its owner. */
  readonly per: 'camera' | 'home'
  /** Retention period of clips, days; null: not a camera plan. */
  readonly keepsDays: number | null
  readonly search: boolean
  /** True if clips show the names of recognized people. True for every plan with search (OPEN-166). */
  readonly people: boolean
  /** True for the base plan. A quantity change of the base plan applies to both billing periods (OPEN-79). */
  readonly isBase?: true
}

export interface Plan extends PlanOffer {
  readonly sku: Sku
  readonly name: string
  /** Path segment under `/account/products/`; null if the plan has no page. */
  readonly segment: string | null
}

/** Retention period for cameras without a plan, days. */
export const FREE_RETENTION_DAYS = 1

const PLAN_OFFERS: Readonly<Record<Sku, PlanOffer>> = {
  free: {
    tier: 0,
    monthlyCents: 0,
    annualCents: 0,
    per: 'home',
    keepsDays: FREE_RETENTION_DAYS,
    search: false,
    people: false,
  },
  'cam-ai': {
    tier: 1,
    monthlyCents: 299,
    annualCents: 2999,
    per: 'camera',
    keepsDays: 14,
    search: true,
    people: true,
    isBase: true,
  },
  unlimited: {
    tier: 2,
    monthlyCents: 999,
    annualCents: 9999,
    per: 'home',
    keepsDays: 30,
    search: true,
    people: true,
  },
  pro: {
    tier: 3,
    monthlyCents: 1999,
    annualCents: 19999,
    per: 'home',
    keepsDays: 60,
    search: true,
    people: true,
  },
  hms: {
    tier: null,
    monthlyCents: 999,
    annualCents: 9999,
    per: 'home',
    keepsDays: null,
    search: false,
    people: false,
  },
}

export const getPlan = (sku: Sku): Plan => ({ sku, ...PLAN_BRANDS[sku], ...PLAN_OFFERS[sku] })

/** All plans (PLAN-01), including plans that are not on sale. Names and path segments come from the brand. */
export const PLANS: readonly Plan[] = SKUS.map(getPlan)
