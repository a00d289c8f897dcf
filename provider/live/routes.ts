import type { Context, Hono } from 'hono'
import { requestNewSnapshot, runAction, sendCommand, setResolution } from '../../contract/live/camera-control-calls.ts'
import { getStreams, type LiveStream } from '../../contract/live/live-calls.ts'
import { PAGE_CHECKS_PARAMETER } from '../../contract/wire/constants.ts'
import { RELAY_PARAMETER } from '../../contract/live/relay-protocol.ts'
import { OWNER_ROLE } from '../../contract/auth/roles.ts'
import { KeyedRateLimiter } from '../../contract/wire/rate-limiter.ts'
import { recordGuestView } from '../accounts/activity/record-activity.ts'
import type { AppEnv, Env } from '../env.ts'
import { enforceRateLimit } from '../platform/rate-limits/enforce-rate-limit.ts'
import { forbidden, notFound, unauthorized } from '../platform/api-error.ts'
import { serveCallWithAccess } from '../platform/http/serve-call.ts'
import type { StreamInfo } from '../homes/devices/device-rows.ts'
import { readAccountAccess, type AccountAccess } from '../homes/members/account-access.ts'
import { homeStub } from '../homes/members/home-stub.ts'
import { listCameraAccess } from '../homes/members/camera-access.ts'
import { verifyTicket, createTicket, SOCKET_TICKET_LIFETIME_MS } from '../platform/tickets/tickets.ts'
import { requirePortalSocket, forwardVerifiedRequest, createSocketUrl } from '../platform/sockets/websocket-upgrade.ts'
import { captureSnapshot, swapLenses, setCameraRendition, wakeCamera } from './camera-commands.ts'
import { parseIceServers } from './ice-servers.ts'
import { getObject } from '../platform/objects.ts'

/** Rate limit of live connections per account. It permits repeated reloads of a page with nine cameras. */
const liveConnectionLimiter = new KeyedRateLimiter({ burst: 200, perSecond: 4 })

export function cameraRoutes(app: Hono<AppEnv>): void {
  serveCallWithAccess(app, getStreams, async ({ env, access, input, now }) => {
    const ids = [...new Set(input.device_list.map((device) => device.device_id))]
    return { streams: await listStreams(env, access, ids, now) }
  })
  serveCallWithAccess(app, runAction, async ({ env, access, input }) => {
    await wakeCamera(env, access, input.targetInfo.id)
    return { transactionId: input.transactionId }
  })
  serveCallWithAccess(app, setResolution, ({ env, access, input, now }) =>
    setCameraRendition(env, access, input.did, input.resolution, now),
  )
  serveCallWithAccess(app, sendCommand, ({ env, access, input }) => swapLenses(env, access, input.did))
  serveCallWithAccess(app, requestNewSnapshot, ({ env, access, input }) =>
    captureSnapshot(env, access, input.device_id),
  )
  app.get('/camera/:device_id/viewer', openViewer)
}

/**
 * Returns the streams of the cameras, in request order. Omits unknown cameras, inaccessible cameras and cameras without
 * live video. Throws 404 if the account may see none of the cameras.
 */
async function listStreams(
  env: Env,
  access: AccountAccess,
  deviceIds: readonly string[],
  now: number,
): Promise<LiveStream[]> {
  const { userId } = access
  const accesses = listCameraAccess(access, deviceIds)
  if (deviceIds.length > 0 && accesses.length === 0) throw notFound()
  const ids = deviceIds.filter((id) => accesses.some((place) => place.device_id === id))
  const homes = [...new Set(accesses.map((place) => place.home_id))]
  const facts = (await Promise.all(homes.map((home) => homeStub(env, home).streams(userId, ids)))).flat()
  const ice_servers = parseIceServers(env)
  const streams = ids.map(async (device) => {
    const fact = facts.find(({ device_id }) => device_id === device)
    return fact && { ...fact, signalling_url: await createViewerSocketUrl(env, userId, fact, now), ice_servers }
  })
  return (await Promise.all(streams)).filter((stream) => stream !== undefined)
}

async function createViewerSocketUrl(
  env: Env,
  userId: string,
  { device_id: device, renditions }: StreamInfo,
  now: number,
): Promise<string> {
  const ticket = {
    jti: crypto.randomUUID(),
    user: userId,
    device,
    renditions: [...renditions],
    viewer: crypto.randomUUID(),
    iat: now,
    exp: now + SOCKET_TICKET_LIFETIME_MS,
  }
  return createSocketUrl(
    env.PROVIDER_ORIGIN,
    `/camera/${device}/viewer`,
    await createTicket(env.TICKET_KEY, 'viewer', ticket),
  )
}

/** Opens a viewer's socket. The Worker checks origin, ticket and access. The `Camera` object rejects a used ticket. */
async function openViewer(c: Context<AppEnv>): Promise<Response> {
  requirePortalSocket(c)
  const ticket = await verifyTicket(c.env.TICKET_KEY, 'viewer', c.req.query('ticket') ?? '', Date.now())
  if (!ticket || ticket.device !== c.req.param('device_id')) throw unauthorized()
  const [access] = listCameraAccess(await readAccountAccess(c.env, ticket.user), [ticket.device])
  if (!access) throw forbidden()
  enforceRateLimit(liveConnectionLimiter, ticket.user, Date.now())
  const relay = c.req.query(RELAY_PARAMETER) === '1'
  const { bridge_id: bridge, member } = access
  const sendsChecks = c.req.query(PAGE_CHECKS_PARAMETER) === '1'
  const verified = { ticket, bridge, relay, sendsChecks, lan: member === 1 }
  const response = await forwardVerifiedRequest(getObject(c.env, 'CAMERAS', ticket.device), verified)
  if (response.status === 101 && access.role !== OWNER_ROLE)
    recordGuestView(c.env, access.home_id, { who: ticket.user, camera: ticket.device }, Date.now())
  return response
}
