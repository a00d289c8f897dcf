import type { Env } from '../../provider/env.ts'
import type { Gateway } from '../../provider/payment/port.ts'
import { gatewayOf } from '../../provider/payment/gateway.ts'
import type { Stage } from './harness.ts'
import type { Visitor } from './visitor.ts'

/** The gateway of a stage, asked as the ledger asks it. */
export async function gatewayIn(stage: Stage): Promise<Gateway> {
  const gateway = gatewayOf((await stage.provider.getWorker().getEnv()) as Env)
  if (gateway === null) throw new Error('This stage has no gateway.')
  return gateway
}

export const CARD = {
  ...{ number: '4242 4242 4242 4242', ends: '08 / 38', code: '987', name: 'Maya Reyes', country: 'US' },
  ...{ street: '48 Alder Lane', city: 'Springfield', state: 'IL', zip: '62704' },
}

/** Opens the card page by its ticket, as a browser does: the page's answer. */
export async function openCard(visitor: Visitor, url: string): Promise<Response> {
  const answer = await visitor.navigate(url)
  const location = answer.headers.get('location')
  return location === null ? answer : visitor.navigate(new URL(location, url).href)
}

/** Sends a form of the card page at `origin`. */
export const submitCard = (visitor: Visitor, origin: string, fields: Record<string, string>): Promise<Response> =>
  visitor.fetch(`${origin}/card`, {
    method: 'POST',
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
  })

/** Types a card on the page that `url` opens: what the last form was answered. */
export async function typeCard(visitor: Visitor, url: string, change: Partial<typeof CARD> = {}): Promise<Response> {
  await openCard(visitor, url)
  const { origin } = new URL(url)
  const saved = await submitCard(visitor, origin, { do: 'save', ...CARD, ...change })
  // The bank's question is answered as its owner does.
  return saved.headers.get('location') === '/card' ? submitCard(visitor, origin, { do: 'confirm' }) : saved
}

/** The token of a fresh method of the account with this number. */
export async function tokenOf(stage: Stage, visitor: Visitor, account: string, number: string): Promise<string> {
  const gateway = await gatewayIn(stage)
  const { session, url } = await gateway.openCardPage(account, { email: 'a@example.com', lines: [] }, Date.now())
  await typeCard(visitor, url, { number, code: number.startsWith('37') ? '1234' : '123' })
  const method = await gateway.method(account, session, Date.now())
  if (method === null) throw new Error(`${number} was not saved.`)
  return method.token
}
