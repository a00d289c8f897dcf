import type { InferOutput } from 'valibot'
import type { LedgerMismatch, settlementPage } from '../../../contract/operator/reconciliation.ts'
import type { Env } from '../../env.ts'
import type { LedgerCharge } from '../ledger/reconciliation-snapshot.ts'
import type { GatewayCharge } from '../payment/gateway-interface.ts'
import { GatewayDownError } from '../payment/gateway-interface.ts'
import { deleteRestoredAccount, findRestoredAccount, type RestoredAccount } from '../payment/restored-accounts.ts'
import { selectGateway, toStripeEnv } from '../payment/select-gateway.ts'
import { findGatewayMismatches } from './find-mismatches.ts'
import { getObject } from '../../platform/objects.ts'

export type SettlementReport = InferOutput<typeof settlementPage>['data']['settled'][number]

/** Prefix of the keys that ledgers create. Payments that the operator created in Stripe's dashboard have other keys. */
const LEDGER_KEY_PREFIX = 'order_'

/**
 * Ends the hold of a restored ledger: books the charges that the payment gateway has collected since the backup.
 * Returns null if there is no hold. If ledger and gateway differ in another way, or if the charges can't be found,
 * returns the mismatches, and the hold stays, unless `isForced`.
 */
export async function settleRestoredAccount(
  env: Env,
  { user_id, email }: { readonly user_id: string; readonly email: string },
  isForced: boolean,
  now: number,
): Promise<SettlementReport | null> {
  const restored = await findRestoredAccount(env, user_id)
  const ledger = getObject(env, 'LEDGERS', user_id)
  const snapshot = await ledger.createReconciliationSnapshot(now)
  if (!snapshot.isHeld) {
    if (restored) await deleteRestoredAccount(env, user_id)
    return null
  }
  const problem = restored && (await findGatewayProblem(env, user_id, restored))
  const charges = (await selectGateway(env)?.charges(user_id)) ?? []
  const classified = classifyCharges(snapshot.charges, charges, snapshot.currency)
  const { unknown, interrupted } = classified
  const differences = problem
    ? [{ where: 'gateway' as const, what: problem, book: null, other: null }]
    : findSettlementMismatches(snapshot.charges, classified)
  const isSettled = isForced || differences.length === 0
  if (isSettled) {
    await ledger.settleRestore({ unknown, interrupted }, now)
    await deleteRestoredAccount(env, user_id)
  }
  const cents = isSettled ? unknown.reduce((sum, charge) => sum + charge.cents - charge.refunded, 0) : 0
  return { email, is_settled: isSettled, cents, currency: snapshot.currency, differences }
}

/** Returns the reason why the charges of a restored account can't be found at the payment gateway; null if they can. */
async function findGatewayProblem(env: Env, userId: string, { gateway }: RestoredAccount): Promise<string | null> {
  if (gateway === 'stripe' && toStripeEnv(env) === null)
    return 'the backup used Stripe, but BILLING_GATEWAY and STRIPE_SECRET_KEY aren’t set to it'
  try {
    await selectGateway(env)?.adoptAccount(userId)
    return null
  } catch (error) {
    if (!(error instanceof GatewayDownError)) throw error
    return `the customer of this account can’t be found at Stripe. ${error.message}`
  }
}

/**
 * Returns the mismatches that keep a restored ledger on hold. One of them is a refunded charge that the ledger lacks,
 * because the ledger would charge the card for its period again.
 */
export function findSettlementMismatches(
  ledgerCharges: readonly LedgerCharge[],
  { unknown, others }: ClassifiedCharges,
): LedgerMismatch[] {
  const refunded = unknown.filter((charge) => charge.refunded > 0)
  return [
    ...refunded.map(({ key, charge, refunded: cents }) => ({
      where: 'gateway' as const,
      what: `refunds of charge ${key} (${charge})`,
      book: 0,
      other: cents,
    })),
    ...findGatewayMismatches(ledgerCharges, others),
  ]
}

export interface ClassifiedCharges {
  /** Charges that the ledger lacks. */
  readonly unknown: GatewayCharge[]
  /** Keys of charges that the ledger resumes after the hold. */
  readonly interrupted: string[]
  readonly others: GatewayCharge[]
}

/** Divides the gateway's charges by what a restored ledger must do with them. */
export function classifyCharges(
  ledgerCharges: readonly LedgerCharge[],
  charges: readonly GatewayCharge[],
  ledgerCurrency: string,
): ClassifiedCharges {
  const byKey = new Map(ledgerCharges.map((charge) => [charge.key, charge]))
  const isInterrupted = ({ key }: GatewayCharge) => ['written', 'authorised'].includes(byKey.get(key)?.state ?? '')
  const isUnknown = ({ key, currency }: GatewayCharge) =>
    !byKey.has(key) && key.startsWith(LEDGER_KEY_PREFIX) && currency === ledgerCurrency
  return {
    unknown: charges.filter(isUnknown),
    interrupted: charges.filter(isInterrupted).map(({ key }) => key),
    others: charges
      .filter((charge) => !isUnknown(charge) && !isInterrupted(charge))
      // The ledger sends its refunds only after the hold.
      .map((charge) => ({ ...charge, refunded: Math.max(charge.refunded, byKey.get(charge.key)?.refunded ?? 0) })),
  }
}
