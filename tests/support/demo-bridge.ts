import { storeBridge } from '../../provider/bridge/enroll-bridge.ts'
import type { Env } from '../../provider/env.ts'
import type { TestDeployment } from './harness.ts'
import { TestBridge } from './home.ts'

/** Adds a bridge with one camera, `door_t`, to the demo owner's home. */
export async function addDemoBridge(deployment: TestDeployment): Promise<TestBridge> {
  const env = (await deployment.provider.getWorker().getEnv()) as Env
  const home = await env.DB.prepare(
    "SELECT home_id FROM home_members JOIN accounts USING (user_id) WHERE email = 'owner@example.com' AND role = 1",
  ).first<string>('home_id')
  const bridge = new TestBridge(deployment.env.PROVIDER_ORIGIN, 'bridge_of_test')
  await storeBridge(env, bridge.id, { key_hash: bridge.keyHash, name: 'Test', homes: [home ?? ''] }, Date.now())
  await bridge.register('door_t')
  return bridge
}
