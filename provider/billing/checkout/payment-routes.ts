import type { Hono } from 'hono'
import { getBillingInfo, type Invoice, type Seller } from '../../../contract/billing/payment-methods-and-invoices.ts'
import { PLANS, getPlan } from '../../../contract/billing/plan-catalog.ts'
import { CURRENCY, formatMoney } from '../../../contract/billing/amounts.ts'
import { BILLING_PROVIDERS, DEFAULT_TAX_BASIS_POINTS } from '../../../contract/billing/money.ts'
import {
  CARD_ELSEWHERE_CODE,
  choosePaymentMethod,
  confirmCardSession,
  openCardSession,
  removeMethod,
} from '../../../contract/billing/payment-calls.ts'
import { notFound, ApiError } from '../../platform/api-error.ts'
import type { AppEnv, Env } from '../../env.ts'
import { serveCall } from '../../platform/http/serve-call.ts'
import { unwrapLedgerResult, getLedgerStub } from '../ledger/ledger-stub.ts'
import { selectGateway } from '../payment/select-gateway.ts'
import { GatewayDownError } from '../payment/gateway-interface.ts'
import { isOnT3List } from '../../accounts/settings/t3-list.ts'
import type { CardPurpose } from '../payment/gateway-interface.ts'
import { isOnSale } from './plan-availability.ts'
import { readSeller } from '../../platform/seller.ts'
import { openQuote } from '../ledger/sealed-quotes.ts'
import { formatShortDay } from '../../notifications/email/email-format.ts'
import { listSubscriptions } from '../plans/subscription-rows.ts'

const PERIOD_PHRASES = { monthly: 'a month', annual: 'a year' } as const

/** Lines that tell the buyer what the card will pay, and the amount; without lines if the card is only stored. */
type CardPayment = Pick<CardPurpose, 'lines' | 'amount' | 'unpaid'>
const STORED_ONLY: CardPayment = { lines: [] }

/**
 * Describes the purchase of the quote with which the card page was opened. Describes no payment if there is no quote,
 * or if the quote has expired or belongs to another account.
 */
async function describePurchase(
  env: Pick<Env, 'TICKET_KEY'>,
  userId: string,
  quote: string | undefined,
  now: number,
): Promise<CardPayment> {
  const quoteContent = quote === undefined ? null : await openQuote(env.TICKET_KEY, userId, quote)
  if (quoteContent === null || quoteContent.exp <= now) return STORED_ONLY
  const { sku, period, quantity, due, next, currency } = quoteContent.terms
  const count = quantity === 1 ? '' : ` for ${quantity} cameras`
  const renewal = next === null ? '' : `, then ${formatMoney(next.total, currency)} ${PERIOD_PHRASES[period]}`
  const today = due === 0 ? 'Nothing is due today' : `You’ll pay ${formatMoney(due, currency)} after you confirm`
  const lines = [`${getPlan(sku).name}${count}, ${period}`, `${today}${renewal}.`]
  return due === 0 ? { lines } : { lines, amount: formatMoney(due, currency) }
}

/**
 * Describes a failed charge that the card will pay: plan, price and tax, due date, and how long the plan continues.
 * Describes no payment if nothing is unpaid, or if the subscription belongs to another account.
 */
async function describeOpenCharge(env: Env, userId: string, subscriptionId: string, now: number): Promise<CardPayment> {
  const subscriptions = await listSubscriptions(env.DB, userId, now)
  const subscription = subscriptions.find(({ subscription_id }) => subscription_id === subscriptionId)
  if (!subscription?.open) return STORED_ONLY
  const { sku, quantity, period, running, open, clock } = subscription
  const count = quantity === 1 ? '' : ` for ${quantity} cameras`
  const lastTry = open.next_tries.at(-1)
  const formatDay = (at: number) => formatShortDay(at, now + clock)
  const invoices = await getLedgerStub(env, userId).listInvoices(now)
  const openInvoice = invoices.find(
    ({ state, subscription_id, total }) =>
      state === 'open' && subscription_id === subscriptionId && total === open.total,
  )
  const lines = [
    `${getPlan(sku).name}${count}, ${period}`,
    `${formatTaxSplit(openInvoice)} since ${formatDay(open.due_at)}`,
  ]
  const worksUntil = running && lastTry !== undefined ? formatDay(lastTry) : null
  return { lines, amount: formatMoney(open.total), unpaid: { worksUntil } }
}

/** Starts the sentence about the due date, with price and tax if the ledger has an invoice with tax. */
const formatTaxSplit = (invoice: Pick<Invoice, 'subtotal' | 'tax' | 'currency'> | undefined): string =>
  invoice === undefined || invoice.tax === 0
    ? 'Due'
    : `${formatMoney(invoice.subtotal, invoice.currency)} plus ${formatMoney(invoice.tax, invoice.currency)} tax, due`

