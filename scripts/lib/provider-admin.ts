import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ADMIN_PATHS, DEMO_HOMES } from '../../contract/admin.ts'
import type { RunEnvironment } from './secrets.ts'
import { Stop } from './stop.ts'

interface BridgeKey {
  readonly bridge_id: string
  /** base64url of 32 random bytes. */
  readonly key: string
}

/** The identity of this machine's bridge, made at the first start. */
export function loadBridgeKey(data: string): BridgeKey {
  const path = join(data, 'bridge.key')
  if (!existsSync(path)) {
    const made: BridgeKey = {
      bridge_id: `br_${randomBytes(6).toString('hex')}`,
      key: randomBytes(32).toString('base64url'),
    }
    writeFileSync(path, JSON.stringify(made), { mode: 0o600 })
    chmodSync(path, 0o600)
  }
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as BridgeKey
  } catch {
    throw new Stop(
      `${path} is damaged. Delete it and start again: the bridge then gets a new key, cameras and events stay.`,
    )
  }
}

/** Creates what is missing of the demo data and enrols this machine's bridge. Doing it again changes nothing. */
export async function prepareProvider(env: RunEnvironment, bridge: BridgeKey): Promise<void> {
  if (env.DEMO === '1') await admin(env, 'POST', ADMIN_PATHS.seed)
  await admin(env, 'PUT', `${ADMIN_PATHS.bridges}/${bridge.bridge_id}`, {
    key_hash: createHash('sha256').update(Buffer.from(bridge.key, 'base64url')).digest('hex'),
    name: 'This computer',
    homes: Object.values(DEMO_HOMES),
  })
}

async function admin(env: RunEnvironment, method: string, path: string, body?: object): Promise<void> {
  const answer = await fetch(env.PROVIDER_ORIGIN + path, {
    method,
    headers: { authorization: `Admin ${env.ADMIN_KEY}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!answer.ok) throw new Stop(`The provider refused ${path} with ${answer.status}: ${await answer.text()}`)
}
