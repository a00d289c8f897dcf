import { createServer } from 'node:http'
import { handleAsNodeRequest } from 'cloudflare:node'
import Provider from 'oidc-provider'
import { BodyTooLarge, readBytes } from '../../../contract/wire/body-limits.ts'
import { visitorAddress } from '../../../contract/wire/client-address.ts'
import type { Env } from '../../env.ts'
import { clientNetwork } from '../../platform/rate-limits/client-network.ts'
import { changePassword } from '../password/change-password.ts'
import { getBodyLimit, failed, tooLarge, enforceRequestLimit } from './request-limits.ts'
import { configuration } from './configuration.ts'
import { secondFactor } from '../two-factor/settings-handler.ts'
import { createPasswordResetHandler } from '../password/reset-password.ts'
import { createAccountDeletionHandler } from '../account-deletion/deletion-handler.ts'
import { addActivityListeners } from './activity-listeners.ts'
import { accountPasskeys } from '../passkeys/settings-handler.ts'
import { createSignInHandler } from '../sign-in/sign-in-handler.ts'
import { createLoginHandler } from '../sign-in/login-api.ts'

/** Port by which the runtime finds the Node server in this isolate; nothing listens on the network. */
const PORT = 8080
/**
 * Replaces the empty `state` of a flow that starts on the login page (AUTH-17): oidc-provider drops empty parameters.
 */
const EMPTY_STATE = 'porchlight.empty-state'

let running = false

function start(env: Env): void {
  if (running) return
  const provider = new Provider(env.OIDC_ISSUER, configuration(env))
  provider.proxy = true
  addActivityListeners(provider, env)
  provider.use(createSignInHandler(provider, env))
  provider.use(changePassword(provider, env))
  provider.use(createPasswordResetHandler(env))
  provider.use(secondFactor(provider, env))
  provider.use(accountPasskeys(provider, env))
  provider.use(createAccountDeletionHandler(provider, env))
  provider.use(createLoginHandler(provider, env))
  provider.on('server_error', (_ctx, error) => {
    console.error(JSON.stringify({ at: 'identity', error: error.name, msg: error.message }))
  })
  // Koa responds to errors and logs them, so the promise that rejects with the same error is ignored.
  const handle = provider.callback()
  createServer((req, res) => void handle(req, res)).listen(PORT)
  running = true
}

/**
 * Returns the request in the form that oidc-provider needs: with the public origin for any host and scheme, and with
 * the complete body. Throws `BodyTooLarge`.
 */
async function forwarded(request: Request, env: Env): Promise<Request> {
  const origin = new URL(env.PROVIDER_ORIGIN)
  const url = new URL(request.url)
  if (url.searchParams.get('state') === '') url.searchParams.set('state', EMPTY_STATE)
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
  result.headers.set('x-forwarded-for', visitorAddress(request.headers, env))
  return result
}

function withEmptyState(response: Response, env: Env): Response {
  const location = response.headers.get('location')
  if (location === null || !location.includes(EMPTY_STATE) || !location.startsWith(`${env.PORTAL_ORIGIN}/`))
    return response
  const url = new URL(location)
  url.searchParams.set('state', '')
  const result = new Response(response.body, response)
  result.headers.set('location', url.href)
  return result
}

/** Matches Koa's response to an uncaught error, such as a full disk. */
const isUnhandled = ({ status, headers }: Response) =>
  status === 500 && headers.get('content-type')?.startsWith('text/plain') === true

export async function answerOidc(request: Request, env: Env): Promise<Response> {
  const place = clientNetwork(visitorAddress(request.headers, env))
  const held = enforceRequestLimit(request, place, Date.now(), env.PORTAL_ORIGIN)
  if (held) return held
  start(env)
  const { pathname } = new URL(request.url)
  try {
    const answer = await handleAsNodeRequest(PORT, await forwarded(request, env))
    return isUnhandled(answer) ? failed(pathname, env.PORTAL_ORIGIN) : withEmptyState(answer, env)
  } catch (error) {
    if (error instanceof BodyTooLarge) return tooLarge(pathname, error, env.PORTAL_ORIGIN)
    throw error
  }
}
