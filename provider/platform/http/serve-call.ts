import type { Context, Hono } from 'hono'
import * as v from 'valibot'
import type { Call, ResponseOf } from '../../../contract/wire/call.ts'
import { ENDPOINT_GROUPS, getSecretBinding } from '../../../contract/wire/endpoint-groups.ts'
import { SIGNATURE_HEADER } from '../../../contract/environment.ts'
import type { AppEnv, Env } from '../../env.ts'
import type { AccountAccess } from '../../homes/members/account-access.ts'
import { readCallInput } from './read-call-input.ts'
import { forbidden, badRequest, unauthorized, ApiError } from '../api-error.ts'
import { readTokenHeader } from '../auth/token-header.ts'
import { parseNonceTime } from '../auth/verify-nonce.ts'
import { hasValidSignature } from '../auth/verify-signature.ts'
import { findTokenAccount, verifyToken, type Caller } from '../auth/verify-token.ts'

/** A call without the access of its account, or with it. */
interface VerifiedCall<Input, Access extends AccountAccess | null> {
  readonly c: Context<AppEnv>
  readonly env: Env
  readonly account: Caller
  readonly access: Access
  readonly input: Input
  readonly params: Readonly<Record<string, string>>
  readonly now: number
}

type AnyCall = Call<v.GenericSchema, v.GenericSchema>
type InputOf<C> =
  C extends Call<infer Request, infer _> ? (Request extends v.GenericSchema ? v.InferOutput<Request> : never) : never
type HandlerResult<C> = ResponseOf<C> extends { data: infer Data } ? Data : ResponseOf<C>
/** Handler of a call. Returns a `Response` only for JSON text that a home has already built (`createDataResponse`). */
type CallHandler<C, Access extends AccountAccess | null> = (
  verifiedCall: VerifiedCall<InputOf<C>, Access>,
) => Promise<HandlerResult<C> | Response> | HandlerResult<C> | Response

/**
 * Mounts a call of the contract. Checks token, signature, payload, user and nonce, in this order. Sends the result of
 * the handler, as `{code, data}` if the response has an envelope. A handler throws an `ApiError` to fail.
 */
export function serveCall<C extends AnyCall>(app: Hono<AppEnv>, call: C, handler: CallHandler<C, null>): void {
  mountCall(app, call, false, (served) => handler({ ...served, access: null }))
}

/**
 * Mounts a call like `serveCall`. The handler also gets the account's homes, cameras and plans, which the request that
 * verifies the token returns (docs/decisions/0107).
 */
export function serveCallWithAccess<C extends AnyCall>(
  app: Hono<AppEnv>,
  call: C,
  handler: CallHandler<C, AccountAccess>,
): void {
  mountCall(app, call, true, (served) => {
    if (served.access === null) throw unauthorized()
    return handler({ ...served, access: served.access })
  })
}

/** Returns the response of a call with an envelope. `json`: its data as JSON text. */
export const createDataResponse = (json: string): Response =>
  new Response(`{"code":200,"data":${json}}`, { headers: { 'content-type': 'application/json' } })

function mountCall<C extends AnyCall>(
  app: Hono<AppEnv>,
  call: C,
  needsAccess: boolean,
  handler: CallHandler<C, AccountAccess | null>,
): void {
  const { path, paramsOf } = toHonoRoute(call.path)
  const hasEnvelope = 'entries' in call.response && 'data' in (call.response.entries as object)
  app.on(call.method, path, async (c) => {
    const now = Date.now()
    const { input, ...verified } = await verifyCall(c, call, needsAccess, now)
    const served = { c, env: c.env, ...verified, input: input as InputOf<C>, params: paramsOf(c.req.param()), now }
    const result = await handler(served)
    if (result instanceof Response) return result
    return c.json(hasEnvelope ? { code: call.success, data: result } : result)
  })
}

/**
 * Converts a contract path to a Hono route. A Hono parameter extends to the next slash, so it includes a suffix in the
 * same segment. `paramsOf` removes this suffix.
 */
export function toHonoRoute(contractPath: string) {
  const suffixes = new Map<string, string>()
  const path = contractPath.replace(/\{(\w+)\}(\w*)/g, (_, name: string, rest: string) => {
    suffixes.set(name, rest)
    return rest === '' ? `:${name}` : `:${name}{[\\w-]+${rest}}`
  })
  const removeSuffix = ([name, value]: [string, string]) => [
    name,
    value.slice(0, value.length - (suffixes.get(name) ?? '').length),
  ]
  const trimParams = (found: Record<string, string>) =>
    Object.fromEntries(Object.entries(found).map(removeSuffix)) as Record<string, string>
  return { path, paramsOf: trimParams }
}

async function verifyCall(c: Context<AppEnv>, call: AnyCall, needsAccess: boolean, now: number) {
  const header = readTokenHeader(ENDPOINT_GROUPS[call.group].tokenHeader, (name) => c.req.header(name))
  const holder = await findTokenAccount(c.env, header, now)
  const request = checkRequest(c, call, holder, now)
  const needs = await request.then(
    ({ nonceUse }) => ({ nonceUse, needsAccess }),
    () => ({ nonceUse: null, needsAccess: false }),
  )
  const { account, access, isFresh } = await verifyToken(c.env, holder, needs, now)
  // Rejects a wrong request only after an invalid token.
  const { input } = await request
  if (!isFresh) throw createNonceError()
  return { account, access, input }
}

/** Checks everything except the token and the use of the nonce. */
async function checkRequest(
  c: Context<AppEnv>,
  call: AnyCall,
  holder: { readonly token: string; readonly userId: string },
  now: number,
) {
  const { payload, signedContent } = await readCallInput(c)
  const { secret: secretName } = ENDPOINT_GROUPS[call.group]
  if (secretName !== null) {
    const secret = (c.env as unknown as Record<string, string>)[getSecretBinding(secretName)] ?? ''
    if (!hasValidSignature(c.req.header(SIGNATURE_HEADER), signedContent, holder.token, secret)) {
      throw forbidden('The signature doesn’t match the request.')
    }
  }
  const { nonce, user_id: userId, ...rest } = payload
  const parsed = v.safeParse(call.request, rest)
  if (!parsed.success) throw badRequest(`The request is malformed: ${v.getDotPath(parsed.issues[0]) ?? 'payload'}.`)
  if (userId === undefined ? call.userId : userId !== holder.userId) throw forbidden()
  if (!call.nonce) return { input: parsed.output, nonceUse: null }
  const at = parseNonceTime(nonce, now)
  if (at === null) throw createNonceError()
  return { input: parsed.output, nonceUse: { nonce: String(nonce), at } }
}

const createNonceError = () => new ApiError(400, 400, 'The nonce is missing, too old, or already used.')
