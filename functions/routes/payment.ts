import { Hono } from 'hono'
import * as v from 'valibot'
import { BODY_BYTES_MAX, readText } from '../../contract/wire/body-limits.ts'
import {
  CARD_ELSEWHERE_CODE,
  confirmCardSession,
  finishPaymentRequest,
  openCardSession,
  startPaymentRequest,
  type finishPaymentResponse,
  type startPaymentResponse,
} from '../../contract/billing/payment-calls.ts'
import { REDIRECT_FALLBACK, toSafePath, toSafeRedirect } from '../../src/domain/navigation/safe-redirect.ts'
import { requireFreshSession, toRefreshError, type SessionAccess } from '../lib/auth/session-access.ts'
import { EdgeError, createInvalidResponseError } from '../lib/edge-error.ts'
import { readPendingCardPages, savePendingCardPages } from '../lib/auth/card-page-cookie.ts'
import type { EdgeContext, EdgeEnv } from '../lib/edge-context.ts'
import { parseJson } from '../lib/parse-json.ts'
import { getCardPageRules } from '../lib/security/deployment-redirect-rules.ts'
import { callCardPage, type ProviderResponse } from '../lib/proxy/user-calls.ts'

export const paymentReturnRoutes = new Hono<EdgeEnv>().post('/start', handleStart).post('/return', handleReturn)

type CardCall = typeof openCardSession | typeof confirmCardSession

type CardCaller = (call: CardCall, payload: object) => Promise<ProviderResponse>

/**
 * Returns a function that makes provider calls for the signed-in account. If the provider rejects a call with 401, the
 * function refreshes the token and retries the call, but only once per request of the browser.
 */
function createCaller(c: EdgeContext, { stub, view }: SessionAccess): CardCaller {
  let token = view.accessToken
  return async (call, payload) => {
    const response = await callCardPage(c.var, token, call, payload)
    if (response.status !== 401 || token !== view.accessToken) return response
    const refreshResult = await stub.refresh(view.handle)
    if (refreshResult.kind !== 'current') throw toRefreshError(refreshResult)
    token = refreshResult.view.accessToken
    return callCardPage(c.var, token, call, payload)
  }
}

const errorBody = v.object({ code: v.union([v.number(), v.string()]), msg: v.string() })

function toEdgeError({ status, body }: ProviderResponse): EdgeError {
  const parsed = v.safeParse(errorBody, body)
  if (!parsed.success || status < 400) return createInvalidResponseError()
  return new EdgeError(status as ConstructorParameters<typeof EdgeError>[0], parsed.output.msg, parsed.output.code)
}

/**
 * `POST /api/payment/start`: opens the card page, and stores the pending card page in an encrypted cookie of this
 * browser.
 */
async function handleStart(c: EdgeContext): Promise<Response> {
  const now = Date.now()
  const request = v.safeParse(startPaymentRequest, parseJson(await readText(c.req.raw, BODY_BYTES_MAX.session)))
  if (!request.success || toSafePath(request.output.return_to) === null)
    throw new EdgeError(400, 'The page to return to is missing or invalid.')
  const { return_to, ...purpose } = request.output
  const access = await requireFreshSession(c)
  const response = await createCaller(c, access)(openCardSession, purpose)
  const parsed = v.safeParse(openCardSession.response, response.body)
  if (response.status !== 200 || !parsed.success) throw toEdgeError(response)
  const { session_id, url } = parsed.output.data
  if (toSafeRedirect(url, getCardPageRules(c.var.settings)) === REDIRECT_FALLBACK) throw createInvalidResponseError()
  const cardPage = { session_id, user_id: access.view.userId, return_to, at: now }
  await savePendingCardPages(c, [cardPage, ...(await readPendingCardPages(c, now))])
  return c.json({ code: 200, url } satisfies v.InferInput<typeof startPaymentResponse>)
}

/**
 * Returns the rank of an error; the error with the highest rank is reported. Temporary errors rank highest, then errors
 * for a card that was typed in another browser.
 */
const getErrorRank = ({ status, code }: EdgeError) => (status >= 500 ? 2 : code === CARD_ELSEWHERE_CODE ? 1 : 0)

const NO_PENDING_CARD_PAGE =
  'We couldn’t match this card to this browser and account. The card wasn’t saved, and you haven’t been charged. Add the card again.'

/**
 * `POST /api/payment/return`: adds the typed card to the account. Requires the account and browser that opened the card
 * page, and the proof that the card page issued to this browser.
 */
async function handleReturn(c: EdgeContext): Promise<Response> {
  const now = Date.now()
  const request = v.safeParse(finishPaymentRequest, parseJson(await readText(c.req.raw, BODY_BYTES_MAX.session)))
  if (!request.success) throw new EdgeError(400, 'This request didn’t come from the card page.')
  const access = await requireFreshSession(c)
  const cardPages = await readPendingCardPages(c, now)
  const ownCardPages = cardPages.filter(({ user_id }) => user_id === access.view.userId)
  if (ownCardPages.length === 0) throw new EdgeError(403, NO_PENDING_CARD_PAGE, CARD_ELSEWHERE_CODE)
  const callProvider = createCaller(c, access)
  let failure: EdgeError | null = null
  for (const cardPage of ownCardPages) {
    const response = await callProvider(confirmCardSession, { session_id: cardPage.session_id, ...request.output })
    const parsed = v.safeParse(confirmCardSession.response, response.body)
    if (response.status === 200 && parsed.success) {
      await savePendingCardPages(
        c,
        cardPages.filter((other) => other !== cardPage),
      )
      const { method } = parsed.output.data
      return c.json({ code: 200, method, return_to: cardPage.return_to } satisfies v.InferInput<
        typeof finishPaymentResponse
      >)
    }
    const callError = toEdgeError(response)
    if (response.status === 401) throw callError
    if (failure === null || getErrorRank(callError) > getErrorRank(failure)) failure = callError
  }
  throw failure ?? createInvalidResponseError()
}
