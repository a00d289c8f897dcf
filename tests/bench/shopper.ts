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
  processTask,
  updatePurchase,
} from '../../contract/billing/purchase.ts'
import { CARD_RETURN_PATH } from '../../contract/billing/payment-calls.ts'
import { finishReturn, submitCard } from '../support/card-form.ts'
import { startSignIn, walkSignInPage } from '../support/sign-in-walk.ts'
import { Visitor } from '../support/visitor.ts'

/** Timeout of a purchase, ms: by then all parts have restarted or never will. */
const PATIENCE_MS = 120_000
/** Maximum number of camera licenses that an account buys before it changes to plans for the whole home. */
const MOST = 60

/** Status and body of a response; null if there was none or a part is down. */
export type CallResult = { readonly status: number; readonly body: Answered } | null
interface Answered {
  readonly code: number | string
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are looked into, field by field
  readonly data?: any
}

/** A purchase as a page sends it, repeatedly until the outcome is known. */
export interface PurchaseRequest {
  readonly call: Call
  readonly body: Readonly<Record<string, unknown>>
}

/** Patterns in which a purchase is sent: one click, as intended, and the repetitions that happen in practice. */
export const HABITS = ['one click', 'double click', 'answer lost', 'two tabs', 'the same key again'] as const
export type Habit = (typeof HABITS)[number]

/** A signed-in account with a payment method that makes purchases in sequence. */
export class Shopper {
  readonly email: string
  readonly userId: string
  private readonly visitor: Visitor
  private readonly methodId: string
  /** Acknowledged purchases with their requests. */
  readonly bought: { readonly asked: PurchaseRequest; readonly order: Order; readonly habit: Habit }[] = []
  /** Purchases from two tabs that were rejected because the other tab was first. */
  refused = 0

  private constructor(email: string, visitor: Visitor, userId: string, methodId: string) {
    this.email = email
    this.visitor = visitor
    this.userId = userId
    this.methodId = methodId
  }

  /** Signs in and adds a payment method. `isLossy`: uses a card whose gateway responses get lost. */
  static async enter(
    { portal, payment }: { portal: string; payment: string },
    { email, password, isLossy }: { email: string; password: string; isLossy: boolean },
  ): Promise<Shopper> {
    const visitor = new Visitor(portal)
    await visitor.navigate(await walkSignInPage(visitor, await startSignIn(visitor, '/live'), email, password))
    const { user_id } = (await (await visitor.get('/api/auth/me')).json()) as { user_id: string }
    return new Shopper(email, visitor, user_id, await addMethod(visitor, payment, isLossy ? LOST_CARD : WALLET))
  }

  /** Number of purchases that this account can make in sequence. */
  static readonly purchases = MOST + 2

  async buy(habit: Habit): Promise<void> {
    for (const end = performance.now() + PATIENCE_MS; performance.now() < end;) {
      const purchase = await this.next()
      if (purchase === null) continue
      const orders = await this.send(purchase, habit)
      if (orders.length === 0) continue
      this.bought.push(...orders.map((entry) => ({ ...entry, habit })))
      return
    }
    throw new Error(`${this.email} could not buy for ${PATIENCE_MS} ms.`)
  }

  /** Sends the purchase in the pattern `habit` until its outcome is known. Returns the created orders. */
  private async send(purchase: PurchaseRequest, habit: Habit): Promise<{ asked: PurchaseRequest; order: Order }[]> {
    const other = { ...purchase, body: { ...purchase.body, intent: newKey() } }
    const sent: PurchaseRequest[] =
      habit === 'two tabs' ? [purchase, other] : habit === 'double click' ? [purchase, purchase] : [purchase]
    if (habit === 'answer lost') await this.abandon(purchase)
    const outcomes = await Promise.all(sent.map((attempt) => this.outcome(attempt)))
    if (habit === 'the same key again') outcomes.push(await this.outcome(purchase))
    const done = outcomes.flatMap((order, at) => (order ? [{ asked: sent[at] ?? purchase, order }] : []))
    this.refused += outcomes.length - done.length
    return done.filter((entry, at) => done.findIndex(({ asked: same }) => same === entry.asked) === at)
  }

