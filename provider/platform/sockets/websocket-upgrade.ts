import type { DurableObjectState, WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import type { Context } from 'hono'
import type { AppEnv } from '../../env.ts'
import { forbidden, ApiError } from '../api-error.ts'

/** A new socket: the end to keep and accept, and the answer that hands the other end to the client. */
export function socketPair(): { server: WorkerSocket; answer: Response } {
  const pair = new WebSocketPair()
  const init = { status: 101, webSocket: pair[0] } as ResponseInit
  return { server: pair[1], answer: new Response(null, init) }
}

/** The answer to a socket that is not opened: a status and a sentence. */
export const refusedSocket = (status: 401 | 403 | 429, msg: string): Response =>
  Response.json({ code: status, msg }, { status })

/** Why somebody who has just flooded a socket opens no other one. */
export const FLOODER = 'Too much was sent over a socket of yours. Wait a minute, then connect again.'

/** Sockets that can be written to; one that is being closed stays on the runtime's list until the client has answered. */
export function openSockets(ctx: DurableObjectState, tag?: string): WorkerSocket[] {
  return ctx.getWebSockets(tag).filter((socket) => socket.readyState === WebSocket.OPEN)
}

const VERIFIED = 'x-verified'

/**
 * Hands a WebSocket request to the Durable Object that accepts it, with what the Worker has verified about it in one
 * header. Durable Objects are reachable through the Worker only, so they trust it.
 */
export async function forwardVerified(stub: { fetch: unknown }, verified: unknown): Promise<Response> {
  const request = new Request('https://durable.object/', {
    headers: { upgrade: 'websocket', [VERIFIED]: JSON.stringify(verified) },
  })
  return (stub.fetch as (request: Request) => Promise<Response>)(request)
}

/** What the Worker has verified about a request of `handOver`. */
export function readVerified<T>(request: Request): T {
  return JSON.parse(request.headers.get(VERIFIED) ?? 'null') as T
}

/** Lets only WebSocket requests through, those of browsers only from the portal. */
export function checkPortalSocket(c: Context<AppEnv>): void {
  checkUpgrade(c)
  if (c.req.header('origin') !== c.env.PORTAL_ORIGIN) throw forbidden('This origin may not open a socket.')
}

export function checkUpgrade(c: Context<AppEnv>): void {
  if (c.req.header('upgrade')?.toLowerCase() !== 'websocket') {
    throw new ApiError(426, 426, 'This address is a WebSocket.', { Upgrade: 'websocket' })
  }
}

/** The same address as a WebSocket's. */
export function socketAddress(origin: string, path: string, ticket: string): string {
  return `${origin.replace(/^http/, 'ws')}${path}?ticket=${ticket}`
}
