import { DEMO_HOMES, DEMO_PASSWORD } from '../../contract/operator/operator-calls.ts'
import { DEMO_ACCOUNTS, DEMO_PLAN_STATE_ACCOUNTS, type DemoAccount } from '../../contract/operator/demo-accounts.ts'
import { DEMO_COUPONS } from '../../contract/operator/demo-coupons.ts'
import { findAccountByEmail, ensureAccount } from '../accounts/account-rows.ts'
import { planDemoShares } from '../homes/members/demo-shares.ts'
import { createHome } from '../homes/members/create-home.ts'
import type { Env } from '../env.ts'
import { hashPassword } from '../identity/password/hash-password.ts'
import type { ImportedSubscription } from '../billing/ledger/ledger-calls.ts'
import { selectGateway } from '../billing/payment/select-gateway.ts'
import type { GatewayMethod } from '../billing/payment/gateway-interface.ts'
import { unwrapLedgerResult } from '../billing/ledger/ledger-stub.ts'
import { DEMO_BILLING_HISTORIES, replayBillingHistory } from './demo-billing-history.ts'
import { addCoupons } from '../billing/coupons/coupon-rows.ts'
import { reportTaskFailure } from '../telemetry/error-reporting.ts'
import { DAY_MS } from '../../contract/time-units.ts'
import { getObject } from '../platform/objects.ts'

/**
 * Creates missing demo accounts, homes, plans, cards and coupons. Of existing data, changes only the names of demo
 * homes. Returns the email addresses of accounts that could not be seeded.
 */
export async function seedDemo(env: Env, now: number): Promise<string[]> {
  await addCoupons(env.DB, DEMO_COUPONS)
  // Hash the password only once, because all demo accounts share one public password.
  let hash: Promise<string> | undefined
  const passwordHash = () => (hash ??= hashPassword(DEMO_PASSWORD))
  const failedEmails: string[] = []
  for (const demo of [...DEMO_ACCOUNTS, ...DEMO_PLAN_STATE_ACCOUNTS]) {
    try {
      await seedAccount(env, demo, passwordHash, now)
    } catch (error) {
      failedEmails.push(demo.email)
      console.error(JSON.stringify({ at: 'seed', account: demo.email, error: String(error) }))
      reportTaskFailure(env, 'seed', error instanceof Error ? error : new Error(String(error)), now)
    }
  }
  return failedEmails
}

async function seedAccount(
  env: Env,
  demo: DemoAccount,
  passwordHash: () => Promise<string>,
  now: number,
): Promise<void> {
  const { email, label, home } = demo
  const existingAccount = await findAccountByEmail(env.DB, email)
  const createAccount = async () =>
    await ensureAccount(env.DB, { email, passwordHash: await passwordHash(), demo: true }, now)
  const userId = existingAccount?.userId ?? (await createAccount())
  if (home !== null)
    await createHome(env, { homeId: home, name: `${label} home`, ownerUserId: userId, demo: true }, now)
  else if (!existingAccount) await planDemoShares(env, DEMO_HOMES.owner, userId, now)
  await seedBilling(env, userId, demo, now)
}

/** Returns true if the provider uses the embedded payment gateway, the only one that accepts test cards. */
const acceptsTestCards = (env: Env) => env.BILLING_GATEWAY === 'embedded' && selectGateway(env) !== null

async function seedBilling(env: Env, userId: string, demo: DemoAccount, now: number): Promise<void> {
  const { plan, card, email } = demo
  const history = DEMO_BILLING_HISTORIES[email]
  if (history && acceptsTestCards(env)) {
    await replayBillingHistory(env, userId, history, (digits) => addTestCard(env, userId, { email, digits }, now), now)
    return
  }
  if (plan === null) return
  const { since, ends, ...planFields } = plan
  const opening: ImportedSubscription = {
    ...planFields,
    subscription_id: `sub_demo_${userId}`,
    billing_provider: 'card',
    since: now + since * DAY_MS,
    renews_at: now + ends * DAY_MS,
  }
  const ledger = getObject(env, 'LEDGERS', userId)
  await ledger.importSubscriptions([opening], now)
  if (card === null || !acceptsTestCards(env) || (await ledger.getPaymentOverview(now)).methods.length > 0) return
  const session = `cs_demo_${userId}`
  const method = await enterTestCard(env, userId, { session, email, card }, now)
  if (method) await ledger.addMethod(session, method, now)
}

async function addTestCard(
  env: Env,
  userId: string,
  { email, digits }: { email: string; digits: string },
  now: number,
): Promise<string> {
  const session = `cs_demo_${userId}_${digits}`
  const method = await enterTestCard(env, userId, { session, email, card: digits === '4221' ? 'empty' : 'good' }, now)
  if (!method) throw new Error("The payment gateway didn't save the card for a demo account.")
  return unwrapLedgerResult(await getObject(env, 'LEDGERS', userId).addMethod(session, method, now)).method_id
}

/**
 * Enters a test card on the card page of the embedded payment gateway. Returns null if the provider uses a different
 * payment gateway, or if the embedded one does not store the card.
 */
async function enterTestCard(
  env: Env,
  userId: string,
  { session, email, card }: { session: string; email: string; card: NonNullable<DemoAccount['card']> },
  now: number,
): Promise<GatewayMethod | null> {
  if (!acceptsTestCards(env)) return null
  const today = new Date(now)
  const expiry =
    card === 'ending'
      ? { month: today.getUTCMonth() + 1, year: today.getUTCFullYear() }
      : { month: 8, year: today.getUTCFullYear() + 2 }
  const gateway = getObject(env, 'GATEWAYS', userId)
  await gateway.openCard(session, { email, lines: [] }, now)
  await gateway.enterCard(session, now)
  const address = ['Demo Account', '1 Porch Street', 'Springfield, IL 62701']
  const last_four = card === 'empty' ? '4221' : '4242'
  const saved = await gateway.saveCard(
    session,
    { type: 'card', brand: 'visa', last_four, name: '', ends: expiry, address },
    now,
  )
  const method = await gateway.claimMethod(session, saved?.proof ?? null, now)
  return method === 'unproven' ? null : method
}