/**
 * Returns the response for a list of invoices. Below the buyer's address, adds the email, which the ledger does not
 * store.
 */
const buildInvoiceList = (bills: readonly Invoice[], seller: Seller, email: string) => ({
  kind: 'invoices' as const,
  seller,
  invoices: bills.map((bill) => ({ ...bill, buyer: [...bill.buyer, email] })),
})

const TYPED_ELSEWHERE_TEXT =
  'The card was entered in another browser, so it wasn’t saved. You haven’t been charged. Enter the card again.'

export function paymentRoutes(app: Hono<AppEnv>): void {
  serveCall(app, openCardSession, async ({ env, account: { userId, email }, input, now }) => {
    const { quote, subscription_id } = input
    const payment =
      subscription_id === undefined
        ? await describePurchase(env, userId, quote, now)
        : await describeOpenCharge(env, userId, subscription_id, now)
    const { address } = await getLedgerStub(env, userId).getPaymentOverview(now)
    const purpose = { email, address, ...payment }
    const opened = await awaitGateway(requireGateway(env).openCardPage(userId, purpose, now))
    return { session_id: opened.session, url: opened.url }
  })
  serveCall(app, confirmCardSession, async ({ env, account: { userId }, input, now }) => {
    const proof = input.proof ?? null
    const method = await awaitGateway(requireGateway(env).claimMethod(userId, input.session_id, proof, now))
    if (method === 'unproven') throw new ApiError(CARD_ELSEWHERE_CODE, 409, TYPED_ELSEWHERE_TEXT)
    // The card page saved no method, or the session belongs to another account. Both cases get the same error.
    if (method === null) throw new ApiError(4226, 409)
    return { method: unwrapLedgerResult(await getLedgerStub(env, userId).addMethod(input.session_id, method, now)) }
  })
  serveCall(app, choosePaymentMethod, async ({ env, account: { userId }, input, now }) => ({
    methods: [...unwrapLedgerResult(await getLedgerStub(env, userId).chooseMethod(input.intent, input.method_id, now))],
  }))
  serveCall(app, removeMethod, async ({ env, account: { userId }, input, now }) => ({
    methods: [...unwrapLedgerResult(await getLedgerStub(env, userId).removeMethod(input.intent, input.method_id, now))],
  }))
  serveCall(app, getBillingInfo, async ({ env, account: { userId, email }, input, params, now }) => {
    if (!BILLING_PROVIDERS.some((provider) => provider === params['billing_provider'])) throw notFound()
    const ledger = getLedgerStub(env, userId)
    if (input.kind === 'catalogue') return buildPlanCatalog(env, userId, now)
    if (input.kind === 'invoices') return buildInvoiceList(await ledger.listInvoices(now), readSeller(env), email)
    const { methods, upcoming, balance, address } = await ledger.getPaymentOverview(now)
    return {
      kind: 'payment_methods' as const,
      methods: [...methods],
      upcoming: [...upcoming],
      balance,
      address: [...address],
    }
  })
}

function requireGateway(env: Env) {
  const gateway = selectGateway(env)
  if (gateway === null)
    throw new ApiError('not_sold', 400, 'Payments aren’t available because no payment provider is set up.')
  return gateway
}

/**
 * Awaits a request to the payment gateway that charges nothing. If the payment gateway is down, throws a 503 error that
 * says that nothing was charged.
 */
async function awaitGateway<T>(gatewayRequest: Promise<T>): Promise<T> {
  try {
    return await gatewayRequest
  } catch (error) {
    if (error instanceof GatewayDownError)
      throw new ApiError(
        503,
        503,
        'We couldn’t reach the payment provider. You haven’t been charged. Try again shortly.',
      )
    throw error
  }
}

async function buildPlanCatalog(env: Env, userId: string, now: number) {
  const { hadTrial, subscriptions } = await getLedgerStub(env, userId).getEligibilityState(now)
  const isCovered = subscriptions.some(
    ({ sku, isRunning }) => isRunning && PLANS.some((plan) => plan.sku === sku && plan.tier !== null && plan.tier > 0),
  )
  return {
    kind: 'catalogue' as const,
    currency: CURRENCY,
    tax_basis_points: Number(env.TAX_BASIS_POINTS ?? DEFAULT_TAX_BASIS_POINTS),
    sells: selectGateway(env) !== null,
    trial: !hadTrial && !isCovered,
    t3_list: await isOnT3List(env.DB, userId),
    plans: PLANS.map(({ sku, tier, monthlyCents, annualCents, per }) => ({
      sku,
      tier,
      per,
      on_sale: isOnSale(sku, env),
      monthly: monthlyCents,
      annual: annualCents,
    })),
  }
}
