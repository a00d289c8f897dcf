import type Stripe from 'stripe'
import type { Env } from '../../../env.ts'
import { GatewayDownError } from '../gateway-interface.ts'
import { findRestoredAccount } from '../restored-accounts.ts'
import { isMissingResource } from './client.ts'

type DatabaseEnv = Pick<Env, 'DB'>

/** Returns the Stripe customer of an account; null if there is none yet. */
export async function findCustomer({ DB }: DatabaseEnv, account: string): Promise<string | null> {
  const found = await DB.prepare('SELECT customer FROM stripe_customers WHERE account = ?')
    .bind(account)
    .first<{ customer: string }>()
  return found?.customer ?? null
}

/** Returns the account of a Stripe customer; null if it is unknown. */
export async function findAccount({ DB }: DatabaseEnv, customer: string): Promise<string | null> {
  const found = await DB.prepare('SELECT account FROM stripe_customers WHERE customer = ?')
    .bind(customer)
    .first<{ account: string }>()
  return found?.account ?? null
}

/**
 * Stores the customer that Stripe already has for a restored account, and returns it; null if there is none. A customer
 * that was created after the backup is missing here. Throws `GatewayDownError` if Stripe has several, because each may
 * have charges.
 */
export async function adoptCustomer(env: DatabaseEnv, stripe: Stripe, account: string): Promise<string | null> {
  const existing = await findCustomer(env, account)
  if (existing !== null || (await findRestoredAccount(env, account)) === null) return existing
  const { data } = await stripe.customers.search({ query: `metadata['account']:'${account}'` })
  if (data.length > 1) throw new GatewayDownError(`Stripe has ${data.length} customers with this account’s id.`)
  const [customer] = data
  return customer ? await storeCustomer(env, account, customer.id) : null
}

/** Returns the stored customer, which another call may have stored first. */
async function storeCustomer(env: DatabaseEnv, account: string, customer: string): Promise<string> {
  await env.DB.prepare('INSERT OR IGNORE INTO stripe_customers (account, customer) VALUES (?, ?)')
    .bind(account, customer)
    .run()
  return (await findCustomer(env, account)) ?? customer
}

/**
 * Returns the account's Stripe customer. Creates a missing customer only once, even in concurrent calls. Updates the
 * email, which Stripe's page shows.
 */
export async function getOrCreateCustomer(
  env: DatabaseEnv,
  stripe: Stripe,
  account: string,
  email: string,
): Promise<string> {
  const existing = await adoptCustomer(env, stripe, account)
  if (existing !== null) {
    await stripe.customers.update(existing, { email })
    return existing
  }
  // Create the customer without an email. Requests with the same idempotency key need the same body, but the email may
  // change between them.
  const newCustomer = await stripe.customers.create(
    { metadata: { account } },
    { idempotencyKey: `customer ${account}` },
  )
  const customer = await storeCustomer(env, account, newCustomer.id)
  await stripe.customers.update(customer, { email })
  return customer
}

/** Removes email, name and cards of a customer at Stripe. Its charges stay, and stay linked to the customer. */
export async function eraseCustomer(env: DatabaseEnv, stripe: Stripe, account: string): Promise<void> {
  const customer = await findCustomer(env, account)
  if (customer === null) return
  try {
    // Also detach cards that Stripe has saved but the account has never claimed.
    await stripe.customers.listPaymentMethods(customer).autoPagingEach(async ({ id }) => {
      await stripe.paymentMethods.detach(id)
    })
    await stripe.customers.update(customer, { email: '', name: '' })
  } catch (error) {
    if (!isMissingResource(error)) throw error
  }
}
