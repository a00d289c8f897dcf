import { Hono } from 'hono'
import { fillPath, REQUEST_ID_HEADER, type Call } from '../../contract/wire/call.ts'
import { requireFreshSession } from '../lib/auth/session-access.ts'
import { findCall } from '../lib/proxy/find-call.ts'
import { createNotFoundError, EdgeError, createRateLimitError } from '../lib/edge-error.ts'
import type { EdgeContext, EdgeEnv } from '../lib/edge-context.ts'
import { readSessionId } from '../lib/auth/session-cookies.ts'
import { buildProviderHeaders } from '../lib/proxy/provider-headers.ts'
import { buildPayload } from '../lib/proxy/call-payload.ts'
import { checkSessionRateLimit } from '../lib/security/session-rate-limit.ts'
import { fetchFromProvider } from '../lib/proxy/call-provider.ts'
import { toReachableUrl } from '../lib/settings.ts'

function enforceSessionRateLimit(c: EdgeContext, call: Call): void {
  const id = readSessionId(c)
  const waitMs = id === null ? 0 : checkSessionRateLimit(id, call, Date.now())
  if (waitMs > 0) throw createRateLimitError(c, waitMs / 1000)
}

/**
 * `/api/p/{group}{provider path}`: forwards calls of the contract to the provider, with the session's access token and,
 * if the group has a secret, a signature.
 */
export const gateway = new Hono<EdgeEnv>().all('/:group/*', async (c) => {
  const { settings } = c.var
  const group = c.req.param('group')
  const match = findCall(group, c.req.method, c.req.path.slice(`/api/p/${group}`.length))
  if (!match) throw createNotFoundError()
  const { call, params } = match
  enforceSessionRateLimit(c, call)
  const { view } = await requireFreshSession(c)
  if (params['uuid'] !== undefined && params['uuid'] !== view.userId)
    throw new EdgeError(403, 'You do not have access to this.')

  const payload = await buildPayload(call, c.req.raw, view.userId, Date.now())
  const headers = buildProviderHeaders(settings, {
    group: call.group,
    content: payload.content,
    token: view.accessToken,
    userAgent: c.req.header('user-agent') ?? '',
    requestId: c.var.requestId,
  })
  if (headers['signature'] === '') throw new EdgeError(400, 'This call can’t be signed.')
  // The embedded provider serves all endpoint groups, so it gets the request id with every group.
  if (settings.hosts[call.group] === settings.PROVIDER_ORIGIN) headers[REQUEST_ID_HEADER] = c.var.requestId
  if (payload.body) headers['content-type'] = 'application/json'
  const url = settings.hosts[call.group] + fillPath(call.path, params) + (payload.query && `?${payload.query}`)
  const response = await fetchFromProvider(
    toReachableUrl(settings, url),
    { method: call.method, headers, body: payload.body },
    settings.upstreamTimeoutMs,
  )
  const retryHeaders = response.retryAfter === null ? undefined : { 'retry-after': response.retryAfter }
  return new Response(response.body, {
    status: response.status,
    headers: { 'content-type': 'application/json', ...retryHeaders },
  })
})
