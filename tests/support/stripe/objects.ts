import type Stripe from 'stripe'

/**
 * Builders for Stripe's response objects. The objects have Stripe's types, but contain only fields that the provider
 * reads.
 */

/** Form fields of a request. A name such as `metadata[key]` becomes a nested object. */
export type FormFields = { readonly [name: string]: string | FormFields | undefined }

export const readText = (fields: FormFields, name: string): string => {
  const value = fields[name]
  return typeof value === 'string' ? value : ''
}
export const readGroup = (fields: FormFields, name: string): FormFields => {
  const value = fields[name]
  return typeof value === 'object' ? value : {}
}
const readMetadata = (fields: FormFields) => ({ ...readGroup(fields, 'metadata') }) as Record<string, string>

export const createCustomer = (id: string, fields: FormFields) =>
  ({
    id,
    object: 'customer',
    metadata: readMetadata(fields),
    email: null as string | null,
  }) satisfies Partial<Stripe.Customer>

/**
 * Test card. `behavior` sets the result of a charge: `pays`, `asks` (3-D Secure challenge), `slow` (the bank answers
 * later) or a Stripe decline code.
 */
export interface StripeTestCard {
  readonly behavior: string
  readonly wallet?: 'apple_pay'
  readonly brand?: string
}

export const createPaymentMethod = (id: string, customerId: string, { wallet, brand = 'visa' }: StripeTestCard) =>
  ({
    id,
    object: 'payment_method',
    type: 'card',
    customer: customerId as string | null,
    metadata: {},
    card: {
      brand,
      last4: '4242',
      exp_month: 8,
      exp_year: 2038,
      wallet: wallet ? ({ type: wallet } as Stripe.PaymentMethod.Card.Wallet) : null,
    } as Stripe.PaymentMethod.Card,
    billing_details: {
      email: null,
      name: 'Maya Reyes',
      phone: null,
      tax_id: null,
      address: {
        line1: '48 Alder Lane',
        line2: null,
        city: 'Springfield',
        state: 'IL',
        postal_code: '62704',
        country: 'US',
      },
    },
  }) satisfies Partial<Stripe.PaymentMethod>
export type StripePaymentMethod = ReturnType<typeof createPaymentMethod>

export const createCheckoutSession = (id: string, fields: FormFields) =>
  ({
    id,
    object: 'checkout.session',
    mode: 'setup',
    status: 'open',
    metadata: readMetadata(fields),
    setup_intent: null as null | Stripe.SetupIntent,
    customer: readText(fields, 'customer'),
    success_url: readText(fields, 'success_url'),
    cancel_url: readText(fields, 'cancel_url'),
    expires_at: Number(readText(fields, 'expires_at')),
    url: `https://checkout.stripe.com/c/pay/${id}#fid`,
  }) satisfies Partial<Stripe.Checkout.Session>

export const createSetupIntent = (id: string, method: StripePaymentMethod) =>
  ({
    id,
    object: 'setup_intent',
    status: 'succeeded',
    payment_method: method as Stripe.PaymentMethod,
  }) satisfies Partial<Stripe.SetupIntent>

export const createCharge = (id: string, intent: string, amount: number, created: number) =>
  ({
    id,
    object: 'charge',
    payment_intent: intent,
    amount,
    amount_refunded: 0,
    created,
  }) satisfies Partial<Stripe.Charge>
export type StripeCharge = ReturnType<typeof createCharge>

export const createPaymentIntent = (id: string, fields: FormFields, created: number) =>
  ({
    id,
    object: 'payment_intent',
    created,
    currency: readText(fields, 'currency'),
    metadata: readMetadata(fields),
    amount: Number(readText(fields, 'amount')),
    amount_received: 0,
    customer: readText(fields, 'customer'),
    payment_method: readText(fields, 'payment_method'),
    capture_method: 'manual',
    status: 'requires_capture' as Stripe.PaymentIntent.Status,
    latest_charge: null as string | null,
    next_action: null as Stripe.PaymentIntent.NextAction | null,
    last_payment_error: null as Stripe.PaymentIntent.LastPaymentError | null,
  }) satisfies Partial<Stripe.PaymentIntent>
export type StripePaymentIntent = ReturnType<typeof createPaymentIntent>

/** Returns the next action of a payment that needs a 3-D Secure challenge on a Stripe page. */
export const createBankChallenge = (intent: string) =>
  ({
    type: 'redirect_to_url',
    redirect_to_url: { url: `https://hooks.stripe.com/3d_secure_2/hosted?of=${intent}`, return_url: null },
  }) satisfies Stripe.PaymentIntent.NextAction

export const createRefund = (id: string, fields: FormFields) =>
  ({
    id,
    object: 'refund',
    payment_intent: readText(fields, 'payment_intent'),
    metadata: readMetadata(fields),
    amount: Number(readText(fields, 'amount')),
    status: 'succeeded' as string,
  }) satisfies Partial<Stripe.Refund>
export type StripeRefund = ReturnType<typeof createRefund>

export const createList = <T>(data: readonly T[], url: string) =>
  ({ object: 'list', data: [...data], has_more: false, url }) satisfies Partial<Stripe.ApiList<T>>

export interface StripeResponse {
  readonly status: number
  readonly body: object
}
export const createError = (status: number, type: string, code: string, more: object = {}): StripeResponse => ({
  status,
  body: { error: { type, code, message: `Rejected: ${code}.`, ...more } },
})
export const createMissingError = (param: string) =>
  createError(404, 'invalid_request_error', 'resource_missing', { param })
