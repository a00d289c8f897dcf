import { atom } from 'nanostores'
import { billingInfo } from '../../../contract/billing/payment-methods-and-invoices.ts'
import { planOf, PLANS } from '../../../contract/billing/plan-catalog.ts'
import { DEFAULT_REDEEM_SOURCE } from '../../../contract/billing/money.ts'
import type { Sku } from '../../../contract/billing/skus.ts'
import { setT3List } from '../../../contract/account/t3-list.ts'
import type { Prices } from '../../domain/billing/plan-comparison.ts'
import { request, type DataOf } from '../../api/api-client.ts'
import { told, type Failure } from '../shell/report-failure.ts'
import { keptFlag } from '../storage/persistent-atoms.ts'
import { MONEY_KEYS } from '../storage/billing-keys.ts'
import { setCurrency } from './currency.ts'

type Sold = Extract<DataOf<typeof billingInfo>, { kind: 'catalogue' }>
export type Catalogue = { state: 'loading' } | ({ state: 'ready' } & Sold) | { state: 'failed'; failure: Failure }

/** What is sold here, as the provider says it. */
export const $catalogue = atom<Catalogue>({ state: 'loading' })
/** The user is on the list of people who wait until the plan of tier T3 is on sale (SESSION-05, OPEN-45). */
export const $isJoinT3List = keptFlag(MONEY_KEYS.joinT3List)

const params = { billing_provider: DEFAULT_REDEEM_SOURCE }

/** Asks what is sold; what was known stays until there is an answer. */
export async function loadCatalogue(): Promise<void> {
  if ($catalogue.get().state === 'failed') $catalogue.set({ state: 'loading' })
  const answer = await told('place', request(billingInfo, { kind: 'catalogue' }, { params }))
  if (!answer.ok) $catalogue.set({ state: 'failed', failure: answer })
  else if (answer.data.kind === 'catalogue') {
    setCurrency(answer.data.currency)
    $isJoinT3List.set(answer.data.t3_list)
    $catalogue.set({ state: 'ready', ...answer.data })
  }
}

/** Joins or leaves the list for T3; the flag follows the provider's answer (OPEN-173). */
export async function setJoinT3List(joined: boolean): Promise<Failure | null> {
  const answer = await told('toast', request(setT3List, { joined }))
  if (!answer.ok) return answer
  $isJoinT3List.set(answer.data.joined)
  return null
}

/** What a plan costs: as the provider sells it, until that is known as it was when the page was built. */
export function priceOf(known: Catalogue, sku: Sku): { monthly: number; annual: number } {
  const sold = known.state === 'ready' ? known.plans.find((plan) => plan.sku === sku) : undefined
  const { monthlyCents, annualCents } = planOf(sku)
  return sold ?? { monthly: monthlyCents, annual: annualCents }
}

export const pricesOf = (known: Catalogue): Prices =>
  Object.fromEntries(PLANS.map(({ sku }) => [sku, priceOf(known, sku)])) as Prices

/** Whether it can be bought here; true until that is known. */
export const isSold = (known: Catalogue, sku: Sku): boolean =>
  known.state !== 'ready' || (known.sells && known.plans.some((plan) => plan.sku === sku && plan.on_sale))
