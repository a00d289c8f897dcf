import { REQUEST_ID_HEADER } from '../../../contract/wire/call.ts'
import { providerDown, providerGarbled, providerSlow } from '../edge-error.ts'
import type { EdgeContext } from '../edge-context.ts'

/** How long a browser keeps the picture of an event, s. It does not change. */
const KEPT_S = 3600
/** Of the media host's answer; everything else about the answer is said here. */
const PASSED_ON = ['content-length', 'content-type', 'etag']
const REFUSALS = [403, 404] as const

/**
 * The picture behind a signed address. The browser knows it by our address alone, and what it keeps is bound to the cookie of
 * the session (`Vary: Cookie`): after a sign-out nothing of it is read back. 403 and 404 as the media host says; throws a
 * `EdgeRefusal` when that does not answer. `kept`: it never changes; one that does may not be there yet, which is no failure (204).
 */
export async function fetchPicture(c: EdgeContext, address: string, isImmutable: boolean): Promise<Response> {
  const answer = await fetchUpstream(c, address)
  c.header('vary', 'Cookie')
  const errorStatus = REFUSALS.find((status) => status === answer.status)
  if (errorStatus !== undefined) {
    await answer.body?.cancel()
    return c.body(null, errorStatus === 404 && !isImmutable ? 204 : errorStatus)
  }
  const isPicture = answer.headers.get('content-type')?.startsWith('image/')
  if (answer.status !== 304 && (answer.status !== 200 || !isPicture)) {
    await answer.body?.cancel()
    throw answer.status >= 500 ? providerDown() : providerGarbled()
  }
  for (const name of PASSED_ON) {
    const value = answer.headers.get(name)
    if (value !== null) c.header(name, value)
  }
  c.header('cache-control', isImmutable ? `private, max-age=${KEPT_S}, immutable` : 'private, no-cache')
  const { body } = answer
  return body === null ? c.body(null, answer.status === 304 ? 304 : 200) : c.body(body, 200)
}

async function fetchUpstream(c: EdgeContext, address: string): Promise<Response> {
  const etag = c.req.header('if-none-match')
  const signal = AbortSignal.timeout(c.var.settings.upstreamTimeoutMs)
  try {
    const headers = {
      ...(etag !== undefined && { 'if-none-match': etag }),
      [REQUEST_ID_HEADER]: c.var.requestId,
    }
    return await fetch(address, { method: c.req.method, headers, redirect: 'manual', signal })
  } catch {
    throw signal.aborted ? providerSlow() : providerDown()
  }
}
