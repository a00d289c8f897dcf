import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto'
import { DEMO_PASSWORD } from '../../contract/operator/operator-calls.ts'
import { fillPath, type Call } from '../../contract/wire/call.ts'
import { OAUTH_SCOPES } from '../../contract/wire/constants.ts'
import {
  BRANDED_HEADER,
  ENDPOINT_GROUPS,
  getSecretBinding,
  type TokenHeader,
} from '../../contract/wire/endpoint-groups.ts'
import { SIGNATURE_HEADER } from '../../contract/environment.ts'
import type { RunEnvironment } from '../../scripts/lib/secrets.ts'
import { Visitor } from './visitor.ts'

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly id_token: string
  readonly expires_in: number
}

/**
 * Authorization code flow in progress: the URL of its request, and the PKCE verifier, which the edge stores until the
 * callback.
 */
export interface AuthorizationFlow {
  readonly verifier: string
  readonly url: URL
}

export function startFlow(env: RunEnvironment, change: Record<string, string> = {}): AuthorizationFlow {
  const verifier = randomBytes(32).toString('base64url')
  const url = new URL('/oauth/authorize', env.PROVIDER_ORIGIN)
  url.search = new URLSearchParams({
    client_id: env.OIDC_CLIENT_ID,
    redirect_uri: `${env.PORTAL_ORIGIN}/api/auth/callback`,
    response_type: 'code',
    scope: OAUTH_SCOPES.join(' '),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: '/live',
    kount_session_id: 'device-1',
    ...change,
  }).toString()
  return { verifier, url }
}

/**
 * Follows redirects on the provider until a page or the first URL outside the provider. Returns a null `answer` for a
 * URL outside the provider. Throws after ten redirects.
 */
export async function resolveRedirects(
  visitor: Visitor,
  env: RunEnvironment,
  from: URL,
): Promise<{ url: URL; answer: Response | null }> {
  let url = from
  for (let step = 0; step < 10; step++) {
    if (url.origin !== env.PROVIDER_ORIGIN) return { url, answer: null }
    const answer = await visitor.navigate(url.href)
    const location = answer.headers.get('location')
    if (location === null) return { url, answer }
    url = new URL(location, url)
  }
  throw new Error(`Too many redirects at ${url.href}`)
}

/** Submits the form of the provider's page `at`. Does not follow redirects; `resolveRedirects` does. */
export async function submitForm(visitor: Visitor, pageUrl: URL, fields: Record<string, string>): Promise<Response> {
  return await visitor.fetch(pageUrl.href, {
    method: 'POST',
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: pageUrl.origin },
  })
}

export function submitSignIn(visitor: Visitor, pageUrl: URL, email: string, password: string): Promise<Response> {
  return submitForm(visitor, pageUrl, { email, password })
}

export async function getCallbackUrl(
  visitor: Visitor,
  env: RunEnvironment,
  flow: AuthorizationFlow,
  email = 'owner@example.com',
): Promise<URL> {
  const { url: pageUrl, answer } = await resolveRedirects(visitor, env, flow.url)
  if (answer === null) return pageUrl
  const submitted = await submitSignIn(visitor, pageUrl, email, DEMO_PASSWORD)
  return (await resolveRedirects(visitor, env, new URL(submitted.headers.get('location') ?? '', pageUrl))).url
}

function sendTokenRequest(env: RunEnvironment, form: Record<string, string>): Promise<Response> {
  const basic = Buffer.from(`${env.OIDC_CLIENT_ID}:${env.OIDC_CLIENT_SECRET}`).toString('base64')
  const headers = { authorization: `Basic ${basic}` }
  return fetch(`${env.PROVIDER_ORIGIN}/oauth/token`, { method: 'POST', headers, body: new URLSearchParams(form) })
}

export function exchangeCode(env: RunEnvironment, callback: URL, verifier: string): Promise<Response> {
  return sendTokenRequest(env, {
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code') ?? '',
    redirect_uri: `${env.PORTAL_ORIGIN}/api/auth/callback`,
    code_verifier: verifier,
  })
}

export function refreshTokens(env: RunEnvironment, refreshToken: string): Promise<Response> {
  return sendTokenRequest(env, { grant_type: 'refresh_token', refresh_token: refreshToken })
}

export async function signInAtProvider(
  env: RunEnvironment,
  email = 'owner@example.com',
  visitor = new Visitor(env.PORTAL_ORIGIN),
): Promise<Tokens> {
  const flow = startFlow(env)
  const answer = await exchangeCode(env, await getCallbackUrl(visitor, env, flow, email), flow.verifier)
  return (await answer.json()) as Tokens
}

export function createNonceAt(now = Date.now()): string {
  return `${now}${randomInt(10_000, 100_000)}`
}

interface SignedCallOptions {
  payload?: Record<string, unknown>
  params?: Record<string, string>
  /** Changes the body, or the query of a GET, after it was signed. */
  tamper?: (body: string) => string
  signature?: string | null
}

/**
 * Sends a signed contract call as the edge does. `payload` must contain the nonce and the user id if the call requires
 * them.
 */
export async function sendCallAsEdge(
  env: RunEnvironment,
  call: Call,
  token: string,
  options: SignedCallOptions = {},
): Promise<Response> {
  const { payload = {}, params = {}, tamper = (body) => body } = options
  const group = ENDPOINT_GROUPS[call.group]
  const url = new URL(fillPath(call.path, params), env.PROVIDER_ORIGIN)
  const isGet = call.method === 'GET'
  const query = new URLSearchParams(payload as Record<string, string>)
  query.sort()
  const content = isGet ? query.toString() : JSON.stringify(payload)
  if (isGet) url.search = tamper(content)
  const headers = new Headers(buildTokenHeader(group.tokenHeader, token))
  if (group.secret !== null && options.signature !== null) {
    const secret = (env as unknown as Record<string, string>)[getSecretBinding(group.secret)] ?? ''
    const key = createHash('sha256')
      .update(token + secret)
      .digest()
    headers.set(SIGNATURE_HEADER, options.signature ?? createHmac('sha256', key).update(content).digest('hex'))
  }
  if (isGet) return await fetch(url, { headers })
  headers.set('content-type', 'application/json')
  return await fetch(url, { method: call.method, headers, body: tamper(content) })
}

const TOKEN_HEADER = {
  access_token: 'access_token',
  token: 'token',
  branded: BRANDED_HEADER,
  'authorization-raw': 'authorization',
  'authorization-bearer': 'authorization',
} as const

export function buildTokenHeader(kind: TokenHeader, token: string): Record<string, string> {
  return { [TOKEN_HEADER[kind]]: kind === 'authorization-bearer' ? `Bearer ${token}` : token }
}
