import { SIGNATURE_HEADER } from '../../../contract/environment.ts'
import { computeHmacHex } from '../byte-encoding.ts'
import type { EdgeContext } from '../edge-context.ts'
import { toReachableUrl, type Settings } from '../settings.ts'

export const SINK_TIMEOUT_MS = 4000
/**
 * Maximum concurrent sink requests per isolate. Further requests are dropped, so that requests to a slow sink cannot
 * fill the memory.
 */
const CONCURRENT_MAX = 64

let activeRequests = 0

export interface SinkRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Builds a request to the provider, which recognizes the edge by the signature of `content`. */
export function buildSignedRequest(settings: Settings, path: string, body: string, content: string): SinkRequest {
  const headers = { [SIGNATURE_HEADER]: computeHmacHex(settings.MEDIA_KEY, content) }
  return { url: toReachableUrl(settings, settings.PROVIDER_ORIGIN + path), headers, body }
}

/** Sends `request` in the background and logs a failure in one line. `label`: plural noun for the log. */
export function sendToSink(c: EdgeContext, label: string, request: SinkRequest): void {
  if (activeRequests >= CONCURRENT_MAX)
    return console.error(`${label} were dropped because too many requests are in progress.`)
  activeRequests += 1
  const task = send(request)
    .catch(() => console.error(`${label} couldn’t be delivered.`))
    .finally(() => (activeRequests -= 1))
  c.executionCtx.waitUntil(task)
}

async function send({ url, headers, body }: SinkRequest): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(SINK_TIMEOUT_MS),
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`The sink responded with ${response.status}.`)
}
