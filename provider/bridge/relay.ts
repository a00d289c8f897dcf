import type { Context } from 'hono'
import { RENDITION_PARAMETER } from '../../contract/live/relay-protocol.ts'
import { checkUpgrade, forwardVerified } from '../platform/sockets/websocket-upgrade.ts'
import type { BridgeEnv } from './authenticate-bridge.ts'
import { homeOfCamera } from './served-homes.ts'

const NAME_MAX = 12

/** Opens the socket on which a bridge sends video or audio of one of its cameras; throws 404 for any other. */
export async function openRelay(c: Context<BridgeEnv>): Promise<Response> {
  checkUpgrade(c as never)
  const device = c.req.param('device_id') ?? ''
  await homeOfCamera(c, device)
  const rendition = (c.req.query(RENDITION_PARAMETER) ?? '').slice(0, NAME_MAX)
  return forwardVerified(c.env.CAMERAS.getByName(device), { rendition })
}
