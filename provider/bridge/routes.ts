import { Hono, type Context } from 'hono'
import { BRIDGE_PATHS, postFailureRequest } from '../../contract/bridge/bridge-protocol.ts'
import type { AppEnv } from '../env.ts'
import { onError } from '../platform/http/on-error.ts'
import { requireWebSocketUpgrade, forwardVerifiedRequest } from '../platform/sockets/websocket-upgrade.ts'
import { authenticateBridge, type BridgeEnv } from './authenticate-bridge.ts'
import { cameraSetupRoutes } from './camera-setup-routes.ts'
import { deleteCamera, putCamera } from './camera-registration.ts'
import { enrollByCode } from './enrollment-codes.ts'
import { addClip, addEvent, addHistory, addMoments } from './event-ingest.ts'
import { bridgeOwnerRoutes } from './owner-routes.ts'
import { grantUploads } from './upload-grants.ts'
import { tooManyRequests } from '../platform/api-error.ts'
import { reportBridgeFailure } from '../telemetry/error-reporting.ts'
import { readBody, requireHomeOfCamera } from './served-homes.ts'
import { HOUR_MS } from '../../contract/time-units.ts'
import { RENDITION_PARAMETER } from '../../contract/live/relay-protocol.ts'
import { getObject } from '../platform/objects.ts'

const MAX_RENDITION_CHARS = 12

/**
 * Opens the socket on which a bridge sends the video or audio of a camera. Throws 404 if the bridge does not serve the
 * camera.
 */
async function openRelay(c: Context<BridgeEnv>): Promise<Response> {
  requireWebSocketUpgrade(c as never)
  const device = c.req.param('device_id') ?? ''
  requireHomeOfCamera(c, device)
  const rendition = (c.req.query(RENDITION_PARAMETER) ?? '').slice(0, MAX_RENDITION_CHARS)
  return forwardVerifiedRequest(getObject(c.env, 'CAMERAS', device), { rendition })
}

/**
 * Rate limit of error reports per bridge: far above normal use, but below the maximum number of stored error groups of
 * bridges (`MAX_GROUPS_PER_SOURCE`).
 */
const FAILURE_REPORT_LIMIT = { count: 60, windowMs: HOUR_MS } as const

async function addFailure(c: Context<BridgeEnv>): Promise<Response> {
  const now = Date.now()
  const { version, report } = readBody(c, postFailureRequest)
  const guard = getObject(c.env, 'GUARDS', `failures:${c.get('bridgeId')}`)
  const waitMs = await guard.countAttempt('failures', FAILURE_REPORT_LIMIT.count, FAILURE_REPORT_LIMIT.windowMs, now)
  if (waitMs > 0) throw tooManyRequests(waitMs)
  await reportBridgeFailure(c.env, report, version, now)
  return c.json({ code: 200 })
}

export function bridgeRoutes(app: Hono<AppEnv>): void {
  bridgeOwnerRoutes(app)
  cameraSetupRoutes(app)
  /* Mounted before the authentication middleware, because a bridge enrolls without a key. */
  app.post(BRIDGE_PATHS.enrol, enrollByCode)
  const bridge = new Hono<BridgeEnv>()
  bridge.onError((error, c) => onError(error, c as never))
  bridge.use('/bridge/v1/*', authenticateBridge)
  bridge.get(BRIDGE_PATHS.control, (c) => {
    requireWebSocketUpgrade(c as never)
    const id = c.get('bridgeId')
    return forwardVerifiedRequest(getObject(c.env, 'BRIDGES', id), { bridge: id })
  })
  bridge.get(`${BRIDGE_PATHS.relay}/:device_id`, openRelay)
  bridge.put(`${BRIDGE_PATHS.cameras}/:device_id`, putCamera)
  bridge.delete(`${BRIDGE_PATHS.cameras}/:device_id`, deleteCamera)
  bridge.post(BRIDGE_PATHS.uploads, grantUploads)
  bridge.post(BRIDGE_PATHS.events, addEvent)
  bridge.post(BRIDGE_PATHS.clip, addClip)
  bridge.post(BRIDGE_PATHS.moments, addMoments)
  bridge.post(BRIDGE_PATHS.history, addHistory)
  bridge.post(BRIDGE_PATHS.failures, addFailure)
  app.route('/', bridge)
}
