import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Response of Cloudflare's API to one request: a status, and the result or the error code. */
export interface CloudflareResponse {
  readonly status: number
  readonly result?: unknown
  readonly code?: number
}

/** Fake of Cloudflare's API. Records all requests and returns configured responses. */
export interface CloudflareApi {
  /** Environment variables that direct wrangler's calls and the scripts' own calls to this fake. */
  readonly env: Record<string, string>
  /** `METHOD /path` of each request, in order. The path omits the prefix `/accounts/ID`. */
  readonly requests: string[]
  /**
   * Sets the responses to later requests. `request`: `METHOD /path`. Each request gets the next response; the last
   * response repeats.
   */
  setResponses(request: string, ...answers: readonly CloudflareResponse[]): void
  close(): Promise<void>
}

const ACCOUNT_ID = '0123456789abcdef0123456789abcdef'
export const OK_RESPONSE: CloudflareResponse = { status: 200, result: {} }
export const NOT_FOUND_RESPONSE: CloudflareResponse = { status: 404, code: 10_006 }

/** Starts the fake API. It returns 404 and code 10006 (not found) for requests without a configured response. */
export async function openCloudflareApi(): Promise<CloudflareApi> {
  const answers = new Map<string, CloudflareResponse[]>()
  const requests: string[] = []
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://api').pathname.replace(`/accounts/${ACCOUNT_ID}`, '')
    const name = `${request.method} ${path}`
    request.resume().on('end', () => {
      requests.push(name)
      const remainingResponses = answers.get(name) ?? [NOT_FOUND_RESPONSE]
      const answer =
        (remainingResponses.length > 1 ? remainingResponses.shift() : remainingResponses[0]) ?? NOT_FOUND_RESPONSE
      const errors = answer.code === undefined ? [] : [{ code: answer.code, message: `The reason ${answer.code}` }]
      const body = { success: errors.length === 0, errors, messages: [], result: answer.result ?? null }
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    env: {
      CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      CLOUDFLARE_API_TOKEN: 'token',
      CLOUDFLARE_ACCOUNT_ID: ACCOUNT_ID,
    },
    requests,
    setResponses: (request, ...responses) => void answers.set(request, [...responses]),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
