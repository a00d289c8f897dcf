import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Response of Cloudflare's API to one request: a status, and the result or the error code. */
export interface Answered {
  readonly status: number
  readonly result?: unknown
  readonly code?: number
}

/** Fake of Cloudflare's API: records requests below the account and answers as configured. */
export interface CloudflareApi {
  /** Environment variables that direct wrangler's calls and the scripts' own calls to this fake. */
  readonly env: Record<string, string>
  /** `METHOD /path` of each request, in order. */
  readonly asked: string[]
  /** Sets the responses to later requests `METHOD /path`: one per request, in order. The last response repeats. */
  on(request: string, ...answers: readonly Answered[]): void
  close(): Promise<void>
}

const ACCOUNT = '0123456789abcdef0123456789abcdef'
export const OK: Answered = { status: 200, result: {} }
export const ABSENT: Answered = { status: 404, code: 10_006 }

/** Opens the fake API. It answers requests without a configured response with 404 and code 10006 (not found). */
export async function openCloudflareApi(): Promise<CloudflareApi> {
  const answers = new Map<string, Answered[]>()
  const requests: string[] = []
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://api').pathname.replace(`/accounts/${ACCOUNT}`, '')
    const name = `${request.method} ${path}`
    request.resume().on('end', () => {
      requests.push(name)
      const left = answers.get(name) ?? [ABSENT]
      const answer = (left.length > 1 ? left.shift() : left[0]) ?? ABSENT
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
      CLOUDFLARE_ACCOUNT_ID: ACCOUNT,
    },
    asked: requests,
    on: (request, ...responses) => void answers.set(request, [...responses]),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
