import { createServer } from 'node:http'
import { handleAsNodeRequest } from 'cloudflare:node'
import Provider from 'oidc-provider'
import { BodyTooLargeError, readBytes } from '../../../contract/wire/body-limits.ts'
import { getClientAddress } from '../../../contract/wire/client-address.ts'
import type { Env } from '../../env.ts'
import { createAccessTokenId } from '../../platform/auth/access-token-id.ts'
import { clientNetwork } from '../../platform/rate-limits/client-network.ts'
import { createChangePasswordHandler } from '../password/change-password.ts'
import { getBodyLimit, createFailureResponse, createTooLargeResponse, enforceRequestLimit } from './request-limits.ts'
import { createOidcConfiguration } from './configuration.ts'
import { createSecondFactorSettingsHandler } from '../two-factor/settings-handler.ts'
import { createPasswordResetHandler } from '../password/reset-password.ts'
import { createAccountDeletionHandler } from '../account-deletion/deletion-handler.ts'
import { createPasskeySettingsHandler } from '../passkeys/settings-handler.ts'
import { createSignInHandler } from '../sign-in/sign-in-handler.ts'
import { createSignUpHandler } from '../sign-up/sign-up-handler.ts'
import { createLoginHandler } from '../sign-in/login-api.ts'
import { recordAccountActivity } from '../../accounts/activity/record-activity.ts'

/** Port number that identifies the Node server in this isolate. The server does not listen on the network. */
const PORT = 8080
/**
 * Placeholder for an empty `state` in a flow that starts on the login page (AUTH-17). oidc-provider drops empty
 * parameters.
 */
const EMPTY_STATE_PLACEHOLDER = 'porchlight.empty-state'

let isRunning = false

function startServer(env: Env): void {
  if (isRunning) return
  const provider = new Provider(env.OIDC_ISSUER, createOidcConfiguration(env))
  provider.proxy = true
  signAccessTokens(provider, env)
  addActivityListeners(provider, env)
  provider.use(createSignInHandler(provider, env))
  provider.use(createChangePasswordHandler(provider, env))
  provider.use(createPasswordResetHandler(env))
  provider.use(createSignUpHandler(env))
  provider.use(createSecondFactorSettingsHandler(provider, env))
  provider.use(createPasskeySettingsHandler(provider, env))
  provider.use(createAccountDeletionHandler(provider, env))
  provider.use(createLoginHandler(provider, env))
  provider.on('server_error', (_ctx, error) => {
    console.error(JSON.stringify({ at: 'identity', error: error.name, msg: error.message }))
  })
  // Ignore the promise: Koa already responds to errors and logs them.
  const handle = provider.callback()
  createServer((req, res) => void handle(req, res)).listen(PORT)
  isRunning = true
}

/** Gives new access tokens the ids of `createAccessTokenId`, because oidc-provider has no option for these ids. */
function signAccessTokens({ AccessToken }: Provider, env: Env): void {
  Object.assign(AccessToken.prototype, {
    generateTokenId(this: { readonly accountId: string; format: string }) {
      // The replaced method also sets the format, which oidc-provider reads when it stores the token.
      this.format = 'opaque'
      return createAccessTokenId(env, this.accountId)
    },
  })
}

/**
 * Returns the request in the form that oidc-provider needs, with the public origin and the complete body. Throws
 * `BodyTooLargeError`.
 */
async function toOidcRequest(request: Request, env: Env): Promise<Request> {
  const origin = new URL(env.PROVIDER_ORIGIN)
  const url = new URL(request.url)
  if (url.searchParams.get('state') === '') url.searchParams.set('state', EMPTY_STATE_PLACEHOLDER)
  const { method, headers } = request
  const body = ['GET', 'HEAD'].includes(method) ? null : await readBytes(request, getBodyLimit(url.pathname))
  const result = new Request(new URL(url.pathname + url.search, origin), { method, headers, body, redirect: 'manual' })
  result.headers.delete('transfer-encoding')
  result.headers.delete('content-length')
  if (body !== null) result.headers.set('content-length', String(body.byteLength))
  // The runtime's Node server cuts this header at the first comma.
  result.headers.set('user-agent', (request.headers.get('user-agent') ?? '').replaceAll(',', ';'))
  result.headers.set('host', origin.host)
  result.headers.set('x-forwarded-host', origin.host)
  result.headers.set('x-forwarded-proto', origin.protocol.slice(0, -1))
  result.headers.set('x-forwarded-for', getClientAddress(request.headers, env))
  return result
}

function restoreEmptyState(response: Response, env: Env): Response {
  const location = response.headers.get('location')
  if (location === null || !location.includes(EMPTY_STATE_PLACEHOLDER) || !location.startsWith(`${env.PORTAL_ORIGIN}/`))
    return response
  const url = new URL(location)
  url.searchParams.set('state', '')
  const result = new Response(response.body, response)
  result.headers.set('location', url.href)
  return result
}

/** Returns true for Koa's plain-text response to an uncaught error, for example when the disk is full. */
const isUnhandled = ({ status, headers }: Response) =>
  status === 500 && headers.get('content-type')?.startsWith('text/plain') === true

export async function handleOidcRequest(request: Request, env: Env): Promise<Response> {
  const network = clientNetwork(getClientAddress(request.headers, env))
  const limitResponse = enforceRequestLimit(request, network, Date.now(), env.PORTAL_ORIGIN)
  if (limitResponse) return limitResponse
  startServer(env)
  const { pathname } = new URL(request.url)
  try {
    const answer = await handleAsNodeRequest(PORT, await toOidcRequest(request, env))
    return isUnhandled(answer) ? createFailureResponse(pathname, env.PORTAL_ORIGIN) : restoreEmptyState(answer, env)
  } catch (error) {
    if (error instanceof BodyTooLargeError) return createTooLargeResponse(pathname, error, env.PORTAL_ORIGIN)
    throw error
  }
}

/**
 * Records events of oidc-provider in the activity log: sign-ins to the portal, and reuse of a refresh token or
 * authorization code.
 */
function addActivityListeners(provider: Provider, env: Env): void {
  provider.on('authorization.success', (ctx) => {
    const userId = ctx.oidc.account?.accountId
    if (userId !== undefined) recordAccountActivity(env, userId, 'sign-in', ctx, Date.now())
  })
  provider.on('grant.revoked', (ctx) => {
    const { RefreshToken, AuthorizationCode } = ctx.oidc.entities
    const userId = (RefreshToken ?? AuthorizationCode)?.accountId
    // The edge server makes token requests, so the request has no information about the user's client.
    if (ctx.oidc.route === 'token' && userId !== undefined)
      recordAccountActivity(env, userId, 'refresh-reuse', null, Date.now())
  })
}
