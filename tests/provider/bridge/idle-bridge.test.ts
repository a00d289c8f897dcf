import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { BridgeProgram } from '../../../bridge/bridge.ts'
import { timeline } from '../../../contract/events/timeline.ts'
import { storeBridge } from '../../../provider/bridge/enroll-bridge.ts'
import { readBilledWork } from '../../support/billed-work/billed-work.ts'
import { openNeighborhood, TestBridge } from '../../support/home.ts'
import { scaleTimeout } from '../../support/machine.ts'

/** Longer than two intervals of heartbeats, and of coverage reports that no heartbeat confirms. */
const QUIET_MS = 25_000
const waitOptions = { timeout: scaleTimeout(100_000), interval: 200 }

test(
  'a real bridge without motion neither wakes its object nor writes rows, and the timeline stays current',
  { timeout: scaleTimeout(150_000) },
  async () => {
    vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    const neighborhood = await openNeighborhood({ countsWork: true })
    const dataFolder = await mkdtemp(join(tmpdir(), 'bridge-idle-'))
    const key = Buffer.alloc(32, 5)
    const { id, keyHash, origin } = new TestBridge(neighborhood.a.bridge.origin, 'bridge_idle', key)
    await storeBridge(neighborhood.bindings, id, { key_hash: keyHash, name: 'Idle', homes: ['home_b'] }, Date.now())
    await writeFile(join(dataFolder, 'bridge.key'), JSON.stringify({ bridge_id: id, key: key.toString('base64url') }))
    const bridge = await BridgeProgram.open({
      provider: origin,
      dataFolder,
      virtual: 1,
      scenes: undefined,
      visits: 'none',
    })
    try {
      bridge.start()
      let [since, messageCount, lastMessages, rowsWritten] = [Date.now(), 0, 0, 0]
      await vi.waitUntil(async () => {
        const work = await readBilledWork(neighborhood.stage.provider)
        const newMessages = work.objectRequests['Bridge.webSocketMessage'] ?? 0
        messageCount += newMessages
        rowsWritten += work.rowsWritten['Bridge'] ?? 0
        // The rows of a message may be counted one reading later than the message.
        if (newMessages + lastMessages > 0 || messageCount === 0) [since, rowsWritten] = [Date.now(), 0]
        lastMessages = newMessages
        return Date.now() - since > QUIET_MS
      }, waitOptions)
      // The check of the new connection may store the contact and set one alarm.
      expect(rowsWritten).toBeLessThanOrEqual(2)
      const now = Date.now()
      const [device_id = ''] = bridge.managedCameras.keys()
      const range = { device_ids: [device_id], begin_time: since, end_time: now }
      const { body } = await neighborhood.call(neighborhood.b, timeline, range)
      const [[, until, state]] = body.data.devices[0].runs
      expect(state).toBe('live_only')
      expect(now - until).toBeLessThanOrEqual(QUIET_MS)
    } finally {
      await bridge.stop()
      await neighborhood.close()
      await rm(dataFolder, { recursive: true, force: true })
    }
  },
)
