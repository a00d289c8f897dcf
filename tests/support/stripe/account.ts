import type Stripe from 'stripe'
import * as make from './objects.ts'
import {
  readGroup,
  createMissingError,
  createError,
  readText,
  type StripeResponse,
  type StripeTestCard,
  type FormFields,
  type StripePaymentIntent,
} from './objects.ts'

interface StripeRequest {
  readonly method: string
  readonly path: string
  readonly fields: FormFields
}

const okResponse = (body: object): StripeResponse => ({ status: 200, body })
const nowSeconds = () => Math.floor(Date.now() / 1000)
const isExpanded = (fields: FormFields, name: string) => Object.values(readGroup(fields, 'expand')).includes(name)

export class StripeAccount {
  readonly customers = new Map<string, ReturnType<typeof make.createCustomer>>()
  readonly methods = new Map<string, make.StripePaymentMethod>()
  readonly intents = new Map<string, StripePaymentIntent>()
  readonly charges = new Map<string, make.StripeCharge>()
  readonly refunds = new Map<string, make.StripeRefund>()
  readonly checkoutSessions = new Map<string, ReturnType<typeof make.createCheckoutSession>>()
  readonly #cards = new Map<string, StripeTestCard>()
  #idCount = 0

  /** Returns a new id that is longer than any Porchlight id, because Stripe ids can be that long. */
  #createId(kind: string): string {
    return `${kind}_test_${String((this.#idCount += 1)).padStart(58, '0')}`
  }

  /** Enters a card on the Stripe page with this URL, and returns the id of the payment method. */
  enterCard(url: string, card: StripeTestCard): string {
    const checkoutSession = [...this.checkoutSessions.values()].find((candidate) => candidate.url === url)
    if (!checkoutSession) throw new Error(`There is no page ${url}.`)
    const method = make.createPaymentMethod(this.#createId('pm'), checkoutSession.customer, card)
    this.methods.set(method.id, method)
    this.#cards.set(method.id, card)
    checkoutSession.setup_intent = make.createSetupIntent(this.#createId('seti'), method) as Stripe.SetupIntent
    return method.id
  }

  getIntentByKey(key: string): StripePaymentIntent {
    const found = [...this.intents.values()].find(({ metadata }) => metadata['key'] === key)
    if (!found) throw new Error(`No payment intent has the key ${key}.`)
    return found
  }

  /** Approves or declines a pending payment: the buyer's 3-D Secure response, or the late answer of a slow bank. */
  resolveBankChallenge(intent: StripePaymentIntent, isApproved: boolean): void {
    intent.next_action = null
    if (isApproved) intent.status = 'requires_capture'
    else this.#decline(intent, { code: 'payment_intent_authentication_failure' })
  }

  handleRequest({ method, path, fields }: StripeRequest): StripeResponse {
    const [, kind = '', id = '', action = ''] =
      /^\/v1\/(checkout\/sessions|\w+)(?:\/([\w-]+))?(?:\/(\w+))?$/.exec(path) ?? []
    const [, search = ''] = /\/(search)$/.exec(path) ?? []
    const name = search
      ? `${method} ${kind}/search`
      : `${method} ${kind}${id ? '/id' : ''}${action ? `/${action}` : ''}`
    const handlers: Record<string, () => StripeResponse> = {
      'POST customers': () => this.#store(this.customers, make.createCustomer(this.#createId('cus'), fields)),
      'POST customers/id': () => this.#update(this.customers.get(id), { email: readText(fields, 'email') }),
      'GET customers/search': () => this.#searchCustomers(readText(fields, 'query')),
      'GET customers/id/payment_methods': () => {
        const own = [...this.methods.values()].filter(({ customer }) => customer === id)
        return okResponse(make.createList(own, path))
      },
      'POST checkout/sessions': () =>
        this.#store(this.checkoutSessions, make.createCheckoutSession(this.#createId('cs'), fields)),
      'GET checkout/sessions/id': () => this.#update(this.checkoutSessions.get(id), {}),
      'GET payment_methods/id': () => this.#update(this.methods.get(id), {}),
      'POST payment_methods/id/detach': () => this.#update(this.methods.get(id), { customer: null }),
      'POST payment_intents': () => this.#authorize(fields),
      'GET payment_intents': () => this.#listIntents(fields),
      'POST payment_intents/id/capture': () => this.#capture(this.intents.get(id)),
      'POST payment_intents/id/cancel': () => this.#cancel(this.intents.get(id)),
      'POST refunds': () => this.#refund(fields),
      'GET refunds': () => this.#listRefunds(readText(fields, 'payment_intent'), path),
    }
    return handlers[name]?.() ?? createError(404, 'invalid_request_error', 'url_invalid', { asked: name })
  }

  #store<T extends { id: string }>(collection: Map<string, T>, item: T): StripeResponse {
    collection.set(item.id, item)
    return okResponse(item)
  }
  #update(item: object | undefined, update: object): StripeResponse {
    return item ? okResponse(Object.assign(item, update)) : createMissingError('id')
  }

  /** Finds customers by one metadata value, as Stripe's search does for `metadata['name']:'value'`. */
  #searchCustomers(query: string): StripeResponse {
    const [, name = '', value = ''] = /^metadata\['(\w+)'\]:'([^']+)'$/.exec(query) ?? []
    const data = [...this.customers.values()].filter(({ metadata }) => metadata[name] === value)
    return okResponse({ object: 'search_result', url: '/v1/customers/search', has_more: false, next_page: null, data })
  }

  #authorize(fields: FormFields): StripeResponse {
    const method = this.methods.get(readText(fields, 'payment_method'))
    const card = this.#cards.get(method?.id ?? '')
    if (!method || !card || method.customer !== readText(fields, 'customer'))
      return createMissingError('payment_method')
    if (Number(readText(fields, 'amount')) < 50) return createError(400, 'invalid_request_error', 'amount_too_small')
    const intent = make.createPaymentIntent(this.#createId('pi'), fields, nowSeconds())
    this.intents.set(intent.id, intent)
    if (card.behavior === 'pays') return okResponse(intent)
    if (card.behavior === 'slow') return okResponse(Object.assign(intent, { status: 'processing' }))
    if (card.behavior !== 'asks') return this.#decline(intent, { code: 'card_declined', decline_code: card.behavior })
    if (readText(fields, 'off_session') === 'true') return this.#decline(intent, { code: 'authentication_required' })
    return okResponse(
      Object.assign(intent, { status: 'requires_action', next_action: make.createBankChallenge(intent.id) }),
    )
  }

  #decline(intent: StripePaymentIntent, reason: { code: string; decline_code?: string }): StripeResponse {
    const payment_method = this.methods.get(intent.payment_method) as Stripe.PaymentMethod
    const error = { ...reason, type: 'card_error', message: 'Declined.', payment_method }
    intent.status = 'requires_payment_method'
    intent.last_payment_error = error as Stripe.PaymentIntent.LastPaymentError
    return { status: 402, body: { error: { ...error, payment_intent: intent } } }
  }

  #capture(intent: StripePaymentIntent | undefined): StripeResponse {
    if (intent?.status !== 'requires_capture')
      return createError(400, 'invalid_request_error', 'payment_intent_unexpected_state')
    const charge = make.createCharge(this.#createId('ch'), intent.id, intent.amount, nowSeconds())
    this.charges.set(charge.id, charge)
    const { amount } = intent
    return okResponse(Object.assign(intent, { status: 'succeeded', amount_received: amount, latest_charge: charge.id }))
  }

  #cancel(intent: StripePaymentIntent | undefined): StripeResponse {
    if (!intent || intent.status === 'succeeded')
      return createError(400, 'invalid_request_error', 'payment_intent_unexpected_state')
    return okResponse(Object.assign(intent, { status: 'canceled', next_action: null }))
  }

  #refund(fields: FormFields): StripeResponse {
    const charge = this.charges.get(this.intents.get(readText(fields, 'payment_intent'))?.latest_charge ?? '')
    const refund = make.createRefund(this.#createId('re'), fields)
    if (!charge || charge.amount_refunded + refund.amount > charge.amount)
      return createError(400, 'invalid_request_error', 'charge_already_refunded')
    charge.amount_refunded += refund.amount
    return this.#store(this.refunds, refund)
  }

  /** Marks a refund as failed, as if the bank had returned the money to the seller. */
  failRefund(refund: make.StripeRefund): make.StripeRefund {
    const charge = this.charges.get(this.intents.get(refund.payment_intent)?.latest_charge ?? '')
    if (charge) charge.amount_refunded -= refund.amount
    return Object.assign(refund, { status: 'failed' })
  }

  /** Lists the payment intents of a customer, newest first, as Stripe does. */
  #listIntents(fields: FormFields): StripeResponse {
    const own = [...this.intents.values()]
      .filter((intent) => intent.customer === readText(fields, 'customer'))
      .reverse()
    const expanded = own.map((intent) => ({
      ...intent,
      ...(isExpanded(fields, 'data.payment_method') && { payment_method: this.methods.get(intent.payment_method) }),
      ...(isExpanded(fields, 'data.latest_charge') && {
        latest_charge: this.charges.get(intent.latest_charge ?? '') ?? null,
      }),
    }))
    return okResponse(make.createList(expanded, '/v1/payment_intents'))
  }

  #listRefunds(intent: string, url: string): StripeResponse {
    const own = [...this.refunds.values()].filter((refund) => refund.payment_intent === intent)
    return okResponse(make.createList(own.reverse(), url))
  }
}
