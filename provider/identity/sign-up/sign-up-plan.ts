import { IS_PRO_ON_SALE } from '../../../contract/brand.ts'
import { formatMoney, formatShortMoney } from '../../../contract/billing/amounts.ts'
import type { Period } from '../../../contract/billing/money.ts'
import { PLANS, getPlan, type Plan } from '../../../contract/billing/plan-catalog.ts'
import type { Sku } from '../../../contract/billing/skus.ts'
import { DEFAULT_PATH } from './sign-up-path.ts'

/** Plan that a visitor has chosen before the sign-up, or can choose on its page. */
export interface PlanChoice {
  readonly sku: Sku
  readonly name: string
  /** Amount, such as `$9.99`. */
  readonly price: string
  /** Text after the amount, such as `a month, all cameras`. */
  readonly unit: string
  /** Amount in a sentence, such as `$9.99 a month`. */
  readonly rate: string
  /** Page of the portal that sells the plan. */
  readonly path: string
}

const OFFERED_SKUS: readonly Sku[] = ['free', 'cam-ai', 'unlimited', ...(IS_PRO_ON_SALE ? (['pro'] as const) : [])]
const PLAN_PAGE_PATTERN = /^\/account\/products\/([\w-]+)$/

function describeScope({ tier, per }: Plan): string {
  if (tier === null) return 'whole home'
  return per === 'camera' ? 'per camera' : 'all cameras'
}

function describePlan(plan: Plan, period: Period, path: string): PlanChoice {
  const { sku, name, monthlyCents, annualCents, per, tier } = plan
  const isAnnual = period === 'annual'
  const price = tier === 0 ? formatShortMoney(0) : formatMoney(isAnnual ? annualCents : monthlyCents)
  const span = isAnnual ? 'a year' : 'a month'
  const unit = tier === 0 ? 'no card needed' : `${span}, ${describeScope(plan)}`
  return { sku, name, price, unit, rate: `${price} ${span}${per === 'camera' ? ' per camera' : ''}`, path }
}

/** Returns the page that sells a plan. A plan without its own page is an option of the page of `unlimited`. */
function createPlanPath({ sku, segment, tier }: Plan, period: Period): string {
  if (tier === 0) return DEFAULT_PATH
  const option = segment === null ? `&plan=${sku}` : ''
  return `/account/products/${segment ?? getPlan('unlimited').segment ?? ''}?period=${period}${option}`
}

interface Selection {
  readonly plan: Plan
  readonly period: Period
}

function parseSelection(path: string): Selection | null {
  const { pathname, searchParams } = new URL(path, 'https://portal.invalid')
  const segment = PLAN_PAGE_PATTERN.exec(pathname)?.[1]
  const pagePlan = PLANS.find((plan) => plan.segment !== null && plan.segment === segment)
  if (pagePlan === undefined) return null
  const plan = PLANS.find(({ sku }) => sku === searchParams.get('plan')) ?? pagePlan
  return { plan, period: searchParams.get('period') === 'annual' ? 'annual' : 'monthly' }
}

/** Returns the plan whose page `path` is; null for any other page of the portal. */
export function findChosenPlan(path: string): PlanChoice | null {
  const selection = parseSelection(path)
  return selection && describePlan(selection.plan, selection.period, path)
}

/** Returns the plans that a visitor can choose instead, with the chosen plan in its place. */
export function listPlanChoices(chosen: PlanChoice): PlanChoice[] {
  const period = parseSelection(chosen.path)?.period ?? 'monthly'
  const offered = OFFERED_SKUS.includes(chosen.sku) ? OFFERED_SKUS : [...OFFERED_SKUS, chosen.sku]
  return offered.map((sku) =>
    sku === chosen.sku ? chosen : describePlan(getPlan(sku), period, createPlanPath(getPlan(sku), period)),
  )
}
