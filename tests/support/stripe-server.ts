import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { text as bodyOf } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'
import { Stripe } from 'stripe'
import { StripeAccount } from './stripe/account.ts'
import { createError, type StripeResponse, type FormFields } from './stripe/objects.ts'

export const STRIPE_KEY = 'sk_test_of_the_tests'
export const WEBHOOK_SECRET = 'whsec_of_the_tests'

/**
 * Fault of one request. `busy`: 429, not processed. `broken`: 500, stored for the idempotency key as Stripe does.
 * `hang`: no response. `cut`: processed, but the response is lost. `before`: runs between processing and response.
 */
export type StripeFault = 'busy' | 'broken' | 'hang' | 'cut' | { readonly before: () => Promise<unknown> }

/** Fake Stripe API on a local port. It uses the types and webhook signatures of Stripe's npm package. */
export interface StripeServer {
  readonly origin: string
  readonly account: StripeAccount
  /** All received requests. `operation`: method and path, such as `POST /v1/refunds`. `key`: idempotency key. */
  readonly requests: { readonly operation: string; readonly key: string; readonly fields: FormFields }[]
  /** Applies the fault to the next request whose method and path begin with `prefix`. */
  fail(prefix: string, fault: StripeFault): void
  /** Expires all idempotency keys, as Stripe does after a day. */
  expireIdempotencyKeys(): void
  /** Returns the webhook event that Stripe sends for an object, and its signature. `at`: ms UTC. */
  createSignedEvent(
    type: string,
    object: object,
    change?: { at?: number; secret?: string; id?: string },
  ): Promise<SignedStripeEvent>
  close(): Promise<void>
}

interface SignedStripeEvent {
  readonly body: string
  readonly signature: string
}

export async function openStripe(): Promise<StripeServer> {
  const account = new StripeAccount()
  const requests: StripeServer['requests'] = []
  const faults: { prefix: string; fault: StripeFault }[] = []
  const storedAnswers = new Map<string, { fingerprint: string; answer: StripeResponse }>()
  const server = createServer((request, response) => {
    void serve(request, response).catch(() => response.destroy())
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, search } = new URL(request.url ?? '/', 'http://stripe')
    const body = await bodyOf(request)
    const operation = `${request.method ?? ''} ${path}`
    const key = String(request.headers['idempotency-key'] ?? '')
    const fields = parseFields(request.method === 'GET' ? search.slice(1) : body)
    requests.push({ operation, key, fields })
    const at = faults.findIndex((entry) => operation.startsWith(entry.prefix))
    const fault = at < 0 ? null : (faults.splice(at, 1)[0]?.fault ?? null)
    if (fault === 'hang') return
    if (request.headers.authorization !== `Bearer ${STRIPE_KEY}`)
      return sendResponse(response, createError(401, 'invalid_request_error', 'api_key_invalid'))
    if (fault === 'busy') return sendResponse(response, createError(429, 'invalid_request_error', 'rate_limit'))
    const processRequest = () =>
      fault === 'broken'
        ? createError(500, 'api_error', '')
        : account.handleRequest({ method: request.method ?? '', path, fields })
    const answer = key === '' ? processRequest() : respondIdempotently(key, operation + body, processRequest)
    if (fault === 'cut') return void response.destroy()
    if (typeof fault === 'object') await fault?.before()
    sendResponse(response, answer)
  }

  function respondIdempotently(key: string, fingerprint: string, processRequest: () => StripeResponse): StripeResponse {
    const stored = storedAnswers.get(key)
    if (stored) return stored.fingerprint === fingerprint ? stored.answer : createError(400, 'idempotency_error', '')
    const answer = JSON.parse(JSON.stringify(processRequest())) as StripeResponse
    storedAnswers.set(key, { fingerprint, answer })
    return answer
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const signer = new Stripe(STRIPE_KEY)
  let eventCount = 0
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    account,
    requests,
    fail: (prefix, fault) => void faults.push({ prefix, fault }),
    expireIdempotencyKeys: () => {
      storedAnswers.clear()
    },
    async createSignedEvent(
      type,
      object,
      { at = Date.now(), secret = WEBHOOK_SECRET, id = `evt_${(eventCount += 1)}` } = {},
    ) {
      const event = { id, object: 'event' as const, type, created: Math.floor(at / 1000), data: { object } }
      const payload = JSON.stringify(event satisfies Partial<Omit<Stripe.Event, 'type' | 'data'>>)
      const timestamp = Math.floor(at / 1000)
      const signature = await signer.webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp })
      return { body: payload, signature }
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function sendResponse(response: ServerResponse, { status, body }: StripeResponse): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_of_the_tests' })
  response.end(JSON.stringify(body))
}

/** Parses `metadata[key]=a` into `{metadata: {key: 'a'}}`. */
function parseFields(encoded: string): FormFields {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of new URLSearchParams(encoded)) {
    const path = name.split(/\[|\]\[|\]/).filter((part) => part !== '')
    const last = path.pop() ?? ''
    let target = fields
    for (const part of path) target = (target[part] ??= {}) as Record<string, unknown>
    target[last] = value
  }
  return fields as FormFields
}
