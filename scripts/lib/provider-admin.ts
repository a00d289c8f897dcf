import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { ADMIN_PATHS, DEMO_HOMES, setupAnswer } from '../../contract/admin.ts'
import { callOperator } from './operator.ts'
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

/**
 * Creates what is missing of the demo data and enrols this machine's bridge, which without demo serves the first home
 * there is. Doing it again changes nothing. Answers the code that the first-run page asks for, while it does.
 */
export async function prepareProvider(env: RunEnvironment, bridge: BridgeKey): Promise<string | null> {
  const isDemo = env.DEMO === '1'
  if (isDemo) await callOperator(env, 'POST', ADMIN_PATHS.seed)
  await callOperator(env, 'PUT', `${ADMIN_PATHS.bridges}/${bridge.bridge_id}`, {
    key_hash: createHash('sha256').update(Buffer.from(bridge.key, 'base64url')).digest('hex'),
    name: 'This computer',
    ...(isDemo && { homes: Object.values(DEMO_HOMES) }),
  })
  const setup = v.parse(setupAnswer, await callOperator(env, 'GET', ADMIN_PATHS.setup))
  return setup.data.setup_code
}
