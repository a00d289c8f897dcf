import type Stripe from 'stripe'
import * as make from './objects.ts'
import { group, missing, problem, text, type Answer, type Card, type Fields, type Intent } from './objects.ts'

interface StripeRequest {
  readonly method: string
  readonly path: string
  readonly fields: Fields
}

const ok = (body: object): Answer => ({ status: 200, body })
const seconds = () => Math.floor(Date.now() / 1000)
const wants = (fields: Fields, name: string) => Object.values(group(fields, 'expand')).includes(name)

export class StripeAccount {
  readonly customers = new Map<string, ReturnType<typeof make.customer>>()
  readonly methods = new Map<string, make.Method>()
  readonly intents = new Map<string, Intent>()
  readonly charges = new Map<string, make.Charge>()
  readonly refunds = new Map<string, make.Refund>()
  readonly pages = new Map<string, ReturnType<typeof make.checkout>>()
  private readonly cards = new Map<string, Card>()
  private made = 0

  /** Returns a new id. It is longer than a Porchlight id may be, because some Stripe ids are. */
  private id(kind: string): string {
    return `${kind}_test_${String((this.made += 1)).padStart(58, '0')}`
  }

  /** Enters a card on the Stripe page with this URL, and returns the id of the payment method. */
  fill(url: string, card: Card): string {
    const page = [...this.pages.values()].find((candidate) => candidate.url === url)
    if (!page) throw new Error(`There is no page ${url}.`)
    const method = make.paymentMethod(this.id('pm'), page.customer, card)
    this.methods.set(method.id, method)
    this.cards.set(method.id, card)
    page.setup_intent = make.setupIntent(this.id('seti'), method) as Stripe.SetupIntent
    return method.id
  }

  getIntentByKey(key: string): Intent {
    const found = [...this.intents.values()].find(({ metadata }) => metadata['key'] === key)
    if (!found) throw new Error(`Nothing was asked for by ${key}.`)
    return found
  }

  /** Records the buyer's answer to the bank, or the late answer of a slow bank. */
  answerBank(intent: Intent, isYes: boolean): void {
    intent.next_action = null
    if (isYes) intent.status = 'requires_capture'
    else this.decline(intent, { code: 'payment_intent_authentication_failure' })
  }

  answer({ method, path, fields }: StripeRequest): Answer {
    const [, kind = '', id = '', act = ''] =
      /^\/v1\/(checkout\/sessions|\w+)(?:\/([\w-]+))?(?:\/(\w+))?$/.exec(path) ?? []
    const name = `${method} ${kind}${id ? '/id' : ''}${act ? `/${act}` : ''}`
    const handlers: Record<string, () => Answer> = {
      'POST customers': () => this.put(this.customers, make.customer(this.id('cus'), fields)),
      'POST customers/id': () => this.change(this.customers.get(id), { email: text(fields, 'email') }),
      'GET customers/id/payment_methods': () => {
        const own = [...this.methods.values()].filter(({ customer }) => customer === id)
        return ok(make.list(own, path))
      },
      'POST checkout/sessions': () => this.put(this.pages, make.checkout(this.id('cs'), fields)),
      'GET checkout/sessions/id': () => this.change(this.pages.get(id), {}),
      'GET payment_methods/id': () => this.change(this.methods.get(id), {}),
      'POST payment_methods/id/detach': () => this.change(this.methods.get(id), { customer: null }),
      'POST payment_intents': () => this.authorize(fields),
      'GET payment_intents': () => this.listIntents(fields),
      'POST payment_intents/id/capture': () => this.capture(this.intents.get(id)),
      'POST payment_intents/id/cancel': () => this.cancel(this.intents.get(id)),
      'POST refunds': () => this.refund(fields),
      'GET refunds': () => this.listRefunds(text(fields, 'payment_intent'), path),
    }
    return handlers[name]?.() ?? problem(404, 'invalid_request_error', 'url_invalid', { asked: name })
  }

