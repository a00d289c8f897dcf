import type Stripe from 'stripe'
import type { Env } from '../../../env.ts'
import { isMissing } from './client.ts'

type Stored = Pick<Env, 'DB'>

/** The customer of an account at Stripe; null: there is none yet. */
export async function findCustomer({ DB }: Stored, account: string): Promise<string | null> {
  const found = await DB.prepare('SELECT customer FROM stripe_customers WHERE account = ?')
    .bind(account)
    .first<{ customer: string }>()
  return found?.customer ?? null
}

/** The account of a customer; null: it is none of ours. */
export async function findAccount({ DB }: Stored, customer: string): Promise<string | null> {
  const found = await DB.prepare('SELECT account FROM stripe_customers WHERE customer = ?')
    .bind(customer)
    .first<{ account: string }>()
  return found?.account ?? null
}

/** Makes the customer once, whoever asks at the same time; its e-mail is the account's of now, as Stripe's page shows it. */
export async function customerFor(env: Stored, stripe: Stripe, account: string, email: string): Promise<string> {
  const existing = await findCustomer(env, account)
  if (existing !== null) {
    await stripe.customers.update(existing, { email })
    return existing
  }
  // No e-mail at first: by one key one thing is asked, and an address may change.
  const made = await stripe.customers.create({ metadata: { account } }, { idempotencyKey: `customer ${account}` })
  await env.DB.prepare('INSERT OR IGNORE INTO stripe_customers (account, customer) VALUES (?, ?)')
    .bind(account, made.id)
    .run()
  const customer = (await findCustomer(env, account)) ?? made.id
  await stripe.customers.update(customer, { email })
  return customer
}

/** Takes the address out of what Stripe has of an account; charges, and that they were one customer's, stay. */
export async function eraseCustomer(env: Stored, stripe: Stripe, account: string): Promise<void> {
  const customer = await findCustomer(env, account)
  if (customer === null) return
  try {
    // Also cards that were saved there and never came back here.
    await stripe.customers.listPaymentMethods(customer).autoPagingEach(async ({ id }) => {
      await stripe.paymentMethods.detach(id)
    })
    await stripe.customers.update(customer, { email: '', name: '' })
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}
