import type { Context } from 'hono'
import { RENDITION_PARAMETER } from '../../contract/live/relay-protocol.ts'
import { requireWebSocketUpgrade, forwardVerifiedRequest } from '../platform/sockets/websocket-upgrade.ts'
import type { BridgeEnv } from './authenticate-bridge.ts'
import { requireHomeOfCamera } from './served-homes.ts'

const MAX_RENDITION_CHARS = 12

/**
 * Opens the socket on which a bridge sends the video or audio of a camera. Throws 404 if the bridge does not serve the
 * camera.
 */
export async function openRelay(c: Context<BridgeEnv>): Promise<Response> {
  requireWebSocketUpgrade(c as never)
  const device = c.req.param('device_id') ?? ''
  await requireHomeOfCamera(c, device)
  const rendition = (c.req.query(RENDITION_PARAMETER) ?? '').slice(0, MAX_RENDITION_CHARS)
  return forwardVerifiedRequest(c.env.CAMERAS.getByName(device), { rendition })
}
