import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, vi } from 'vitest'
import { BridgeProgram } from '../../../bridge/bridge.ts'
import { BRIDGE_PATHS } from '../../../contract/bridge/bridge-protocol.ts'
import { getHomeDevices } from '../../../contract/cameras/devices.ts'
import { storeBridge } from '../../../provider/bridge/enroll-bridge.ts'
import { openFaultProxy } from '../../support/fault-proxy.ts'
import { openNeighborhood, TestBridge } from '../../support/home.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'

const WATCHABLE_STATES = ['awake', 'asleep']

test('a known camera can be watched before the reconnected bridge registers it again', async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const neighborhood = await openNeighborhood()
  const proxy = await openFaultProxy()
  const dataFolder = await mkdtemp(join(tmpdir(), 'bridge-back-'))
  const key = Buffer.alloc(32, 6)
  const { id, keyHash, origin } = new TestBridge(neighborhood.a.bridge.origin, 'bridge_back', key)
  await storeBridge(neighborhood.bindings, id, { key_hash: keyHash, name: 'Back', homes: ['home_a'] }, Date.now())
  await writeFile(join(dataFolder, 'bridge.key'), JSON.stringify({ bridge_id: id, key: key.toString('base64url') }))
  proxy.forwardTo(origin)
  const openBridge = () => BridgeProgram.open({ provider: proxy.origin, dataFolder, virtual: 1, scenes: undefined })
  const readWatchable = async () => {
    const { body } = await neighborhood.call(neighborhood.a, getHomeDevices, { device_category: 'camera', env: 'beta' })
    return body.data.device_list.map(({ state }: { state: string }) => WATCHABLE_STATES.includes(state))
  }
  let bridge = await openBridge()
  try {
    bridge.start()
    await vi.waitUntil(async () => (await readWatchable()).includes(true), WAIT_OPTIONS)
    await bridge.stop()
    await vi.waitUntil(async () => !(await readWatchable()).includes(true), WAIT_OPTIONS)
    proxy.fail(`${BRIDGE_PATHS.cameras}/`, { kind: 'hang' })
    bridge = await openBridge()
    bridge.start()
    await vi.waitUntil(async () => (await readWatchable()).includes(true), WAIT_OPTIONS)
  } finally {
    await bridge.stop()
    await proxy.close()
    await neighborhood.close()
    await rm(dataFolder, { recursive: true, force: true })
  }
})
