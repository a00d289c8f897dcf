import type Stripe from 'stripe'

/** Answers of Stripe as its package types them, with the fields that are looked at. */

export type Made<T> = Partial<T> & { id: string }
/** Fields of a request, nested as their names say (`metadata[key]`). */
export type Fields = { readonly [name: string]: string | Fields | undefined }

export const text = (fields: Fields, name: string): string => {
  const value = fields[name]
  return typeof value === 'string' ? value : ''
}
export const metadataOf = (fields: Fields): Record<string, string> => ({ ...(fields['metadata'] as object | undefined) })

export const customer = (id: string, fields: Fields) =>
  ({ id, object: 'customer', metadata: metadataOf(fields), email: text(fields, 'email') || null, deleted: undefined as never }) satisfies Partial<Stripe.Customer>

/** What a card does when it is charged: a decline code of Stripe, or `pays`, `asks` (3-D Secure), `slow`. */
export interface Card {
  readonly does: string
  readonly wallet?: 'apple_pay'
  readonly brand?: string
}

export const paymentMethod = (id: string, owner: string | null, { wallet, brand = 'visa' }: Card) =>
  ({
    ...{ id, object: 'payment_method', type: 'card', customer: owner, metadata: {} },
    card: {
      ...{ brand, last4: '4242', exp_month: 8, exp_year: 2038 },
      wallet: wallet ? ({ type: wallet } as Stripe.PaymentMethod.Card.Wallet) : null,
    } as Stripe.PaymentMethod.Card,
    billing_details: {
      ...{ email: null, name: 'Maya Reyes', phone: null, tax_id: null },
      address: { line1: '48 Alder Lane', line2: null, city: 'Springfield', state: 'IL', postal_code: '62704', country: 'US' },
    },
  }) satisfies Partial<Stripe.PaymentMethod>

export const checkout = (id: string, fields: Fields) =>
  ({
    ...{ id, object: 'checkout.session', mode: 'setup', status: 'open', setup_intent: null },
    ...{ customer: text(fields, 'customer'), metadata: metadataOf(fields), success_url: text(fields, 'success_url') },
    ...{ cancel_url: text(fields, 'cancel_url'), url: `https://checkout.stripe.com/c/pay/${id}#fid` },
    custom_text: { submit: { message: text((fields['custom_text'] as Fields | undefined)?.['submit'] as Fields ?? {}, 'message') } } as Stripe.Checkout.Session.CustomText,
  }) satisfies Partial<Stripe.Checkout.Session>

export const setupIntent = (id: string, method: Stripe.SetupIntent['payment_method'], status: Stripe.SetupIntent.Status) =>
  ({ id, object: 'setup_intent', status, payment_method: method }) satisfies Partial<Stripe.SetupIntent>

export const charge = (id: string, intent: string, amount: number, created: number) =>
  ({ id, object: 'charge', payment_intent: intent, amount, amount_refunded: 0, created }) satisfies Partial<Stripe.Charge>

export const paymentIntent = (id: string, fields: Fields, created: number) =>
  ({
    ...{ id, object: 'payment_intent', created, currency: text(fields, 'currency'), metadata: metadataOf(fields) },
    ...{ amount: Number(fields['amount']), amount_received: 0, customer: text(fields, 'customer') },
    ...{ payment_method: text(fields, 'payment_method'), capture_method: 'manual', status: 'requires_capture' },
    ...{ latest_charge: null, next_action: null, last_payment_error: null },
  }) satisfies Partial<Stripe.PaymentIntent>

export const refund = (id: string, fields: Fields) =>
  ({
    ...{ id, object: 'refund', payment_intent: text(fields, 'payment_intent'), amount: Number(fields['amount']) },
    ...{ metadata: metadataOf(fields), status: 'succeeded' },
  }) satisfies Partial<Stripe.Refund>

export const list = <T>(data: readonly T[], more: boolean, url: string) =>
  ({ object: 'list', data: [...data], has_more: more, url }) satisfies Partial<Stripe.ApiList<T>>

/** The body of an error. */
export const problem = (type: string, code: string, more: object = {}) => ({
  error: { type, code, message: `Refused: ${code}.`, ...more },
})
