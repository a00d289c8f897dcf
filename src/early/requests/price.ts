import { formatAmount } from '../../../contract/billing/amounts.ts'
import { PLANS } from '../../../contract/billing/plan-catalog.ts'
import { previewPurchase, type Quote } from '../../../contract/billing/purchase.ts'
import type { Subscription } from '../../../contract/billing/subscriptions.ts'
import type { Sku } from '../../../contract/billing/skus.ts'
import type { EarlyContext, EarlyRequest } from '../early-request.ts'
import { showPageOfUser } from '../show-page.ts'
import {
  listPlanOptions,
  type PlanOption,
  quoteInput,
  type QuoteSubject,
  selectPlan,
  SELECTION_LIMITS,
  type SelectionSource,
} from '../plan-selection.ts'

interface PriceConstants {
  readonly segment: string
  readonly options: readonly PlanOption[]
  readonly limits: typeof SELECTION_LIMITS
  /** Tiers of the camera plans. */
  readonly tiers: Partial<Record<Sku, 1 | 2 | 3>>
  /** Body of the early request for the payment methods. */
  readonly methodsBody: string
  readonly selectPlan: typeof selectPlan
  readonly formatAmount: typeof formatAmount
  readonly showPageOfUser: typeof showPageOfUser
}

const tiers = Object.fromEntries(PLANS.flatMap(({ sku, tier }) => (tier ? [[sku, tier]] : [])))

/**
 * Early request for the price of a plan page's first choices. Without stored subscriptions, the provider finds the plan
 * that the purchase changes. Shows the price in the bar of phones.
 */
export const priceEarlyRequest = (
  segment: string,
): EarlyRequest<typeof previewPurchase, QuoteSubject, PriceConstants, Quote> => ({
  call: previewPurchase,
  fixed: {
    segment,
    options: listPlanOptions(segment),
    limits: SELECTION_LIMITS,
    tiers,
    methodsBody: JSON.stringify({ kind: 'payment_methods' }),
    selectPlan,
    formatAmount,
    showPageOfUser,
  },
  about: selectDefaultPrice,
  input: quoteInput,
  answered: showEarlyPrice,
})

type Carts<Entry> = Partial<Record<'update' | 'checkout', Entry>>

/**
 * Returns the first choices of the page; null if their price is stored, or if they have no price. Reads the stored data
 * that determines the price by its keys (src/stores/storage), which never change.
 */
function selectDefaultPrice(
  { search }: EarlyContext,
  { segment, options, limits, tiers, selectPlan }: PriceConstants,
): QuoteSubject | null {
  // With `redirecturl`, the page may leave for the page of a coupon.
  if (/redirecturl/i.test(search)) return null
  const parse = <T>(storage: Storage, key: string) => JSON.parse(storage.getItem(key) ?? 'null') as T | null
  const stored = parse<{ isSent: boolean; form: { segment: string } }>(sessionStorage, 'checkout')
  if (stored?.isSent || stored?.form.segment === segment) return null
  const subscriptions = parse<Subscription[]>(localStorage, 'allSubs')
  const cards = parse<Carts<SelectionSource['card']>>(localStorage, 'cardCart')
  const plans = parse<Carts<{ plan: SelectionSource['quantities'] }>>(localStorage, 'planCart')
  const isUnknown = !(subscriptions ?? cards ?? plans)
  // Without a token, the stored data may belong to another account.
  if (!isUnknown && !(subscriptions && localStorage.getItem('web_app_token'))) return null
  const [first] = options
  if (!first) return null
  const running = (subscriptions ?? []).filter((subscription) => subscription.running)
  const isCameraPage = first.sku in tiers
  const own = (isCameraPage && running.find(({ channel, sku }) => channel === 'web' && sku in tiers)) || null
  if (!isCameraPage && running.some(({ sku }) => sku === first.sku)) return null
  const mode = own ? 'update' : 'checkout'
  const card = cards?.[mode] ?? { sku: '', mode: '' }
  const quantities = plans?.[mode]?.plan ?? { an_quantity: 1, mo_quantity: 1 }
  const assumedOwn = isUnknown ? { sku: first.sku, quantity: 0 } : own
  const { sku, period, quantity } = selectPlan({ search, card, quantities, own: assumedOwn }, options, limits)
  if (period === '' || sku === 'free' || quantity > limits.quantityMax) return null
  const isSame = own && tiers[own.sku] === tiers[sku] && own.period === period && own.quantity === quantity
  if (isSame && own.status !== 'trial' && !(own.status === 'active' && own.scheduled)) return null
  const code = new URLSearchParams(search).get('coupon')?.trim() ?? ''
  const coupon = /^[A-Za-z0-9_-]{1,64}$/.test(code) ? code : (sessionStorage.getItem('coupon_of_price') ?? '')
  return {
    sku,
    level: tiers[sku] ?? '',
    mode: period,
    quantity,
    coupon,
    trial: false,
    own: isUnknown ? 'unknown' : own,
  }
}

/**
 * Fills the bar of phones with the amount due, unless the user has already chosen something else. The button gets its
 * text when the payment methods are known. It never pays: a press leads to the form (PlanPage.tsx).
 */
function showEarlyPrice(
  { due, currency, lines, tax, balance_added, is_trial, is_later }: Quote,
  { methodsBody, formatAmount, showPageOfUser }: PriceConstants,
): void {
  const fill = () => {
    const page = document.querySelector('.plan-page')
    const bar = page?.querySelector<HTMLElement>('.phone-bar[data-early]')
    const skeleton = page?.querySelector<HTMLElement>('.phone-bar-waiting')
    if (!page || !bar || !skeleton || page.querySelector('.choice :checked')) return
    const credits = lines.filter(({ amount }) => amount < 0).map(({ amount }) => formatAmount(amount, currency))
    const included = [...credits, ...(tax ? ['tax'] : [])].join(', ')
    const [amount, note] = bar.querySelectorAll('b, b + small')
    const button = bar.querySelector<HTMLElement>('.pay-button')
    if (!amount || !note || !button) return
    amount.textContent = formatAmount(due, currency)
    note.textContent =
      balance_added > 0 ? `${formatAmount(balance_added, currency)} to your balance` : included && `incl. ${included}`
    const label = due > 0 ? 'Pay' : is_trial ? 'Start' : is_later ? 'Change' : 'Confirm'
    const showButton = (isMissing: boolean) => {
      button.textContent = isMissing ? 'Add a payment method' : label
      button.dataset['field'] = isMissing ? 'plan-payment' : 'plan-period'
      button.hidden = false
    }
    const methods = window.early?.find(({ body }) => body === methodsBody)
    if (due > 0 && methods)
      methods.answer
        .then(({ text }) => {
          const { data } = JSON.parse(text) as { data: { methods: { state: string; is_default: boolean }[] } }
          showButton(!data.methods.some(({ state, is_default }) => is_default && state !== 'ended'))
        })
        .catch(() => showButton(true))
    else showButton(false)
    bar.addEventListener('click', ({ target }) => {
      const pressed = (target as Element).closest('button')
      if (!pressed) return
      pressed.dataset['pressed'] = ''
      document.getElementById(pressed.dataset['field'] ?? '')?.scrollIntoView({ block: 'center' })
    })
    const show = (isShown: boolean) => {
      bar.hidden = !isShown
      skeleton.hidden = isShown
    }
    page.addEventListener('change', () => show(false))
    show(true)
    showPageOfUser()
  }
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', fill)
  else fill()
}
