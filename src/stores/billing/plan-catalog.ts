import { atom } from 'nanostores'
import { getBillingInfo } from '../../../contract/billing/payment-methods-and-invoices.ts'
import { getPlan, PLANS } from '../../../contract/billing/plan-catalog.ts'
import { DEFAULT_REDEEM_SOURCE } from '../../../contract/billing/money.ts'
import type { Sku } from '../../../contract/billing/skus.ts'
import { setT3List } from '../../../contract/account/t3-list.ts'
import type { Prices } from '../../domain/billing/plan-comparison.ts'
import { request, type DataOf } from '../../api/api-client.ts'
import { withFailureShown, type Failure } from '../shell/report-failure.ts'
import { persistentFlag } from '../storage/persistent-atoms.ts'
import { BILLING_KEYS } from '../storage/billing-keys.ts'
import { setCurrency } from './currency.ts'

type CatalogData = Extract<DataOf<typeof getBillingInfo>, { kind: 'catalogue' }>
export type CatalogState =
  { state: 'loading' } | ({ state: 'ready' } & CatalogData) | { state: 'failed'; failure: Failure }

export const $catalog = atom<CatalogState>({ state: 'loading' })
/** True if the user is on the waiting list for the T3 plan (SESSION-05, OPEN-45). */
export const $isJoinT3List = persistentFlag(BILLING_KEYS.joinT3List)

const CATALOG_PARAMS = { billing_provider: DEFAULT_REDEEM_SOURCE }

/** Loads the plan catalog. Loaded values stay until the response arrives. */
export async function loadCatalog(): Promise<void> {
  if ($catalog.get().state === 'failed') $catalog.set({ state: 'loading' })
  const response = await withFailureShown(
    'place',
    request(getBillingInfo, { kind: 'catalogue' }, { params: CATALOG_PARAMS }),
  )
  if (!response.ok) $catalog.set({ state: 'failed', failure: response })
  else if (response.data.kind === 'catalogue') {
    setCurrency(response.data.currency)
    $isJoinT3List.set(response.data.t3_list)
    $catalog.set({ state: 'ready', ...response.data })
  }
}

/** Joins or leaves the waiting list for T3. The flag follows the provider's response (OPEN-173). */
export async function setT3ListMembership(isMember: boolean): Promise<Failure | null> {
  const response = await withFailureShown('toast', request(setT3List, { joined: isMember }))
  if (!response.ok) return response
  $isJoinT3List.set(response.data.joined)
  return null
}

/**
 * Returns the prices of a plan in cents from the provider's catalog. If the catalog has not loaded or lacks the plan,
 * returns the prices at build time.
 */
export function getPlanPrice(catalog: CatalogState, sku: Sku): { monthly: number; annual: number } {
  const catalogPlan = catalog.state === 'ready' ? catalog.plans.find((plan) => plan.sku === sku) : undefined
  const { monthlyCents, annualCents } = getPlan(sku)
  return catalogPlan ?? { monthly: monthlyCents, annual: annualCents }
}

export const listPlanPrices = (catalog: CatalogState): Prices =>
  Object.fromEntries(PLANS.map(({ sku }) => [sku, getPlanPrice(catalog, sku)])) as Prices

/** Returns true if the provider sells the plan, or if the catalog has not loaded. */
export const isPlanOnSale = (catalog: CatalogState, sku: Sku): boolean =>
  catalog.state !== 'ready' || (catalog.sells && catalog.plans.some((plan) => plan.sku === sku && plan.on_sale))
