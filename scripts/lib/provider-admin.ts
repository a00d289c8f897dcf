import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { ADMIN_PATHS, DEMO_HOMES, seedResponse, setupResponse } from '../../contract/operator/operator-calls.ts'
import { callOperator, OperatorCallError, type OperatorCredentials } from './operator.ts'
import { StopError } from './stop.ts'

type DemoOperator = OperatorCredentials & { readonly DEMO: string }

interface BridgeKey {
  readonly bridge_id: string
  /** base64url of 32 random bytes. */
  readonly key: string
}

/**
 * Returns the bridge's identity from `DATA/bridge.key`. If the file is missing, creates it with `bridgeId`, which is
 * random by default. Throws a `StopError` if the file is damaged.
 */
export function loadBridgeKey(data: string, bridgeId = `br_${randomBytes(6).toString('hex')}`): BridgeKey {
  const path = join(data, 'bridge.key')
  if (!existsSync(path)) {
    const newKey: BridgeKey = {
      bridge_id: bridgeId,
      key: randomBytes(32).toString('base64url'),
    }
    writeFileSync(path, JSON.stringify(newKey), { mode: 0o600 })
    chmodSync(path, 0o600)
  }
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as BridgeKey
  } catch {
    throw new StopError(
      `${path} is damaged. Delete it and restart Porchlight. The hub will get a new key and keep its cameras and events.`,
    )
  }
}

export interface ProviderSetup {
  /** Setup code for the first-run page; null if the provider already has an account. */
  readonly setupCode: string | null
  /** False if an owner has removed this machine's bridge in the portal. A removed bridge is never enrolled again. */
  readonly enrolled: boolean
}

/**
 * If `DEMO` is 1, creates missing demo data and enrolls this machine's bridge in the demo homes. Otherwise, enrolls the
 * bridge; a bridge without a home gets the provider's oldest home. Idempotent.
 */
export async function prepareProvider(
  env: DemoOperator,
  bridge: BridgeKey,
  reportFailures: ReportSeedFailures = () => undefined,
): Promise<ProviderSetup> {
  const isDemo = env.DEMO === '1'
  if (isDemo) await seedDemo(env, reportFailures)
  const enrolled = await enrollBridge(env, bridge, isDemo)
  const setup = v.parse(setupResponse, await callOperator(env, 'GET', ADMIN_PATHS.setup))
  return { setupCode: setup.data.setup_code, enrolled }
}

/** Receives the email addresses of the demo accounts that the provider could not set up completely. */
type ReportSeedFailures = (failed: readonly string[]) => void

export async function seedDemo(env: OperatorCredentials, reportFailures: ReportSeedFailures): Promise<void> {
  const { failed } = v.parse(seedResponse, await callOperator(env, 'POST', ADMIN_PATHS.seed)).data
  if (failed.length > 0) reportFailures(failed)
}

async function enrollBridge(
  env: OperatorCredentials,
  { bridge_id, key }: BridgeKey,
  isDemo: boolean,
): Promise<boolean> {
  try {
    await callOperator(env, 'PUT', `${ADMIN_PATHS.bridges}/${bridge_id}`, {
      key_hash: createHash('sha256').update(Buffer.from(key, 'base64url')).digest('hex'),
      name: 'This computer',
      machine: true,
      ...(isDemo && { homes: Object.values(DEMO_HOMES) }),
    })
    return true
  } catch (error) {
    if (error instanceof OperatorCallError && error.status === 410) return false
    throw error
  }
}
