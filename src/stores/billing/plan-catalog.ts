import { atom } from 'nanostores'
import { billingInfo } from '../../../contract/billing/payment-methods-and-invoices.ts'
import { getPlan, PLANS } from '../../../contract/billing/plan-catalog.ts'
import { DEFAULT_REDEEM_SOURCE } from '../../../contract/billing/money.ts'
import type { Sku } from '../../../contract/billing/skus.ts'
import { setT3List } from '../../../contract/account/t3-list.ts'
import type { Prices } from '../../domain/billing/plan-comparison.ts'
import { request, type DataOf } from '../../api/api-client.ts'
import { withFailureShown, type Failure } from '../shell/report-failure.ts'
import { keptFlag } from '../storage/persistent-atoms.ts'
import { MONEY_KEYS } from '../storage/billing-keys.ts'
import { setCurrency } from './currency.ts'

type CatalogData = Extract<DataOf<typeof billingInfo>, { kind: 'catalogue' }>
export type Catalog = { state: 'loading' } | ({ state: 'ready' } & CatalogData) | { state: 'failed'; failure: Failure }

export const $catalog = atom<Catalog>({ state: 'loading' })
/** True if the user is on the waiting list for the T3 plan (SESSION-05, OPEN-45). */
export const $isJoinT3List = keptFlag(MONEY_KEYS.joinT3List)

const params = { billing_provider: DEFAULT_REDEEM_SOURCE }

/** Loads the catalog; known values stay until the response. */
export async function loadCatalog(): Promise<void> {
  if ($catalog.get().state === 'failed') $catalog.set({ state: 'loading' })
  const answer = await withFailureShown('place', request(billingInfo, { kind: 'catalogue' }, { params }))
  if (!answer.ok) $catalog.set({ state: 'failed', failure: answer })
  else if (answer.data.kind === 'catalogue') {
    setCurrency(answer.data.currency)
    $isJoinT3List.set(answer.data.t3_list)
    $catalog.set({ state: 'ready', ...answer.data })
  }
}

/** Joins or leaves the waiting list for T3. The flag follows the provider's response (OPEN-173). */
export async function setJoinT3List(joined: boolean): Promise<Failure | null> {
  const answer = await withFailureShown('toast', request(setT3List, { joined }))
  if (!answer.ok) return answer
  $isJoinT3List.set(answer.data.joined)
  return null
}

/** Returns the price of a plan from the provider's catalog; until that has loaded, the price at build time. */
export function planPrice(catalog: Catalog, sku: Sku): { monthly: number; annual: number } {
  const catalogPlan = catalog.state === 'ready' ? catalog.plans.find((plan) => plan.sku === sku) : undefined
  const { monthlyCents, annualCents } = getPlan(sku)
  return catalogPlan ?? { monthly: monthlyCents, annual: annualCents }
}

export const planPrices = (catalog: Catalog): Prices =>
  Object.fromEntries(PLANS.map(({ sku }) => [sku, planPrice(catalog, sku)])) as Prices

/** Returns true if the plan is on sale here; true until the catalog has loaded. */
export const isSold = (catalog: Catalog, sku: Sku): boolean =>
  catalog.state !== 'ready' || (catalog.sells && catalog.plans.some((plan) => plan.sku === sku && plan.on_sale))
