import { CAPTURED } from '../../contract/measured.ts'
import { EVENTS } from '../../contract/telemetry.ts'
import type { SentEvent } from '../../contract/measured.ts'

/** One kind of data: what of it leaves the browser, or stays there. */
export interface PrivacyRow {
  readonly name: string
  readonly what: string
  readonly where: string
  readonly why: string
  readonly kept: string
  readonly choice: string
}

const OWN = 'Your own provider, at the address of this portal'

/** What is sent, where, why, and for how long it is kept: the page of privacy and the home page say it from here. */
export const PRIVACY: readonly PrivacyRow[] = [
  {
    name: 'Measuring of pages',
    what: 'That a page was seen, by its kind and never by its address; how fast it came; clicks without effect, by the kind of button and never by its words; calls that failed; that a price was shown, paid or bought; a random number for this browser, and the number of your account.',
    where: OWN,
    why: 'To find what is slow, broken or hard to understand.',
    kept: '90 days; what names your account goes with it. A browser is measured in its first hour only.',
    choice:
      'Switch it off on your account page; there you can read what was sent. A browser that asks not to be tracked (Do Not Track, Global Privacy Control) is not measured at all.',
  },
  {
    name: 'Comparing two forms of a page',
    what: 'The random number of this browser and the number of your account are asked about; the answer is which of two forms you see.',
    where: OWN,
    why: 'To learn which form is understood better. What you pay for and what it costs is the same in both.',
    kept: 'That you saw a form is an event like the others: 90 days.',
    choice: 'Ends with the measuring of pages.',
  },
  {
    name: 'The device of a sign-in',
    what: 'Language, time zone, screen, number of processor cores, whether it is touched and whether dark is liked; no name and no account.',
    where: 'Your own provider, in a frame that can see nothing of the page',
    why: 'To tell sign-ins of your own devices from strangers.',
    kept: '24 hours; a random value stays in this browser.',
    choice: 'Comes with signing in; it never makes a sign-in wait.',
  },
  {
    name: 'Reports of failures',
    what: 'The message of a failure of these pages, the lines of our own program it happened in, the address of the page and the calls before it; e-mails, keys and names in them are masked before they leave.',
    where: OWN,
    why: 'To mend it.',
    kept: '30 days after it was last seen.',
    choice: 'Only failures are sent, and none where the portal runs on the own machine.',
  },
  {
    name: 'Visits of subscribers',
    what: 'A fingerprint of your e-mail that it cannot be read from (SHA-256), sealed once more where it is kept, and the day.',
    where: OWN,
    why: 'To see whether what people pay for is used.',
    kept: '400 days, or until the account goes. Only where the operator has switched it on.',
    choice: 'Ask your provider.',
  },
]

/** Words of what is sent, for the list of the account page. */
export const EVENT_WORDS: Readonly<Record<string, string>> = {
  [CAPTURED.sessionStart]: 'A visit began',
  [CAPTURED.sessionEnd]: 'A visit ended',
  [CAPTURED.pageViewed]: 'A page was seen',
  [CAPTURED.deadClick]: 'A click had no effect',
  [CAPTURED.rageClick]: 'Many clicks on one spot',
  [CAPTURED.networkRequest]: 'A call failed',
  [CAPTURED.webVitals]: 'How fast the page came',
  [CAPTURED.exposure]: 'One of two forms of a page was seen',
  [EVENTS.firstPicture]: 'The first live picture came',
  [EVENTS.signInBegun]: 'A sign-in was begun',
  [EVENTS.signedIn]: 'Signed in',
  [EVENTS.priceShown]: 'A price was shown',
  [EVENTS.payPressed]: 'Pay was pressed',
  [EVENTS.bought]: 'Something was bought',
}

/** An event in words: when, what, on which kind of page, and what else was told of it. */
export function sentWords({ time, event_type, event_properties }: SentEvent) {
  const { route, ...rest } = event_properties
  const more = Object.entries(rest).map(([name, value]) => `${name.replace('[Amplitude] ', '')} ${toldOf(value)}`)
  return {
    at: new Date(time).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'medium' }),
    what: EVENT_WORDS[event_type] ?? event_type,
    page: typeof route === 'string' ? route : '',
    more: more.join(', '),
  }
}

function toldOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.values(value as Record<string, unknown>)
    .map((one) => (typeof one === 'number' ? String(Math.round(one * 100) / 100) : String(one)))
    .join(' ')
}
