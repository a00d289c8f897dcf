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
import { freshSessionOf, refusalOf, type Access } from '../lib/auth/session-access.ts'
import { EdgeRefusal, providerGarbled } from '../lib/edge-error.ts'
import { begunHere, keepBegun } from '../lib/auth/card-page-cookie.ts'
import type { EdgeContext, EdgeEnv } from '../lib/edge-context.ts'
import { jsonOf } from '../lib/parse-json.ts'
import { cardPageRules } from '../lib/security/redirect-rules.ts'
import { callCardPage, type Said } from '../lib/proxy/user-calls.ts'

/** To the page on which cards are typed, and back. */
export const payment = new Hono<EdgeEnv>().post('/start', start).post('/return', comeBack)

type CardCall = typeof openCardSession | typeof confirmCardSession

type Ask = (call: CardCall, payload: object) => Promise<Said>

/** Asks the provider for the signed-in account; a token that it refuses is renewed once in a request, however much is asked. */
function askerOf(c: EdgeContext, { stub, view }: Access): Ask {
  let token = view.accessToken
  return async (call, payload) => {
    const said = await callCardPage(c.var, token, call, payload)
    if (said.status !== 401 || token !== view.accessToken) return said
    const fresh = await stub.refresh(view.handle)
    if (fresh.kind !== 'current') throw refusalOf(fresh)
    token = fresh.view.accessToken
    return callCardPage(c.var, token, call, payload)
  }
}

const refused = v.object({ code: v.union([v.number(), v.string()]), msg: v.string() })

/** What the provider refuses, in its own words. */
function failureOf({ status, body }: Said): EdgeRefusal {
  const read = v.safeParse(refused, body)
  if (!read.success || status < 400) return providerGarbled()
  return new EdgeRefusal(status as ConstructorParameters<typeof EdgeRefusal>[0], read.output.msg, read.output.code)
}

/** `POST /api/payment/start`: opens the card page, and keeps sealed in this browser what was begun. */
async function start(c: EdgeContext): Promise<Response> {
  const now = Date.now()
  const request = v.safeParse(startPaymentRequest, jsonOf(await readText(c.req.raw, BODY_MAX.session)))
  if (!request.success || safePath(request.output.return_to) === null)
    throw new EdgeRefusal(400, 'This request does not name the page to come back to.')
  const { return_to, quote } = request.output
  const access = await freshSessionOf(c)
  const said = await askerOf(c, access)(openCardSession, quote === undefined ? {} : { quote })
  const answer = v.safeParse(openCardSession.response, said.body)
  if (said.status !== 200 || !answer.success) throw failureOf(said)
  const { session_id, url } = answer.output.data
  if (safeRedirect(url, cardPageRules(c.var.settings)) === REDIRECT_FALLBACK) throw providerGarbled()
  const one = { session_id, user_id: access.view.userId, return_to, at: now }
  await keepBegun(c, [one, ...(await begunHere(c, now))])
  return c.json({ code: 200, url } satisfies v.InferInput<typeof startPaymentAnswer>)
}

/** The reason to give for several sessions: first what may pass, then a card typed elsewhere, else what came first. */
const rankOf = ({ status, code }: EdgeRefusal) => (status >= 500 ? 2 : code === CARD_ELSEWHERE ? 1 : 0)

const NOT_BEGUN =
  'This browser has not begun to add a card for this account. Nothing was saved and nothing was charged.'

/**
 * `POST /api/payment/return`: takes what was typed into the account. Only the browser that began may, signed in as the same
 * person, and with the proof that the card page gave to the browser that typed.
 */
async function comeBack(c: EdgeContext): Promise<Response> {
  const now = Date.now()
  const request = v.safeParse(finishPaymentRequest, jsonOf(await readText(c.req.raw, BODY_MAX.session)))
  if (!request.success) throw new EdgeRefusal(400, 'This request is no return from the card page.')
  const access = await freshSessionOf(c)
  const all = await begunHere(c, now)
  const mine = all.filter(({ user_id }) => user_id === access.view.userId)
  if (mine.length === 0) throw new EdgeRefusal(403, NOT_BEGUN, CARD_ELSEWHERE)
  const ask = askerOf(c, access)
  let failure: EdgeRefusal | null = null
  for (const one of mine) {
    const said = await ask(confirmCardSession, { session_id: one.session_id, ...request.output })
    const answer = v.safeParse(confirmCardSession.response, said.body)
    if (said.status === 200 && answer.success) {
      await keepBegun(
        c,
        all.filter((other) => other !== one),
      )
      const { method } = answer.output.data
      return c.json({ code: 200, method, return_to: one.return_to } satisfies v.InferInput<typeof finishPaymentAnswer>)
    }
    const refusal = failureOf(said)
    if (said.status === 401) throw refusal
    if (failure === null || rankOf(refusal) > rankOf(failure)) failure = refusal
  }
  throw failure ?? providerGarbled()
}
