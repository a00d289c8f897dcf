import { planOf } from '../../../contract/catalogue.ts'
import type { Subscription } from '../../../contract/plans.ts'
import { $subscriptions, loadSubscriptions, type Subscriptions } from '../../stores/account/subscriptions.ts'
import { failureText } from '../../stores/shell/failure-text.ts'
import '../session/connected.ts'

/** /account/services: what runs on this account, with the next date and amount. */
const byId = (id: string) => document.getElementById(id)
const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long', year: 'numeric' })

const STATES = { active: 'Active', cancelled: 'Cancelled', past_due: 'Payment is due' } as const

byId('services-failed')
  ?.querySelector('button')
  ?.addEventListener('click', () => void loadSubscriptions())
byId('download-log')?.addEventListener('click', () => {
  void import('../frame/download-log.ts').then(({ downloadLog }) => downloadLog())
})
addEventListener('porchlight:session', () => {
  $subscriptions.subscribe(show)
  void loadSubscriptions()
})

function show(now: Subscriptions): void {
  if (now.state === 'loading') return
  const paid = now.state === 'ready' ? now.subscriptions.filter(({ sku }) => sku !== 'free') : []
  const list = byId('services')
  list?.replaceChildren(...paid.map(draw))
  list?.setAttribute('aria-busy', 'false')
  byId('no-services')?.toggleAttribute('hidden', now.state !== 'ready' || paid.length > 0)
  byId('services-failed')?.toggleAttribute('hidden', now.state !== 'failed')
  if (now.state === 'failed') fill('services-failed-why', failureText(now.failure))
}

function fill(id: string, text: string): void {
  const place = byId(id)
  if (place) place.textContent = text
}

function draw(subscription: Subscription): DocumentFragment {
  const template = byId('service') as HTMLTemplateElement
  const card = template.content.cloneNode(true) as DocumentFragment
  const fill = (name: string, text: string) => {
    const place = card.querySelector(`[data-${name}]`)
    if (place) place.textContent = text
  }
  fill('name', planOf(subscription.sku).name)
  fill('state', STATES[subscription.status])
  fill('sentence', sentenceOf(subscription))
  return card
}

function sentenceOf({ sku, quantity, period, status, renews_at }: Subscription): string {
  const plan = planOf(sku)
  const date = day.format(renews_at)
  if (status === 'cancelled') return `Runs until ${date} and is not renewed.`
  const cents = period === 'annual' ? plan.annualCents : plan.monthlyCents
  const cameras = plan.per === 'camera' ? `${quantity} ${quantity === 1 ? 'camera' : 'cameras'}, ` : ''
  const amount = money.format((cents * (plan.per === 'camera' ? quantity : 1)) / 100)
  const rhythm = period === 'annual' ? 'yearly' : 'monthly'
  return `${cameras}${cameras ? rhythm : rhythm.replace(/^./, (letter) => letter.toUpperCase())} · renews ${date} for ${amount} before tax`
}
