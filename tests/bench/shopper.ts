import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { XSRF_COOKIE, XSRF_HEADER } from '../../contract/wire/constants.ts'
import { fillPath, type Call } from '../../contract/wire/call.ts'
import { getSubscriptions, type Subscription } from '../../contract/billing/subscriptions.ts'
import {
  createPurchase,
  type Order,
  previewPurchase,
  getPurchaseTask,
  updatePurchase,
} from '../../contract/billing/purchase.ts'
import { CARD_RETURN_PATH } from '../../contract/billing/payment-calls.ts'
import { completeCardReturn, submitCardFields } from '../support/card-form.ts'
import { startSignIn, completeSignInPage } from '../support/sign-in-walk.ts'
import { Visitor } from '../support/visitor.ts'

/** Timeout of a purchase, ms. It is longer than a restart of portal and provider. */
const PURCHASE_TIMEOUT_MS = 120_000
/** Maximum number of camera licenses that an account buys before it changes to plans for the whole home. */
const MAX_CAMERA_LICENSES = 60

/** Status and body of a response. Null if there was no JSON response, or if the status was 502 or 504. */
export type CallResult = { readonly status: number; readonly body: CallBody } | null
interface CallBody {
  readonly code: number | string
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are looked into, field by field
  readonly data?: any
}

/** Purchase request as a page sends it. The shopper retries the request until the outcome is known. */
export interface PurchaseRequest {
  readonly call: Call
  readonly body: Readonly<Record<string, unknown>>
}

/** Patterns in which a shopper sends a purchase: one click, and the duplicate requests that occur in practice. */
export const PURCHASE_PATTERNS = ['one click', 'double click', 'answer lost', 'two tabs', 'the same key again'] as const
export type PurchasePattern = (typeof PURCHASE_PATTERNS)[number]

/** A signed-in account with a payment method that makes purchases in sequence. */
export class Shopper {
  readonly email: string
  readonly userId: string
  readonly #visitor: Visitor
  readonly #methodId: string
  readonly acknowledgedPurchases: {
    readonly request: PurchaseRequest
    readonly order: Order
    readonly pattern: PurchasePattern
  }[] = []
  /** Number of purchases that the provider rejected because another tab had bought first. */
  rejectedCount = 0

  private constructor(email: string, visitor: Visitor, userId: string, methodId: string) {
    this.email = email
    this.#visitor = visitor
    this.userId = userId
    this.#methodId = methodId
  }

  /**
   * Signs in and adds a payment method. `isLossy`: uses a card with which the payment gateway's first response to each
   * charge is lost.
   */
  static async signIn(
    { portal: portalOrigin, payment: paymentOrigin }: { portal: string; payment: string },
    { email, password, isLossy }: { email: string; password: string; isLossy: boolean },
  ): Promise<Shopper> {
    const visitor = new Visitor(portalOrigin)
    await visitor.navigate(await completeSignInPage(visitor, await startSignIn(visitor, '/live'), email, password))
    const { user_id } = (await (await visitor.get('/api/auth/me')).json()) as { user_id: string }
    return new Shopper(
      email,
      visitor,
      user_id,
      await addPaymentMethod(visitor, paymentOrigin, isLossy ? LOST_RESPONSE_CARD : WALLET_PAYMENT_METHOD),
    )
  }

  /** Maximum number of purchases of one account: each camera license, then Unlimited, then Pro. */
  static readonly MAX_PURCHASES = MAX_CAMERA_LICENSES + 2

  async buy(pattern: PurchasePattern): Promise<void> {
    for (const end = performance.now() + PURCHASE_TIMEOUT_MS; performance.now() < end;) {
      const purchase = await this.#prepareNextPurchase()
      if (purchase === null) continue
      const orders = await this.#sendInPattern(purchase, pattern)
      if (orders.length === 0) continue
      this.acknowledgedPurchases.push(...orders.map((entry) => ({ ...entry, pattern })))
      return
    }
    throw new Error(`${this.email} could not buy for ${PURCHASE_TIMEOUT_MS} ms.`)
  }