  /** Sends a purchase and hangs up before or just as the response arrives. */
  private async abandon({ call, body }: PurchaseRequest): Promise<void> {
    const url = new URL(`/api/p/${call.group}${call.path}`, this.visitor.portal)
    const jar = [...(this.visitor.cookies.get(url.origin) ?? [])].map((pair) => pair.join('=')).join('; ')
    const headers = {
      ...{ cookie: jar, 'content-type': 'application/json', origin: url.origin },
      ...{ 'sec-fetch-site': 'same-origin', [XSRF_HEADER]: this.visitor.cookie(XSRF_COOKIE) ?? '' },
    }
    const out = request(url, { method: 'POST', headers }).on('error', () => undefined)
    out.end(JSON.stringify(body))
    await sleep(Math.random() * 40)
    out.destroy()
  }

  /** Retries with the same key until there is a response. Returns null if the purchase was rejected. */
  async outcome({ call, body }: PurchaseRequest): Promise<Order | null> {
    for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await sleep(50)) {
      const response = await this.sendCall(call, body)
      const { state, order, process_id } = response?.body.data ?? {}
      if (response?.status === 200 && state === 'done') return order as Order
      if (response?.status === 200 && state === 'pending') await this.sendCall(processTask, { process_id })
      else if (response && response.status < 500 && response.status !== 429) {
        if (response.status !== 409)
          throw new Error(`A purchase was answered ${response.status}: ${JSON.stringify(response.body)}`)
        return null
      }
    }
    throw new Error(`${this.email} heard nothing of a purchase for ${PATIENCE_MS} ms.`)
  }

  /**
   * Returns the next purchase with a fresh quote; null if the subscriptions or the quote cannot be fetched, so that a
   * page would have to reload.
   */
  private async next(): Promise<PurchaseRequest | null> {
    const response = await this.sendCall(getSubscriptions, {}, { uuid: this.userId })
    const all = (response?.body.data?.subscriptions ?? null) as Subscription[] | null
    if (all === null) return null
    const own = all.find(({ sku, running }) => running && sku !== 'hms')
    const target = chooseNextPlan(own)
    const changes = own && { subscription_id: own.subscription_id, revision: own.revision }
    const quoted = await this.sendCall(previewPurchase, { ...target, ...changes })
    if (quoted?.status !== 200) return null
    const { quote, change } = quoted.body.data as { quote: string; change: number }
    const paid = { ...target, quote, intent: newKey(), method_id: this.methodId }
    return changes
      ? { call: updatePurchase, body: { ...paid, ...changes, change } }
      : { call: createPurchase, body: paid }
  }

  async sendCall(call: Call, body: object, params: Record<string, string> = {}): Promise<CallResult> {
    try {
      const answer = await this.visitor.post(`/api/p/${call.group}${fillPath(call.path, params)}`, body)
      const responseBody = (await answer.json()) as Answered
      return answer.status === 502 || answer.status === 504 ? null : { status: answer.status, body: responseBody }
    } catch {
      return null
    }
  }
}

const newKey = () => randomBytes(18).toString('base64url')

/**
 * Returns the next plan: one more camera license, up to `MOST`, then Unlimited, then Pro. Each of these steps is
 * charged immediately.
 */
function chooseNextPlan(own: Subscription | undefined) {
  const cameras = own?.sku === 'cam-ai' ? own.quantity + 1 : 1
  if (own?.sku === 'unlimited') return { sku: 'pro', level: 3, mode: 'monthly', quantity: 1 }
  if (cameras > MOST) return { sku: 'unlimited', level: 2, mode: 'monthly', quantity: 1 }
  return { sku: 'cam-ai', level: 1, mode: 'monthly', quantity: cameras }
}

/** Test card whose charges succeed, but the gateway's first response to each charge is lost. */
const LOST_CARD = {
  ...{ do: 'save', number: '4000000000069999', ends: '12/40', code: '123', name: 'Bench' },
  ...{ country: 'US', street: '1 Porch Street', city: 'Springfield', state: 'IL', zip: '62701' },
}
export const WALLET = { do: 'wallet', wallet: 'pays' }

/** Adds a payment method on the card page. Returns its id. */
export async function addMethod(visitor: Visitor, payment: string, typed: Record<string, string>): Promise<string> {
  const started = await visitor.post('/api/payment/start', { return_to: CARD_RETURN_PATH })
  const { url } = (await started.json()) as { url: string }
  await visitor.navigate(url)
  const back = await finishReturn(visitor, await submitCard(visitor, payment, typed))
  const { method } = (await back.json()) as { method?: { method_id: string } }
  if (!method) throw new Error(`The card page gave no method: ${back.status}.`)
  return method.method_id
}
