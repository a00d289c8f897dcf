import { planOf } from '../../contract/catalogue.ts'
import type { Subscription } from '../../contract/plans.ts'
import { formatTime } from './local-time.ts'
import { inMoney } from './money.ts'
import { dayWords } from './payment-words.ts'

const DAY_MS = 86_400_000

export interface StateWords {
  readonly text: string
  readonly tone: 'success' | 'warning' | 'error' | 'primary'
}

/** The state of a subscription in two or three words. `now` in ms UTC. */
export function stateWords({ status, renews_at }: Pick<Subscription, 'status' | 'renews_at'>, now: number): StateWords {
  if (status === 'active') return { text: 'Active', tone: 'success' }
  if (status === 'past_due') return { text: 'Payment is due', tone: 'error' }
  if (status === 'cancelled') return { text: `Ends ${dayWords(renews_at, now)}`, tone: 'warning' }
  const days = Math.max(0, Math.ceil((renews_at - now) / DAY_MS))
  return { text: `Trial, ${days} ${days === 1 ? 'day' : 'days'} left`, tone: 'warning' }
}

const camerasOf = ({ sku, quantity }: Pick<Subscription, 'sku' | 'quantity'>) =>
  planOf(sku).per === 'camera' ? `${quantity} ${quantity === 1 ? 'camera' : 'cameras'}` : ''

const rhythmOf = ({ period }: Pick<Subscription, 'period'>) => (period === 'annual' ? 'annual' : 'monthly')

/** One sentence of what it is and what comes next, by date and amount. */
export function serviceSentence(subscription: Subscription, now: number): string {
  const { status, renews_at, next, channel } = subscription
  const day = dayWords(renews_at, now)
  const isFree = channel === 'bonus' || status === 'trial'
  const what = [camerasOf(subscription), isFree ? 'free' : rhythmOf(subscription)].filter(Boolean).join(', ')
  const head = what.charAt(0).toUpperCase() + what.slice(1)
  if (status === 'cancelled') return `${head} · runs until ${day} and is not renewed`
  if (status === 'trial') return `${head} · ends ${day} by itself, nothing is charged`
  if (channel === 'bonus') return `${head} · ends ${day} by itself`
  if (status === 'past_due') return `${head} · a payment did not go through, ends ${day} unless it is paid`
  if (channel === 'amazon') return `${head} · renews ${day}, paid through Amazon`
  if (next) return `${head} · renews ${dayWords(next.at, now)} for ${inMoney(next.total)} with tax`
  return `${head} · free until ${day}`
}

/** What it becomes at the end of its period; '' where it stays what it is. */
export function scheduledWords({ scheduled, renews_at }: Subscription, now: number): string {
  if (!scheduled) return ''
  const cameras = camerasOf(scheduled)
  const what = [planOf(scheduled.sku).name, cameras, rhythmOf(scheduled)].filter(Boolean).join(', ')
  return `From ${dayWords(renews_at, now)} on it is ${what}.`
}

/** Where a plan of another channel is changed; '' for one of the web. */
export function elsewhereWords({ channel }: Pick<Subscription, 'channel'>): string {
  if (channel === 'amazon') return 'It was bought in the Amazon app. Change or cancel it there.'
  return channel === 'bonus' ? 'It is a bonus. It ends by itself, and there is nothing to cancel.' : ''
}

/** Of a plan that is over. */
export const endedSentence = ({ renews_at }: Pick<Subscription, 'renews_at'>): string =>
  `Ended ${formatTime(renews_at, 'D MMMM YYYY')}. Clips that are gone do not come back.`

/** What an unused licence costs; '' for one that costs nothing. */
export function unusedWords(unused: number, { sku, period, channel, status }: Subscription): string {
  const { monthlyCents, annualCents } = planOf(sku)
  const count = unused === 1 ? 'One licence covers no camera.' : `${unused} licences cover no camera.`
  if (channel !== 'web' || status === 'trial') return count
  const cents = unused * (period === 'annual' ? annualCents : monthlyCents)
  return `${count} Without ${unused === 1 ? 'it' : 'them'} you pay ${inMoney(cents)} less each ${period === 'annual' ? 'year' : 'month'}, before tax.`
}
