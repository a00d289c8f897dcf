import type { Quote } from '../../contract/billing/purchase.ts'
import { configureClient } from '../../src/api/api-client.ts'
import { earlyFetch } from '../../src/early/early-fetch.ts'
import { planPageEarlyRequests } from '../../src/early/requests/plans.ts'
import { okResponse } from './checkout.ts'
import type { SentRequest } from './client.ts'
import { runInlineScript, SIGNED_IN_COOKIES } from './first-document.ts'

/** Visit of a plan page. `methods`: payment methods; `me`: response with the current user. */
export interface Visit {
  readonly segment?: string
  readonly search?: string
  readonly cookie?: string
  readonly methods?: readonly object[]
  readonly me?: object
}

/** Runs the document's script on a plan page, with the storage of this browser. Returns its price requests. */
export async function openDocument(
  quote: Quote | null,
  { segment = 'camera-ai', search = '', cookie, methods, me }: Visit = {},
) {
  const stored = Object.fromEntries(Object.keys(localStorage).map((key) => [key, localStorage.getItem(key) ?? '']))
  const { requests, window: early } = await runInlineScript(
    planPageEarlyRequests(segment),
    cookie ?? SIGNED_IN_COOKIES,
    stored,
    {
      preview_purchase: () =>
        quote ? Response.json(okResponse(quote)) : Response.json({ code: 4101, msg: '' }, { status: 404 }),
      me: () => Response.json(me ?? { code: 401 }),
      recurring_info: () => Response.json(okResponse({ methods: methods ?? [] })),
    },
    search,
    document,
  )
  window.early = early.early ?? []
  return requests.filter(({ path }) => path === 'preview_purchase').map(({ body }) => body)
}

/**
 * Connects the API client to `answers`, and to the document's responses. Returns a list of the calls that the page then
 * sends over the network.
 */
export function recordNetwork(answers: Readonly<Record<string, unknown>>, requests: SentRequest[]): readonly string[] {
  const network: string[] = []
  const fetchStub: typeof fetch = (input, init) => {
    const name = String(input).split('/').at(-1) ?? ''
    network.push(name)
    requests.push({ path: String(input), body: JSON.parse((init?.body as string | undefined) ?? 'null') })
    return Promise.resolve(Response.json(answers[name]))
  }
  configureClient({
    fetch: earlyFetch(fetchStub, () => undefined),
    token: () => '1.handle',
    xsrf: () => '',
    refresh: () => Promise.resolve('over'),
    onSignedOut: () => undefined,
  })
  return network
}
