import type Stripe from 'stripe'
import { CARD_RETURN_PATH, CARD_RETURN_CODES } from '../../../../contract/billing/payment-calls.ts'
import { describeUnpaidCharge } from '../purpose-notes.ts'
import type { CardPurpose, GatewayMethod } from '../gateway-interface.ts'
import { CARDS_ONLY, isMissingResource, type StripeEnv } from './client.ts'
import { getOrCreateCustomer, findCustomer } from './customers.ts'
import { DAY_MS } from '../../../../contract/time-units.ts'

/** Lifetime of the Stripe page: Stripe's minimum of 30 minutes, plus one minute for clock differences. */
const PAGE_LIFETIME_S = 1860
/** Retention of a card session. After it, the account can no longer claim the payment method of the session. */
const SESSION_RETENTION_MS = DAY_MS
/** Maximum characters of the text beside the button on Stripe's page. */
const MAX_PURPOSE_CHARS = 1200

/** Opens the card page of Stripe. Stores Stripe's id of the page under the provider's own session id. */
export async function openStripePage(
  env: StripeEnv,
  stripe: Stripe,
  account: string,
  { email, lines, unpaid }: CardPurpose,
  now: number,
): Promise<{ session: string; url: string }> {
  const session = `cs_${crypto.randomUUID().replaceAll('-', '')}`
  const customer = await getOrCreateCustomer(env, stripe, account, email)
  const buildReturnUrl = (result: string) => `${env.PORTAL_ORIGIN}${CARD_RETURN_PATH}?payment=${result}`
  const notes = unpaid === undefined ? [] : Object.values(describeUnpaidCharge(unpaid))
  const message = [...lines, ...notes.filter((note) => note !== null)].join(' · ').slice(0, MAX_PURPOSE_CHARS)
  const page = await stripe.checkout.sessions.create(
    {
      mode: 'setup',
      customer,
      ...CARDS_ONLY,
      billing_address_collection: 'required',
      success_url: buildReturnUrl(CARD_RETURN_CODES.saved),
      cancel_url: buildReturnUrl(CARD_RETURN_CODES.closed),
      expires_at: Math.floor(now / 1000) + PAGE_LIFETIME_S,
      metadata: { account, key: session },
      setup_intent_data: { metadata: { account, key: session } },
      ...(message === '' ? {} : { custom_text: { submit: { message } } }),
    },
    { idempotencyKey: session },
  )
  if (page.url === null) throw new Error('Stripe returned a page without a URL.')
  await env.DB.batch([
    env.DB.prepare('DELETE FROM stripe_sessions WHERE opened_at < ?').bind(now - SESSION_RETENTION_MS),
    env.DB.prepare('INSERT INTO stripe_sessions (session, user_id, checkout, opened_at) VALUES (?, ?, ?, ?)').bind(
      session,
      account,
      page.id,
      now,
    ),
  ])
  return { session, url: page.url }
}

/**
 * Returns the payment method that the account saved in a card session. Returns null if none was saved, the method was
 * removed, or the session is older than `SESSION_RETENTION_MS`.
 */
export async function findSavedMethod(
  { DB }: StripeEnv,
  stripe: Stripe,
  account: string,
  session: string,
  now: number,
): Promise<GatewayMethod | null> {
  const found = await DB.prepare(
    'SELECT checkout FROM stripe_sessions WHERE session = ? AND user_id = ? AND opened_at > ?',
  )
    .bind(session, account, now - SESSION_RETENTION_MS)
    .first<{ checkout: string }>()
  if (found === null) return null
  const page = await stripe.checkout.sessions.retrieve(found.checkout, { expand: ['setup_intent.payment_method'] })
  const intent = page.setup_intent
  if (intent === null || typeof intent === 'string' || intent.status !== 'succeeded') return null
  const method = intent.payment_method
  // A method without a customer was saved in the session and later removed.
  if (method === null || typeof method === 'string' || method.customer === null) return null
  return toGatewayMethod(method)
}

function toGatewayMethod({ id, card, billing_details: { address } }: Stripe.PaymentMethod): GatewayMethod | null {
  if (!card) return null
  const { wallet, brand, last4, exp_month: month, exp_year: year } = card
  const cityLine = [address?.city, [address?.state, address?.postal_code].filter(Boolean).join(' ')]
  const lines = [address?.line1, address?.line2, cityLine.filter(Boolean).join(', '), address?.country]
  const base = { token: id, address: lines.filter((line): line is string => Boolean(line)) }
  // The buyer does not know the number and expiry of a card in a wallet, so omit both.
  if (wallet)
    return { ...base, type: 'wallet', brand: 'wallet', last_four: '', name: formatWalletName(wallet.type), ends: null }
  return {
    ...base,
    type: 'card',
    brand: NETWORK_BRANDS[brand] ?? brand,
    last_four: last4,
    name: '',
    ends: { month, year },
  }
}

/** Card brands whose payments another network processes. The portal shows that network instead. */
const NETWORK_BRANDS: Readonly<Record<string, string>> = { diners: 'discover', jcb: 'discover', unionpay: 'discover' }

/** Formats `apple_pay` as Apple Pay. */
const formatWalletName = (wallet: string) =>
  wallet
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')

/**
 * Detaches a payment method from its customer. Does nothing if the method is missing or belongs to another customer.
 */
export async function detachMethod(env: StripeEnv, stripe: Stripe, account: string, token: string): Promise<void> {
  const customer = await findCustomer(env, account)
  const method = await stripe.paymentMethods.retrieve(token).catch((error: unknown) => {
    if (isMissingResource(error)) return null
    throw error
  })
  if (customer === null || method?.customer !== customer) return
  await stripe.paymentMethods.detach(token, {}, { idempotencyKey: `${token} detach` })
}
