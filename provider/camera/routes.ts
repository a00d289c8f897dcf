import type { Context, Hono } from 'hono'
import { getStreams, type Stream } from '../../contract/live.ts'
import type { AppEnv, Env } from '../env.ts'
import { forbidden, notFound, unauthorized } from '../http/refusal.ts'
import { serve } from '../http/serve.ts'
import { homeStub, placesOf } from '../home/lookup.ts'
import { openTicket, sealTicket, SOCKET_TICKET_MS } from '../home/tickets.ts'
import { checkPortalSocket, handOver, socketAddress } from '../home/upgrade.ts'
import { parseIceServers } from './ice-servers.ts'

/** Mounts the streams call and the viewers' end of the signalling channel. */
export function cameraRoutes(app: Hono<AppEnv>): void {
  serve(app, getStreams, async ({ env, account, input, now }) => {
    const ids = [...new Set(input.device_list.map((device) => device.device_id))]
    return { streams: await streamsOf(env, account.userId, ids, now) }
  })
  app.get('/camera/:device_id/viewer', openViewer)
}

/** How to watch each of the cameras, in the order asked. 404 when one does not exist, 403 when one is not the account's. */
async function streamsOf(env: Env, userId: string, ids: readonly string[], now: number): Promise<Stream[]> {
  const places = await placesOf(env, userId, ids)
  if (places.length < ids.length) throw notFound()
  if (places.some((place) => place.role === null)) throw forbidden()
  const homes = [...new Set(places.map((place) => place.home_id))]
  const facts = (await Promise.all(homes.map((home) => homeStub(env, home).streams(userId, ids)))).flat()
  const ice_servers = parseIceServers(env)
  return Promise.all(
    ids.map(async (device) => {
      const known = facts.find((fact) => fact.device_id === device)
      if (!known) throw notFound()
      return { ...known, signalling_url: await viewerAddress(env, userId, device, now), ice_servers }
    }),
  )
}

async function viewerAddress(env: Env, userId: string, device: string, now: number): Promise<string> {
  const ticket = {
    jti: crypto.randomUUID(),
    user: userId,
    device,
    viewer: crypto.randomUUID(),
    iat: now,
    exp: now + SOCKET_TICKET_MS,
  }
  return socketAddress(
    env.PROVIDER_ORIGIN,
    `/camera/${device}/viewer`,
    await sealTicket(env.TICKET_KEY, 'viewer', ticket),
  )
}

/** Opens a viewer's socket: origin, ticket and membership are checked here, single use by the camera. */
async function openViewer(c: Context<AppEnv>): Promise<Response> {
  checkPortalSocket(c)
  const ticket = await openTicket(c.env.TICKET_KEY, 'viewer', c.req.query('ticket') ?? '', Date.now())
  if (!ticket || ticket.device !== c.req.param('device_id')) throw unauthorized()
  const [place] = await placesOf(c.env, ticket.user, [ticket.device])
  if (!place || place.role === null) throw forbidden()
  return handOver(c.env.CAMERAS.getByName(ticket.device), { ticket, bridge: place.bridge_id })
}
