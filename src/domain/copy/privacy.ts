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

const OWN_PROVIDER_TEXT = 'Your provider, at this portal’s address, or a service that your provider chose instead'

/** Content of the privacy page: data sent, destination, purpose, retention and choice. */
export const PRIVACY_ROWS: readonly PrivacyRow[] = [
  {
    name: 'Usage data',
    what: 'Events from the list below and when they happened. The type of page, but never its address. The portal’s version. A random ID for this browser and when the visit started. Your account number while you’re logged in. Never what you type or what’s on the page.',
    where: OWN_PROVIDER_TEXT,
    why: 'To find what’s slow, broken, or hard to understand.',
    kept: '90 days at your provider. Deleting your account deletes its usage data. A browser sends usage data only during its first hour on this portal, unless your provider changes that.',
    choice:
      'Turn usage data off below or on your account page, which also shows what was sent. Browsers that ask not to be tracked (Do Not Track, Global Privacy Control) send nothing.',
  },
  {
    name: 'A/B tests',
    what: 'This browser’s random ID and your account number. The reply tells this browser which of two versions of a page to show. If the portal runs on one machine or as a preview, both versions look the same unless someone has set up a test.',
    where: OWN_PROVIDER_TEXT,
    why: 'To learn which version is easier to understand. Products and prices are the same in both.',
    kept: 'For 90 days, your provider stores which version you saw.',
    choice: 'Turn off usage data.',
  },
  {
    name: 'Login device',
    what: 'Language, time zone, screen, number of processor cores, touch support, and color scheme. Random IDs for this login and the previous one, and when the device check started and ended. A random ID stored in this browser is sent for comparison. No name or account.',
    where: 'Your provider, or a host that your provider chose, in a frame that can’t see the page',
    why: 'So your provider can look up what kind of device a login came from. The data isn’t used to make decisions.',
    kept: 'Your provider deletes this data 24 hours after the last update.',
    choice: 'The device check is part of logging in and never delays a login.',
  },
  {
    name: 'People in clips',
    what: 'Names the home’s owner gives people, pairs the owner marked as different people, and face data used to recognize the same person across clips. Until the owner names a person, clips say “Person 1”.',
    where: 'Your provider. Guests see names only if the home’s owner allows it.',
    why: 'To show who was there and let you search for them.',
    kept: 'Until the owner chooses to forget a person or everyone. Names and face data are then deleted immediately, and clips are kept.',
    choice: 'Recognition is off until the owner turns it on under Account › People.',
  },
  {
    name: 'Error reports',
    what: 'The error message, the lines of our code that failed, the page’s address, and the requests before the error. Email addresses, keys, and any names or searches in page addresses are masked before anything is sent.',
    where: OWN_PROVIDER_TEXT,
    why: 'To fix errors.',
    kept: '30 days at your provider, counting from the last time the error occurred.',
    choice: 'Sent only after an error. Nothing is sent if the portal runs on your own machine.',
  },
  {
    name: 'Subscriber visits',
    what: 'The date and a SHA-256 hash of your email. The hash is hashed again with a secret key before it’s stored.',
    where: 'Your provider, at this portal’s address',
    why: 'To see whether people use what they pay for.',
    kept: '400 days, or until you delete your account. Your provider decides whether visits are recorded. If the portal runs on one machine or as a preview, visits are recorded by default.',
    choice:
      'Turn off usage data, or set your browser to ask not to be tracked. Unlike other usage data, visits are also sent after the first hour.',
  },
]

export const ANALYTICS_STATE_TEXTS = {
  on: 'Usage data helps us find slow or broken pages. This browser sends usage data only during its first hour on this portal, unless your provider changes that.',
  off: 'This browser sends no usage data.',
  ended: 'This browser’s first hour on this portal has ended. Only subscriber visits are still sent.',
  asked: 'Your browser asks not to be tracked, so no usage data is sent.',
} as const

type ValueOf<T> = T[keyof T]

export const EVENT_LABELS: Readonly<
  Record<ValueOf<typeof AUTOMATIC_EVENTS> | ValueOf<typeof ANALYTICS_EVENTS>, string>
> = {
  [AUTOMATIC_EVENTS.sessionStart]: 'A visit started',
  [AUTOMATIC_EVENTS.sessionEnd]: 'A visit ended',
  [AUTOMATIC_EVENTS.pageViewed]: 'A page was viewed',
  [AUTOMATIC_EVENTS.deadClick]: 'A click had no effect',
  [AUTOMATIC_EVENTS.rageClick]: 'Repeated clicks in one place',
  [AUTOMATIC_EVENTS.networkRequest]: 'A request failed',
  [AUTOMATIC_EVENTS.webVitals]: 'How fast the page loaded',
  [AUTOMATIC_EVENTS.exposure]: 'A page in an A/B test was shown',
  [ANALYTICS_EVENTS.firstPicture]: 'The first live video appeared',
  [ANALYTICS_EVENTS.signInBegun]: 'A login started',
  [ANALYTICS_EVENTS.signedIn]: 'A login succeeded',
  [ANALYTICS_EVENTS.priceShown]: 'A price was shown',
  [ANALYTICS_EVENTS.payPressed]: 'The Pay button was pressed',
  [ANALYTICS_EVENTS.bought]: 'A purchase was made',
}

export const PROPERTY_LABELS: Readonly<Record<(typeof ANALYTICS_PROPS)[number], string>> = {
  ms: 'how long it took',
  metric: 'which speed measurement',
  value: 'the value measured',
  rating: 'the rating of that value',
  status: 'the status of a failed request',
  method: 'the login, video, payment, or request method',
  target: 'the type of element clicked or request made',
  flag: 'the name of an A/B test',
  variant: 'which version',
  plan: 'which plan',
  period: 'monthly or annual billing',
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
