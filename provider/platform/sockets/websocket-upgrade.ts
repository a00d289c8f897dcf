import type { DurableObjectState, WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import type { Context } from 'hono'
import type { AppEnv } from '../../env.ts'
import { forbidden, ApiError } from '../api-error.ts'

export function createSocketPair(): { server: WorkerSocket; answer: Response } {
  const pair = new WebSocketPair()
  const init = { status: 101, webSocket: pair[0] } as ResponseInit
  return { server: pair[1], answer: new Response(null, init) }
}

export const rejectSocket = (status: 401 | 403 | 429, msg: string): Response =>
  Response.json({ code: status, msg }, { status })

export const FLOODING_MESSAGE = 'One of your sockets sent too much data. Wait a minute, then reconnect.'

/**
 * Returns the open sockets. Omits closing sockets, which `getWebSockets` includes until the client confirms the close.
 */
export function listOpenSockets(ctx: DurableObjectState, tag?: string): WorkerSocket[] {
  return ctx.getWebSockets(tag).filter((socket) => socket.readyState === WebSocket.OPEN)
}

const VERIFIED_DATA_HEADER = 'x-verified'

/**
 * Sends a WebSocket request to a Durable Object, with the verified data in a header. The object trusts this header,
 * because only the Worker can reach the object.
 */
export async function forwardVerifiedRequest(stub: { fetch: unknown }, verified: unknown): Promise<Response> {
  const request = new Request('https://durable.object/', {
    headers: { upgrade: 'websocket', [VERIFIED_DATA_HEADER]: JSON.stringify(verified) },
  })
  return (stub.fetch as (request: Request) => Promise<Response>)(request)
}

export function readVerifiedData<T>(request: Request): T {
  return JSON.parse(request.headers.get(VERIFIED_DATA_HEADER) ?? 'null') as T
}

/** Throws if the request is not a WebSocket upgrade, or if its `Origin` header is not the portal's origin. */
export function requirePortalSocket(c: Context<AppEnv>): void {
  requireWebSocketUpgrade(c)
  if (c.req.header('origin') !== c.env.PORTAL_ORIGIN) throw forbidden('This origin isn’t allowed to open a socket.')
}

export function requireWebSocketUpgrade(c: Context<AppEnv>): void {
  if (c.req.header('upgrade')?.toLowerCase() !== 'websocket') {
    throw new ApiError(426, 426, 'This URL only accepts WebSocket connections.', { Upgrade: 'websocket' })
  }
}

export function createSocketUrl(origin: string, path: string, ticket: string): string {
  return `${origin.replace(/^http/, 'ws')}${path}?ticket=${ticket}`
}