  /** Sends the purchase in the given pattern until its outcome is known. Returns the created orders. */
  async #sendInPattern(
    purchase: PurchaseRequest,
    pattern: PurchasePattern,
  ): Promise<{ request: PurchaseRequest; order: Order }[]> {
    const otherTabPurchase = { ...purchase, body: { ...purchase.body, intent: createIdempotencyKey() } }
    const sent: PurchaseRequest[] =
      pattern === 'two tabs'
        ? [purchase, otherTabPurchase]
        : pattern === 'double click'
          ? [purchase, purchase]
          : [purchase]
    if (pattern === 'answer lost') await this.#sendAndDisconnect(purchase)
    const outcomes = await Promise.all(sent.map((attempt) => this.waitForOutcome(attempt)))
    if (pattern === 'the same key again') outcomes.push(await this.waitForOutcome(purchase))
    const done = outcomes.flatMap((order, at) => (order ? [{ request: sent[at] ?? purchase, order }] : []))
    this.rejectedCount += outcomes.length - done.length
    return done.filter((entry, at) => done.findIndex(({ request }) => request === entry.request) === at)
  }

  /** Sends a purchase and disconnects after at most 40 ms without reading the response. */
  async #sendAndDisconnect({ call, body }: PurchaseRequest): Promise<void> {
    const url = new URL(`/api/p/${call.group}${call.path}`, this.#visitor.portalOrigin)
    const cookieHeader = [...(this.#visitor.cookies.get(url.origin) ?? [])].map((pair) => pair.join('=')).join('; ')
    const headers = {
      cookie: cookieHeader,
      'content-type': 'application/json',
      origin: url.origin,
      'sec-fetch-site': 'same-origin',
      [XSRF_HEADER]: this.#visitor.getCookie(XSRF_COOKIE) ?? '',
    }
    const out = request(url, { method: 'POST', headers }).on('error', () => undefined)
    out.end(JSON.stringify(body))
    await sleep(Math.random() * 40)
    out.destroy()
  }

  /**
   * Retries with the same idempotency key until the order is final. Returns null if the provider rejects the purchase
   * with 409. Throws on any other 4xx status except 429, or after `PURCHASE_TIMEOUT_MS`.
   */
  async waitForOutcome({ call, body }: PurchaseRequest): Promise<Order | null> {
    for (const end = performance.now() + PURCHASE_TIMEOUT_MS; performance.now() < end; await sleep(50)) {
      const response = await this.sendCall(call, body)
      const { state, order, process_id } = response?.body.data ?? {}
      if (response?.status === 200 && state === 'done') return order as Order
      if (response?.status === 200 && state === 'pending') await this.sendCall(getPurchaseTask, { process_id })
      else if (response && response.status < 500 && response.status !== 429) {
        if (response.status !== 409)
          throw new Error(`A purchase returned ${response.status}: ${JSON.stringify(response.body)}`)
        return null
      }
    }
    throw new Error(`${this.email} heard nothing of a purchase for ${PURCHASE_TIMEOUT_MS} ms.`)
  }

  /** Returns the next purchase with a new quote; null if the subscriptions or the quote cannot be fetched. */
  async #prepareNextPurchase(): Promise<PurchaseRequest | null> {
    const response = await this.sendCall(getSubscriptions, {}, { uuid: this.userId })
    const all = (response?.body.data?.subscriptions ?? null) as Subscription[] | null
    if (all === null) return null
    const own = all.find(({ sku, running }) => running && sku !== 'hms')
    const target = chooseNextPlan(own)
    const changes = own && { subscription_id: own.subscription_id, revision: own.revision }
    const quoted = await this.sendCall(previewPurchase, { ...target, ...changes })
    if (quoted?.status !== 200) return null
    const { quote, change } = quoted.body.data as { quote: string; change: number }
    const purchaseFields = { ...target, quote, intent: createIdempotencyKey(), method_id: this.#methodId }
    return changes
      ? { call: updatePurchase, body: { ...purchaseFields, ...changes, change } }
      : { call: createPurchase, body: purchaseFields }
  }

  async sendCall(call: Call, body: object, params: Record<string, string> = {}): Promise<CallResult> {
    try {
      const answer = await this.#visitor.post(`/api/p/${call.group}${fillPath(call.path, params)}`, body)
      const responseBody = (await answer.json()) as CallBody
      return answer.status === 502 || answer.status === 504 ? null : { status: answer.status, body: responseBody }
    } catch {
      return null
    }
  }
}

const createIdempotencyKey = () => randomBytes(18).toString('base64url')

/**
 * Returns the next plan: one more camera license, up to `MAX_CAMERA_LICENSES`, then Unlimited, then Pro. Each change is
 * charged immediately.
 */
function chooseNextPlan(own: Subscription | undefined) {
  const cameras = own?.sku === 'cam-ai' ? own.quantity + 1 : 1
  if (own?.sku === 'unlimited') return { sku: 'pro', level: 3, mode: 'monthly', quantity: 1 }
  if (cameras > MAX_CAMERA_LICENSES) return { sku: 'unlimited', level: 2, mode: 'monthly', quantity: 1 }
  return { sku: 'cam-ai', level: 1, mode: 'monthly', quantity: cameras }
}

/** Test card whose charges succeed, but the payment gateway's first response to each charge is lost. */
const LOST_RESPONSE_CARD = {
  do: 'save',
  number: '4000000000069999',
  ends: '12/40',
  code: '123',
  name: 'Bench',
  country: 'US',
  street: '1 Porch Street',
  city: 'Springfield',
  state: 'IL',
  zip: '62701',
}
export const WALLET_PAYMENT_METHOD = { do: 'wallet', wallet: 'pays' }

/** Adds a payment method on the card page. Returns its id. */
export async function addPaymentMethod(
  visitor: Visitor,
  paymentOrigin: string,
  fields: Record<string, string>,
): Promise<string> {
  const started = await visitor.post('/api/payment/start', { return_to: CARD_RETURN_PATH })
  const { url } = (await started.json()) as { url: string }
  await visitor.navigate(url)
  const back = await completeCardReturn(visitor, await submitCardFields(visitor, paymentOrigin, fields))
  const { method } = (await back.json()) as { method?: { method_id: string } }
  if (!method) throw new Error(`The card page gave no method: ${back.status}.`)
  return method.method_id
}
