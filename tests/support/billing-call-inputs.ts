import { expect } from 'vitest'
import type { Call } from '../../contract/wire/call.ts'
import * as cancellation from '../../contract/billing/cancellation.ts'
import { applyCoupon } from '../../contract/billing/coupons.ts'
import { createPurchase, previewPurchase, updatePurchase } from '../../contract/billing/purchase.ts'
import { unwrapLedgerResult } from '../../provider/billing/ledger/ledger-stub.ts'
import { addCard } from './cards.ts'
import type { Neighborhood } from './home.ts'
import type { CallInput } from './home-calls.ts'

type CallInputs = Record<string, CallInput | null>

/**
 * Creates payment methods, purchases and plans of household a. Adds to `inputs` the inputs of the billing calls that
 * name these objects.
 */
export async function createBillingInputs(neighborhood: Neighborhood, inputs: CallInputs): Promise<void> {
  await createPaymentMethods(neighborhood, inputs)
  await createPurchases(neighborhood, inputs)
  await createCancellations(neighborhood, inputs)
}

async function createPaymentMethods(neighborhood: Neighborhood, inputs: CallInputs): Promise<void> {
  const ledger = neighborhood.bindings.LEDGERS.getByName(neighborhood.a.userId)
  const card = { type: 'card' as const, brand: 'visa', last_four: '4242', name: '', ends: null, address: [] }
  const [first, second] = [
    unwrapLedgerResult(await ledger.addMethod('cs_first', { ...card, token: 'tok_first' }, Date.now())),
    unwrapLedgerResult(await ledger.addMethod('cs_second', { ...card, token: 'tok_second' }, Date.now())),
  ]
  inputs['EXT-choose-method'] = { input: { method_id: first.method_id, intent: 'intent_of_choosing' } }
  inputs['EXT-remove-method'] = { input: { method_id: second.method_id, intent: 'intent_of_removing' } }
}

/**
 * Buys home monitoring for household a, changes the household's plan, and creates a license that is not yet assigned.
 */
async function createPurchases(neighborhood: Neighborhood, inputs: CallInputs): Promise<void> {
  const fetchData = async (call: Call, input: Record<string, unknown>) =>
    (await neighborhood.call(neighborhood.a, call, input)).body.data
  const { method_id } = await addCard(neighborhood.bindings, neighborhood.a.userId, '4242')
  const hms = { sku: 'hms', level: '', mode: 'monthly', quantity: 1 }
  const { quote } = await fetchData(previewPurchase, hms)
  const purchase = { ...hms, quote, method_id, intent: 'intent_of_buying_it' }
  const { order } = await fetchData(createPurchase, purchase)
  const plan = { mode: 'annual', quantity: 1, subscription_id: 'user_a' }
  const pro = { ...plan, sku: 'pro', level: 3, revision: 0 }
  const { quote: newQuote, change } = await fetchData(previewPurchase, pro)
  const planChange = { ...pro, quote: newQuote, change, method_id, intent: 'intent_of_changing' }
  await fetchData(updatePurchase, planChange)
  inputs['CALL-10'] = { input: { process_id: order.order_id } }
  inputs['CALL-12'] = { input: { ...plan, sku: 'unlimited', level: 2, revision: 1 } }
  inputs['CALL-13'] = { input: purchase }
  inputs['CALL-14'] = { input: planChange }
  const license = { sku: 'cam-ai', channel: 'bonus', status: 'cancelled', quantity: 1, period: 'monthly' } as const
  const validity = { billing_provider: 'recurring', since: Date.now(), renews_at: Date.now() + 9e9 } as const
  const subscription = { subscription_id: 'licence_a', ...license, ...validity }
  await neighborhood.bindings.LEDGERS.getByName(neighborhood.a.userId).importSubscriptions([subscription], Date.now())
  inputs['CALL-06'] = { input: { subscription_id: 'licence_a', device_macs: ['door_a'] } }
  inputs['EXT-unbind'] = { input: { ...inputs['CALL-06'].input, intent: 'intent_of_freeing_it' } }
  const transfer = { subscription_id: 'licence_a', from: 'door_a', to: 'gone_a', intent: 'intent_of_moving_it' }
  inputs['EXT-move-licence'] = { input: transfer }
}

/** Cancels, reactivates, pauses and resumes plans of household a, pays an open invoice and extends a free trial. */
async function createCancellations(neighborhood: Neighborhood, inputs: CallInputs): Promise<void> {
  const { method_id } = await addCard(neighborhood.bindings, neighborhood.a.userId, '4242')
  const plan = { sku: 'hms', channel: 'web', quantity: 1, period: 'monthly', billing_provider: 'card' } as const
  // Redeem the coupon before a free trial starts, because the provider rejects the redemption during a free trial.
  await neighborhood.call(neighborhood.a, applyCoupon, inputs['CALL-05']?.input ?? {})
  const dates = { since: Date.now() - 9e9, renews_at: Date.now() + 9e8 }
  const states = { left: 'active', stayed: 'cancelled', paused: 'active', failed: 'past_due', longer: 'trial' } as const
  const subscriptions = Object.entries(states).map(([id, status]) => ({
    ...plan,
    ...dates,
    subscription_id: `${id}_a`,
    status,
  }))
  await neighborhood.bindings.LEDGERS.getByName(neighborhood.a.userId).importSubscriptions(subscriptions, Date.now())
  const buildPlanFields = (id: string) => ({ subscription_id: `${id}_a`, revision: 0, intent: `intent_for_plan_${id}` })
  const cardProvider = { params: { billing_provider: 'card' } }
  inputs['EXT-leaving'] = { input: { subscription_id: 'user_a' } }
  inputs['CALL-09'] = { input: { ...buildPlanFields('left'), way: 'end', reason: null }, ...cardProvider }
  inputs['CALL-07'] = { input: buildPlanFields('stayed'), ...cardProvider }
  inputs['EXT-pause'] = { input: { ...buildPlanFields('paused'), months: 1 } }
  inputs['EXT-resume'] = { input: { ...buildPlanFields('paused'), revision: 1, intent: 'intent_for_going_on' } }
  inputs['EXT-pay-open'] = { input: { ...buildPlanFields('failed'), method_id } }
  inputs['EXT-extend'] = { input: { subscription_id: 'longer_a', intent: 'intent_for_more_days' } }
  for (const call of [
    cancellation.cancelSubscription,
    cancellation.reactivateSubscription,
    cancellation.pausePlan,
    cancellation.resumePlan,
    cancellation.payOpenInvoice,
    cancellation.extendTrial,
  ]) {
    const { input, params } = inputs[call.ledger] ?? { input: {} }
    expect((await neighborhood.call(neighborhood.a, call, input, params)).status).toBe(200)
  }
}
