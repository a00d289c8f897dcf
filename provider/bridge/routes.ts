import { Hono } from 'hono'
import { BRIDGE_PATHS } from '../../contract/bridge/bridge-protocol.ts'
import type { AppEnv } from '../env.ts'
import { onError } from '../platform/http/on-error.ts'
import { requireWebSocketUpgrade, forwardVerifiedRequest } from '../platform/sockets/websocket-upgrade.ts'
import { authenticateBridge, type BridgeEnv } from './authenticate-bridge.ts'
import { cameraSetupRoutes } from './camera-setup-routes.ts'
import { deleteCamera, putCamera } from './camera-registration.ts'
import { enrollByCode } from './enrollment-codes.ts'
import { addClip, addEvent, addHistory, addMoments } from './event-ingest.ts'
import { bridgeOwnerRoutes } from './owner-routes.ts'
import { openRelay } from './relay.ts'
import { addFailure } from './failures.ts'
import { grantUploads } from './upload-grants.ts'

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
    return forwardVerifiedRequest(c.env.BRIDGES.getByName(id), { bridge: id })
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
