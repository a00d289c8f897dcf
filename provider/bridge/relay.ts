import type { Context } from 'hono'
import { checkUpgrade, handOver } from '../home/upgrade.ts'
import type { BridgeEnv } from './authenticate.ts'
import { homeOfCamera } from './lookup.ts'

/** Opens the socket on which a bridge brings pictures of one of its cameras: 404 for an unknown camera, 403 for another's. */
export async function openRelay(c: Context<BridgeEnv>): Promise<Response> {
  checkUpgrade(c as never)
  const device = c.req.param('device_id') ?? ''
  await homeOfCamera(c, device)
  return handOver(c.env.CAMERAS.getByName(device), { source: c.get('bridgeId') })
}
