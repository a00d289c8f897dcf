import type { DurableObjectState, WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import type { Context } from 'hono'
import type { AppEnv } from '../../env.ts'
import { forbidden, ApiError } from '../api-error.ts'

export function socketPair(): { server: WorkerSocket; answer: Response } {
  const pair = new WebSocketPair()
  const init = { status: 101, webSocket: pair[0] } as ResponseInit
  return { server: pair[1], answer: new Response(null, init) }
}

export const refusedSocket = (status: 401 | 403 | 429, msg: string): Response =>
  Response.json({ code: status, msg }, { status })

export const FLOODER = 'Too much was sent over a socket of yours. Wait a minute, then connect again.'

/** Returns the open sockets. `getWebSockets` also lists closing sockets until the client has confirmed the close. */
export function openSockets(ctx: DurableObjectState, tag?: string): WorkerSocket[] {
  return ctx.getWebSockets(tag).filter((socket) => socket.readyState === WebSocket.OPEN)
}

const VERIFIED = 'x-verified'

/**
 * Forwards a WebSocket request to the Durable Object that accepts it. One header carries the data that the Worker has
 * verified; the object trusts this header, because only the Worker can reach the object.
 */
export async function forwardVerified(stub: { fetch: unknown }, verified: unknown): Promise<Response> {
  const request = new Request('https://durable.object/', {
    headers: { upgrade: 'websocket', [VERIFIED]: JSON.stringify(verified) },
  })
  return (stub.fetch as (request: Request) => Promise<Response>)(request)
}

export function readVerified<T>(request: Request): T {
  return JSON.parse(request.headers.get(VERIFIED) ?? 'null') as T
}

/** Throws unless the request is a WebSocket upgrade and its `Origin` header is the portal's origin. */
export function checkPortalSocket(c: Context<AppEnv>): void {
  checkUpgrade(c)
  if (c.req.header('origin') !== c.env.PORTAL_ORIGIN) throw forbidden('This origin may not open a socket.')
}

export function checkUpgrade(c: Context<AppEnv>): void {
  if (c.req.header('upgrade')?.toLowerCase() !== 'websocket') {
    throw new ApiError(426, 426, 'This address is a WebSocket.', { Upgrade: 'websocket' })
  }
}

export function socketAddress(origin: string, path: string, ticket: string): string {
  return `${origin.replace(/^http/, 'ws')}${path}?ticket=${ticket}`
}
