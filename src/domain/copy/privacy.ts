import { AUTOMATIC_EVENTS } from '../../../contract/telemetry/analytics-events.ts'
import { ANALYTICS_EVENTS, type ANALYTICS_PROPS } from '../../../contract/telemetry/telemetry-calls.ts'
import type { SentEvent } from '../../../contract/telemetry/analytics-events.ts'
import { instantLabel } from '../time/date-formats.ts'

export interface PrivacyRow {
  readonly name: string
  readonly what: string
  readonly where: string
  readonly why: string
  readonly kept: string
  readonly choice: string
}

const OWN_PROVIDER_TEXT = 'Your own provider, at the address of this portal; it may have chosen another service instead'

/** Content of the privacy page: data sent, destination, purpose, retention and choice. */
export const PRIVACY_ROWS: readonly PrivacyRow[] = [
  {
    name: 'Measuring of pages',
    what: 'What has happened on a page, of which there is a list below, and when; the kind of page and never its address; the version of the page; a random number for this browser and when its visit began; the number of your account while you are signed in. Nothing that you type and no words of the page.',
    where: OWN_PROVIDER_TEXT,
    why: 'To find what is slow, broken or hard to understand.',
    kept: '90 days at your provider; what names your account goes with it. A browser is measured in its first hour only, unless your provider has set otherwise.',
    choice:
      'Switch it off below or on your account page, where you can also read what was sent. A browser that asks not to be tracked (Do Not Track, Global Privacy Control) is not measured at all.',
  },
  {
    name: 'Comparing two forms of a page',
    what: 'The random number of this browser and the number of your account are asked about; the answer is which of two forms you see. Where nobody has set a comparison of their own, on a single machine and in previews, both forms look the same.',
    where: OWN_PROVIDER_TEXT,
    why: 'To learn which form is understood better. What you pay for and what it costs is the same in both.',
    kept: 'That you saw a form is an event like the others: 90 days.',
    choice: 'Ends with the measuring of pages.',
  },
  {
    name: 'The device of a sign-in',
    what: 'Language, time zone, screen, number of processor cores, whether it is touched and whether dark is liked; random numbers of this sign-in and of the one before it, and when the look at the device began and ended. A random value that stays in this browser is sent along to be checked. No name and no account.',
    where: 'Your own provider, or a host that it has set, in a frame that can see nothing of the page',
    why: 'So that your provider can look up what kind of device a sign-in came from. Nothing is decided by it.',
    kept: '24 hours after it was last heard of, at your provider.',
    choice: 'Comes with signing in; it never makes a sign-in wait.',
  },
  {
    name: 'People on clips',
    what: 'The names that the owner of a home gives to people, and the face data that tells the same person on different clips. Until the owner names a person, clips say “Person 1”.',
    where: 'Your own provider. Guests see no names unless the owner of the home allows it.',
    why: 'To show and find who was there.',
    kept: 'Until the owner forgets the person or everyone: that deletes names and face data immediately and keeps the clips.',
    choice: 'Recognition is off until the owner switches it on under Account › People.',
  },
  {
    name: 'Reports of failures',
    what: 'The message of a failure of these pages, the lines of our own program it happened in, the address of the page and the calls before it. Emails, keys, and names of people and searches in addresses are masked before they leave.',
    where: OWN_PROVIDER_TEXT,
    why: 'To mend it.',
    kept: '30 days after it was last seen, at your provider.',
    choice: 'Only failures are sent, and none where the portal runs on the own machine.',
  },
  {
    name: 'Visits of subscribers',
    what: 'A fingerprint of your email that it cannot be read from (SHA-256), sealed once more where it is kept, and the day.',
    where: 'Your own provider, at the address of this portal',
    why: 'To see whether what people pay for is used.',
    kept: '400 days, or until the account goes. It is on where the operator has switched it on, and on a single machine and in previews until it is switched off.',
    choice:
      'Switch off the measuring of pages, or have your browser ask not to be tracked: then no page is measured either. The end of the first hour does not stop it.',
  },
]

export const ANALYTICS_STATE_TEXTS = {
  on: 'Pages of this browser are measured, in its first hour unless your provider has set otherwise, to find what is slow or broken.',
  off: 'Pages of this browser are not measured.',
  ended: 'Pages of this browser are not measured any more: its first hour has ended.',
  asked: 'Your browser asks not to be tracked, so its pages are not measured.',
} as const

type ValueOf<T> = T[keyof T]

export const EVENT_LABELS: Readonly<
  Record<ValueOf<typeof AUTOMATIC_EVENTS> | ValueOf<typeof ANALYTICS_EVENTS>, string>
> = {
  [AUTOMATIC_EVENTS.sessionStart]: 'A visit began',
  [AUTOMATIC_EVENTS.sessionEnd]: 'A visit ended',
  [AUTOMATIC_EVENTS.pageViewed]: 'A page was seen',
  [AUTOMATIC_EVENTS.deadClick]: 'A click had no effect',
  [AUTOMATIC_EVENTS.rageClick]: 'Many clicks on one spot',
  [AUTOMATIC_EVENTS.networkRequest]: 'A call failed',
  [AUTOMATIC_EVENTS.webVitals]: 'How fast the page came',
  [AUTOMATIC_EVENTS.exposure]: 'One of two forms of a page was seen',
  [ANALYTICS_EVENTS.firstPicture]: 'The first live picture came',
  [ANALYTICS_EVENTS.signInBegun]: 'A sign-in was begun',
  [ANALYTICS_EVENTS.signedIn]: 'Signed in',
  [ANALYTICS_EVENTS.priceShown]: 'A price was shown',
  [ANALYTICS_EVENTS.payPressed]: 'Pay was pressed',
  [ANALYTICS_EVENTS.bought]: 'Something was bought',
}

export const PROPERTY_LABELS: Readonly<Record<(typeof ANALYTICS_PROPS)[number], string>> = {
  ms: 'how long it took',
  metric: 'what of the speed of a page was measured',
  value: 'how much that was',
  rating: 'whether that is good',
  status: 'the status of a call that failed',
  method: 'the way of signing in, watching or paying, or of a call',
  target: 'the kind of element that was clicked, or of call',
  flag: 'the name of a comparison of two forms',
  variant: 'which of them',
  plan: 'which plan',
  period: 'paid by month or by year',
}

export function describeSentEvent({ time, event_type, event_properties }: SentEvent) {
  const { route, ...rest } = event_properties
  const more = Object.entries(rest).map(
    ([name, value]) => `${name.replace('[Amplitude] ', '')} ${formatProperty(value)}`,
  )
  return {
    at: instantLabel(time),
    what: (EVENT_LABELS as Readonly<Record<string, string>>)[event_type] ?? event_type,
    page: typeof route === 'string' ? route : '',
    more: more.join(', '),
  }
}

function formatProperty(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.values(value as Record<string, unknown>)
    .map((entry) => (typeof entry === 'number' ? String(Math.round(entry * 100) / 100) : String(entry)))
    .join(' ')
}