  private put<T extends { id: string }>(where: Map<string, T>, item: T): Answer {
    where.set(item.id, item)
    return ok(item)
  }
  private change(item: object | undefined, change: object): Answer {
    return item ? ok(Object.assign(item, change)) : missing('id')
  }

  private authorize(fields: Fields): Answer {
    const method = this.methods.get(text(fields, 'payment_method'))
    const card = this.cards.get(method?.id ?? '')
    if (!method || !card || method.customer !== text(fields, 'customer')) return missing('payment_method')
    if (Number(text(fields, 'amount')) < 50) return problem(400, 'invalid_request_error', 'amount_too_small')
    const intent = make.paymentIntent(this.id('pi'), fields, seconds())
    this.intents.set(intent.id, intent)
    if (card.does === 'pays') return ok(intent)
    if (card.does === 'slow') return ok(Object.assign(intent, { status: 'processing' }))
    if (card.does !== 'asks') return this.decline(intent, { code: 'card_declined', decline_code: card.does })
    if (text(fields, 'off_session') === 'true') return this.decline(intent, { code: 'authentication_required' })
    return ok(Object.assign(intent, { status: 'requires_action', next_action: make.question(intent.id) }))
  }

  private decline(intent: Intent, reason: { code: string; decline_code?: string }): Answer {
    const payment_method = this.methods.get(intent.payment_method) as Stripe.PaymentMethod
    const error = { ...reason, type: 'card_error', message: 'Declined.', payment_method }
    intent.status = 'requires_payment_method'
    intent.last_payment_error = error as Stripe.PaymentIntent.LastPaymentError
    return { status: 402, body: { error: { ...error, payment_intent: intent } } }
  }

  private capture(intent: Intent | undefined): Answer {
    if (intent?.status !== 'requires_capture')
      return problem(400, 'invalid_request_error', 'payment_intent_unexpected_state')
    const charge = make.charge(this.id('ch'), intent.id, intent.amount, seconds())
    this.charges.set(charge.id, charge)
    const { amount } = intent
    return ok(Object.assign(intent, { status: 'succeeded', amount_received: amount, latest_charge: charge.id }))
  }

  private cancel(intent: Intent | undefined): Answer {
    if (!intent || intent.status === 'succeeded')
      return problem(400, 'invalid_request_error', 'payment_intent_unexpected_state')
    return ok(Object.assign(intent, { status: 'canceled', next_action: null }))
  }

  private refund(fields: Fields): Answer {
    const charge = this.charges.get(this.intents.get(text(fields, 'payment_intent'))?.latest_charge ?? '')
    const refund = make.refund(this.id('re'), fields)
    if (!charge || charge.amount_refunded + refund.amount > charge.amount)
      return problem(400, 'invalid_request_error', 'charge_already_refunded')
    charge.amount_refunded += refund.amount
    return this.put(this.refunds, refund)
  }

  /** Fails a refund: the bank returns the money to the seller. */
  returnRefund(refund: make.Refund): make.Refund {
    const charge = this.charges.get(this.intents.get(refund.payment_intent)?.latest_charge ?? '')
    if (charge) charge.amount_refunded -= refund.amount
    return Object.assign(refund, { status: 'failed' })
  }

  /** Lists the payment intents of a customer, newest first, as Stripe does. */
  private listIntents(fields: Fields): Answer {
    const own = [...this.intents.values()].filter((intent) => intent.customer === text(fields, 'customer')).reverse()
    const expanded = own.map((intent) => ({
      ...intent,
      ...(wants(fields, 'data.payment_method') && { payment_method: this.methods.get(intent.payment_method) }),
      ...(wants(fields, 'data.latest_charge') && {
        latest_charge: this.charges.get(intent.latest_charge ?? '') ?? null,
      }),
    }))
    return ok(make.list(expanded, '/v1/payment_intents'))
  }

  private listRefunds(intent: string, url: string): Answer {
    const own = [...this.refunds.values()].filter((refund) => refund.payment_intent === intent)
    return ok(make.list(own.reverse(), url))
  }
}
