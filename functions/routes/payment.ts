import { Hono } from 'hono'
import * as v from 'valibot'
import { BODY_MAX, readText } from '../../contract/wire/body-limits.ts'
import {
  CARD_ELSEWHERE,
  confirmCardSession,
  finishPaymentRequest,
  openCardSession,
  startPaymentRequest,
  type finishPaymentAnswer,
  type startPaymentAnswer,
} from '../../contract/billing/payment-calls.ts'
import { REDIRECT_FALLBACK, safePath, safeRedirect } from '../../src/domain/navigation/safe-redirect.ts'
import { requireFreshSession, toRefreshError, type Access } from '../lib/auth/session-access.ts'
import { EdgeError, providerGarbled } from '../lib/edge-error.ts'
import { begunHere, savePendingCardPages } from '../lib/auth/card-page-cookie.ts'
import type { EdgeContext, EdgeEnv } from '../lib/edge-context.ts'
import { parseJson } from '../lib/parse-json.ts'
import { cardPageRules } from '../lib/security/deployment-redirect-rules.ts'
import { callCardPage, type ProviderResponse } from '../lib/proxy/user-calls.ts'

export const payment = new Hono<EdgeEnv>().post('/start', start).post('/return', comeBack)

type CardCall = typeof openCardSession | typeof confirmCardSession

type Ask = (call: CardCall, payload: object) => Promise<ProviderResponse>

/**
 * Returns a function that calls the provider for the signed-in account. The function refreshes a rejected token at most
 * once per request, even if several calls are rejected.
 */
function createCaller(c: EdgeContext, { stub, view }: Access): Ask {
  let token = view.accessToken
  return async (call, payload) => {
    const response = await callCardPage(c.var, token, call, payload)
    if (response.status !== 401 || token !== view.accessToken) return response
    const fresh = await stub.refresh(view.handle)
    if (fresh.kind !== 'current') throw toRefreshError(fresh)
    token = fresh.view.accessToken
    return callCardPage(c.var, token, call, payload)
  }
}

const errorBody = v.object({ code: v.union([v.number(), v.string()]), msg: v.string() })

/** Converts an error response of the provider to an `EdgeError` with the same code and message. */
function toEdgeError({ status, body }: ProviderResponse): EdgeError {
  const read = v.safeParse(errorBody, body)
  if (!read.success || status < 400) return providerGarbled()
  return new EdgeError(status as ConstructorParameters<typeof EdgeError>[0], read.output.msg, read.output.code)
}

/**
 * `POST /api/payment/start`: opens the card page, and stores the pending card page in a sealed cookie of this browser.
 */
async function start(c: EdgeContext): Promise<Response> {
  const now = Date.now()
  const request = v.safeParse(startPaymentRequest, parseJson(await readText(c.req.raw, BODY_MAX.session)))
  if (!request.success || safePath(request.output.return_to) === null)
    throw new EdgeError(400, 'This request does not name the page to come back to.')
  const { return_to, quote } = request.output
  const access = await requireFreshSession(c)
  const response = await createCaller(c, access)(openCardSession, quote === undefined ? {} : { quote })
  const answer = v.safeParse(openCardSession.response, response.body)
  if (response.status !== 200 || !answer.success) throw toEdgeError(response)
  const { session_id, url } = answer.output.data
  if (safeRedirect(url, cardPageRules(c.var.settings)) === REDIRECT_FALLBACK) throw providerGarbled()
  const cardPage = { session_id, user_id: access.view.userId, return_to, at: now }
  await savePendingCardPages(c, [cardPage, ...(await begunHere(c, now))])
  return c.json({ code: 200, url } satisfies v.InferInput<typeof startPaymentAnswer>)
}

/**
 * Rank of an error if several card sessions fail. The reported error is a temporary one if there is any, else one for a
 * card that was typed in another browser, else the first error.
 */
const errorRank = ({ status, code }: EdgeError) => (status >= 500 ? 2 : code === CARD_ELSEWHERE ? 1 : 0)

const NOT_BEGUN =
  'This browser has not begun to add a card for this account. Nothing was saved and nothing was charged.'

/**
 * `POST /api/payment/return`: adds the typed card to the account. Requires the browser that opened the card page,
 * signed in as the same account, and the proof that the card page gave to the browser in which the card was typed.
 */
async function comeBack(c: EdgeContext): Promise<Response> {
  const now = Date.now()
  const request = v.safeParse(finishPaymentRequest, parseJson(await readText(c.req.raw, BODY_MAX.session)))
  if (!request.success) throw new EdgeError(400, 'This request is no return from the card page.')
  const access = await requireFreshSession(c)
  const all = await begunHere(c, now)
  const mine = all.filter(({ user_id }) => user_id === access.view.userId)
  if (mine.length === 0) throw new EdgeError(403, NOT_BEGUN, CARD_ELSEWHERE)
  const ask = createCaller(c, access)
  let failure: EdgeError | null = null
  for (const cardPage of mine) {
    const response = await ask(confirmCardSession, { session_id: cardPage.session_id, ...request.output })
    const answer = v.safeParse(confirmCardSession.response, response.body)
    if (response.status === 200 && answer.success) {
      await savePendingCardPages(
        c,
        all.filter((other) => other !== cardPage),
      )
      const { method } = answer.output.data
      return c.json({ code: 200, method, return_to: cardPage.return_to } satisfies v.InferInput<
        typeof finishPaymentAnswer
      >)
    }
    const refusal = toEdgeError(response)
    if (response.status === 401) throw refusal
    if (failure === null || errorRank(refusal) > errorRank(failure)) failure = refusal
  }
  throw failure ?? providerGarbled()
}
