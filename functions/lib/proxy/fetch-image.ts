import { REQUEST_ID_HEADER } from '../../../contract/wire/call.ts'
import { createProviderDownError, createInvalidResponseError, createProviderTimeoutError } from '../edge-error.ts'
import type { EdgeContext } from '../edge-context.ts'
import { toReachableUrl } from '../settings.ts'

/** Browser cache lifetime of an event's thumbnail, in seconds. A thumbnail never changes. */
const IMAGE_CACHE_S = 3600
/** Headers of the media host's response that are passed on; the edge sets all others. */
const FORWARDED_HEADERS = ['content-length', 'content-type', 'etag']
const FORWARDED_ERROR_STATUSES = [403, 404] as const

/**
 * Returns the image of a signed URL. `Vary: Cookie` binds the browser's cached copy to the session, so that the copy is
 * not used after a sign-out. Passes on 304 and 403; passes on 404 if `isImmutable` is true, else replaces 404 with 204.
 * Throws an `EdgeError` if the media host does not respond or sends any other response.
 */
export async function fetchImage(c: EdgeContext, url: string, isImmutable: boolean): Promise<Response> {
  const response = await fetchUpstream(c, url)
  c.header('vary', 'Cookie')
  const errorStatus = FORWARDED_ERROR_STATUSES.find((status) => status === response.status)
  if (errorStatus !== undefined) {
    await response.body?.cancel()
    return c.body(null, errorStatus === 404 && !isImmutable ? 204 : errorStatus)
  }
  const isImage = response.headers.get('content-type')?.startsWith('image/')
  if (response.status !== 304 && (response.status !== 200 || !isImage)) {
    await response.body?.cancel()
    throw response.status >= 500 ? createProviderDownError() : createInvalidResponseError()
  }
  for (const name of FORWARDED_HEADERS) {
    const value = response.headers.get(name)
    if (value !== null) c.header(name, value)
  }
  c.header('cache-control', isImmutable ? `private, max-age=${IMAGE_CACHE_S}, immutable` : 'private, no-cache')
  const { body } = response
  return body === null ? c.body(null, response.status === 304 ? 304 : 200) : c.body(body, 200)
}

async function fetchUpstream(c: EdgeContext, url: string): Promise<Response> {
  const etag = c.req.header('if-none-match')
  const signal = AbortSignal.timeout(c.var.settings.upstreamTimeoutMs)
  try {
    const headers = {
      ...(etag !== undefined && { 'if-none-match': etag }),
      [REQUEST_ID_HEADER]: c.var.requestId,
    }
    return await fetch(toReachableUrl(c.var.settings, url), {
      method: c.req.method,
      headers,
      redirect: 'manual',
      signal,
    })
  } catch {
    throw signal.aborted ? createProviderTimeoutError() : createProviderDownError()
  }
}
