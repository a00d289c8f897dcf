import type Stripe from 'stripe'

/**
 * Stripe objects for responses. They contain only the fields that the provider reads, and are checked against the types
 * of Stripe's package.
 */

/** Form fields of a request. A name such as `metadata[key]` becomes a nested object. */
export type Fields = { readonly [name: string]: string | Fields | undefined }

export const text = (fields: Fields, name: string): string => {
  const value = fields[name]
  return typeof value === 'string' ? value : ''
}
export const group = (fields: Fields, name: string): Fields => {
  const value = fields[name]
  return typeof value === 'object' ? value : {}
}
const readMetadata = (fields: Fields) => ({ ...group(fields, 'metadata') }) as Record<string, string>

export const customer = (id: string, fields: Fields) =>
  ({
    id,
    object: 'customer',
    metadata: readMetadata(fields),
    email: null as string | null,
  }) satisfies Partial<Stripe.Customer>

/**
 * Test card. `does`: its behavior when charged, which is `pays`, `asks` (3-D Secure), `slow` (the bank answers later)
 * or a Stripe decline code.
 */
export interface Card {
  readonly does: string
  readonly wallet?: 'apple_pay'
  readonly brand?: string
}

export const paymentMethod = (id: string, owner: string, { wallet, brand = 'visa' }: Card) =>
  ({
    ...{ id, object: 'payment_method', type: 'card', customer: owner as string | null, metadata: {} },
    card: {
      ...{ brand, last4: '4242', exp_month: 8, exp_year: 2038 },
      wallet: wallet ? ({ type: wallet } as Stripe.PaymentMethod.Card.Wallet) : null,
    } as Stripe.PaymentMethod.Card,
    billing_details: {
      ...{ email: null, name: 'Maya Reyes', phone: null, tax_id: null },
      address: {
        ...{ line1: '48 Alder Lane', line2: null, city: 'Springfield' },
        ...{ state: 'IL', postal_code: '62704', country: 'US' },
      },
    },
  }) satisfies Partial<Stripe.PaymentMethod>
export type Method = ReturnType<typeof paymentMethod>

export const checkout = (id: string, fields: Fields) =>
  ({
    ...{ id, object: 'checkout.session', mode: 'setup', status: 'open', metadata: readMetadata(fields) },
    ...{ setup_intent: null as null | Stripe.SetupIntent, customer: text(fields, 'customer') },
    ...{ success_url: text(fields, 'success_url'), cancel_url: text(fields, 'cancel_url') },
    ...{ expires_at: Number(text(fields, 'expires_at')), url: `https://checkout.stripe.com/c/pay/${id}#fid` },
  }) satisfies Partial<Stripe.Checkout.Session>

export const setupIntent = (id: string, method: Method) =>
  ({
    ...{ id, object: 'setup_intent', status: 'succeeded', payment_method: method as Stripe.PaymentMethod },
  }) satisfies Partial<Stripe.SetupIntent>

export const charge = (id: string, intent: string, amount: number, created: number) =>
  ({
    id,
    object: 'charge',
    payment_intent: intent,
    amount,
    amount_refunded: 0,
    created,
  }) satisfies Partial<Stripe.Charge>
export type Charge = ReturnType<typeof charge>

export const paymentIntent = (id: string, fields: Fields, created: number) =>
  ({
    ...{ id, object: 'payment_intent', created, currency: text(fields, 'currency'), metadata: readMetadata(fields) },
    ...{ amount: Number(text(fields, 'amount')), amount_received: 0, customer: text(fields, 'customer') },
    ...{ payment_method: text(fields, 'payment_method'), capture_method: 'manual' },
    ...{ status: 'requires_capture' as Stripe.PaymentIntent.Status, latest_charge: null as string | null },
    ...{ next_action: null as Stripe.PaymentIntent.NextAction | null },
    ...{ last_payment_error: null as Stripe.PaymentIntent.LastPaymentError | null },
  }) satisfies Partial<Stripe.PaymentIntent>
export type Intent = ReturnType<typeof paymentIntent>

/** 3-D Secure challenge on a Stripe page. */
export const question = (intent: string) =>
  ({
    type: 'redirect_to_url',
    redirect_to_url: { url: `https://hooks.stripe.com/3d_secure_2/hosted?of=${intent}`, return_url: null },
  }) satisfies Stripe.PaymentIntent.NextAction

export const refund = (id: string, fields: Fields) =>
  ({
    ...{ id, object: 'refund', payment_intent: text(fields, 'payment_intent'), metadata: readMetadata(fields) },
    ...{ amount: Number(text(fields, 'amount')), status: 'succeeded' as string },
  }) satisfies Partial<Stripe.Refund>
export type Refund = ReturnType<typeof refund>

export const list = <T>(data: readonly T[], url: string) =>
  ({ object: 'list', data: [...data], has_more: false, url }) satisfies Partial<Stripe.ApiList<T>>

export interface Answer {
  readonly status: number
  readonly body: object
}
export const problem = (status: number, type: string, code: string, more: object = {}): Answer => ({
  status,
  body: { error: { type, code, message: `Refused: ${code}.`, ...more } },
})
export const missing = (param: string) => problem(404, 'invalid_request_error', 'resource_missing', { param })
