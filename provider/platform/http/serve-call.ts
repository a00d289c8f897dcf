import type { Context, Hono } from 'hono'
import * as v from 'valibot'
import type { Call, ResponseOf } from '../../../contract/wire/call.ts'
import { ENDPOINT_GROUPS, secretBinding } from '../../../contract/wire/endpoint-groups.ts'
import { SIGNATURE_HEADER } from '../../../contract/environment.ts'
import type { AppEnv, Env } from '../../env.ts'
import { readInput } from './read-call-input.ts'
import { forbidden, badRequest, ApiError } from '../api-error.ts'
import { tokenFrom } from '../auth/token-header.ts'
import { nonceTime } from '../auth/verify-nonce.ts'
import { hasValidSignature } from '../auth/verify-signature.ts'
import { verifyToken, type Caller } from '../auth/verify-token.ts'

/** Verified call as its handler gets it. `now` is ms UTC. */
interface Served<Input> {
  readonly c: Context<AppEnv>
  readonly env: Env
  readonly account: Caller
  readonly input: Input
  readonly params: Readonly<Record<string, string>>
  readonly now: number
}

type Answered = Call<v.GenericSchema, v.GenericSchema>
type InputOf<C> =
  C extends Call<infer Request, infer _> ? (Request extends v.GenericSchema ? v.InferOutput<Request> : never) : never
/** Type of a handler's result: `data` if the response has an envelope, otherwise the whole response. */
type AnswerOf<C> = ResponseOf<C> extends { data: infer Data } ? Data : ResponseOf<C>
/** A handler returns a `Response` itself if its storage has already built the JSON. */
type Handler<C> = (served: Served<InputOf<C>>) => Promise<AnswerOf<C> | Response> | AnswerOf<C> | Response

/**
 * Mounts a call of the contract. Checks token, signature, payload, user and nonce in that order, and returns the
 * handler's result as `{code, data}`. Handlers throw an `ApiError` to fail.
 */
export function serveCall<C extends Answered>(app: Hono<AppEnv>, call: C, handler: Handler<C>): void {
  const { path, paramsOf } = toHonoRoute(call.path)
  const enveloped = 'entries' in call.response && 'data' in (call.response.entries as object)
  app.on(call.method, path, async (c) => {
    const now = Date.now()
    const { account, input } = await verify(c, call, now)
    const served = { c, env: c.env, account, input: input as InputOf<C>, params: paramsOf(c.req.param()), now }
    const answer = await handler(served)
    if (answer instanceof Response) return answer
    return c.json(enveloped ? { code: call.success, data: answer } : answer)
  })
}

/**
 * Converts a contract path to Hono's syntax. Hono parameters end at a slash, so a suffix within the segment is matched
 * with the parameter and cut off afterwards.
 */
export function toHonoRoute(contractPath: string) {
  const rests = new Map<string, string>()
  const path = contractPath.replace(/\{(\w+)\}(\w*)/g, (_, name: string, rest: string) => {
    rests.set(name, rest)
    return rest === '' ? `:${name}` : `:${name}{[\\w-]+${rest}}`
  })
  const cut = ([name, value]: [string, string]) => [name, value.slice(0, value.length - (rests.get(name) ?? '').length)]
  const trimParams = (found: Record<string, string>) =>
    Object.fromEntries(Object.entries(found).map(cut)) as Record<string, string>
  return { path, paramsOf: trimParams }
}

async function verify(c: Context<AppEnv>, call: Answered, now: number) {
  const group = ENDPOINT_GROUPS[call.group]
  const account = await verifyToken(
    c.env,
    tokenFrom(group.tokenHeader, (name) => c.req.header(name)),
    now,
  )
  const { payload, signed } = await readInput(c)
  if (group.secret !== null) {
    const secret = (c.env as unknown as Record<string, string>)[secretBinding(group.secret)] ?? ''
    if (!hasValidSignature(c.req.header(SIGNATURE_HEADER), signed, account.accessToken, secret)) {
      throw forbidden('The signature does not match the request.')
    }
  }
  const { nonce, user_id: userId, ...rest } = payload
  const parsed = v.safeParse(call.request, rest)
  if (!parsed.success) throw badRequest(`The request is malformed: ${v.getDotPath(parsed.issues[0]) ?? 'payload'}.`)
  if (userId === undefined ? call.userId : userId !== account.userId) throw forbidden()
  if (call.nonce) await consumeNonce(c.env, account.userId, nonce, now)
  return { account, input: parsed.output }
}

async function consumeNonce(env: Env, userId: string, nonce: unknown, now: number): Promise<void> {
  const time = nonceTime(nonce, now)
  const fresh = time !== null && (await env.GUARDS.getByName(userId).useNonce(String(nonce), time, now))
  if (!fresh) throw new ApiError(400, 400, 'The nonce is missing, too old or was used before.')
}
