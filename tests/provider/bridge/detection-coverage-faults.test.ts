import { spawn, type ChildProcess } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addCamera } from '../../../bridge/cameras/camera-file.ts'
import { timeline, type TimelineRun } from '../../../contract/events/timeline.ts'
import { storeBridge } from '../../../provider/bridge/enroll-bridge.ts'
import { ACTION_STREAM } from '../../support/bridge-streams.ts'
import { openFaultProxy, type FaultProxy } from '../../support/fault-proxy.ts'
import { openNeighborhood, type Neighborhood } from '../../support/home.ts'
import { scaleTimeout } from '../../support/machine.ts'
import { RtspServer } from '../../support/rtsp-server.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const waitOptions = { timeout: scaleTimeout(60_000), interval: 100 }
const key = randomBytes(32)

let neighborhood: Neighborhood
let proxy: FaultProxy
let camera: RtspServer
let bridge: ChildProcess
let deviceId = ''
let dataFolder = ''
let startedAt = 0

/**
 * Starts a real bridge with one camera that sees motion repeatedly. A proxy resets the bridge's event requests, so the
 * provider gets no events yet.
 */
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  proxy = await openFaultProxy()
  proxy.forwardTo(neighborhood.stage.env.PROVIDER_ORIGIN)
  proxy.fail('/bridge/v1/events', { kind: 'reset' })
  const key_hash = createHash('sha256').update(key).digest('hex')
  await storeBridge(neighborhood.bindings, 'br_watch', { key_hash, name: 'Watch', homes: ['home_b'] }, Date.now())
  dataFolder = mkdtempSync(join(tmpdir(), 'bridge-watched-'))
  writeFileSync(
    join(dataFolder, 'bridge.key'),
    JSON.stringify({ bridge_id: 'br_watch', key: key.toString('base64url') }),
  )
  camera = await RtspServer.start({ stream: ACTION_STREAM })
  deviceId = (await addCamera(dataFolder, { url: camera.url() })).device_id
  startedAt = Date.now()
  const args = ['bridge/main.ts', '--provider', proxy.origin, '--data', dataFolder, '--no-virtual']
  bridge = spawn(process.execPath, args, { cwd: root, stdio: 'ignore' })
})
afterAll(async () => {
  if (bridge.exitCode === null && bridge.signalCode === null) {
    bridge.kill('SIGKILL')
    await once(bridge, 'exit')
  }
  await camera.close()
  await proxy.close()
  await neighborhood.close()
  rmSync(dataFolder, { recursive: true, force: true })
})

/** All runs that the timeline has reported as "no motion" so far. */
const noMotionRuns: TimelineRun[] = []
async function readTimeline(): Promise<TimelineRun[]> {
  const query = { device_ids: [deviceId], begin_time: startedAt, end_time: Date.now() }
  const answer = await neighborhood.call(neighborhood.b, timeline, query)
  if (answer.status !== 200) return []
  const runs = answer.body.data.devices[0].runs as TimelineRun[]
  noMotionRuns.push(...runs.filter(([, , , reason]) => reason.includes('nothing moved')))
  return runs
}
const waitForRun = (matches: (run: TimelineRun) => boolean) =>
  vi.waitUntil(async () => (await readTimeline()).find(matches), waitOptions)
const isWaiting = ([, , state, reason]: TimelineRun) => state === 'not_indexed' && reason.includes('waiting to upload')

test('the timeline never shows a waiting recording as no motion, from first second until playback', async () => {
  await waitForRun(isWaiting)
  // The lost camera connection ends the recording. The bridge cannot deliver the event of the recording yet.
  camera.closeConnections()
  await vi.waitUntil(async () => (await readTimeline()) && proxy.count('/bridge/v1/events') > 1, waitOptions)
  await waitForRun(isWaiting)
  proxy.clearFaults()
  await waitForRun(([, , state]) => state === 'recorded')
  const recorded = (await readTimeline()).filter(([, , state]) => state === 'recorded')
  const overlap = noMotionRuns.filter(([from, to]) => recorded.some(([begin, end]) => from < end && begin < to))
  expect(overlap).toEqual([])
})

test('the timeline shows a coverage gap while the bridge process was suspended', async () => {
  const { present } = (await vi.waitUntil(
    async () => (await neighborhood.bindings.BRIDGES.getByName('br_watch').getDetectionCoverage([deviceId]))[0],
    waitOptions,
  )) as unknown as { present: [number, number, string] }
  expect(present[2]).toBe('watched')
  bridge.kill('SIGSTOP')
  const stopped = Date.now()
  const played = camera.playDurationMs
  await vi.waitUntil(() => camera.playDurationMs - played > 8000, waitOptions)
  bridge.kill('SIGCONT')
  const [from, to] = await waitForRun(
    ([from, to, state, reason]) => state === 'not_watched' && reason.includes('wasn’t monitored') && to - from > 5000,
  )
  expect(from).toBeLessThan(stopped + scaleTimeout(3000))
  expect(to).toBeGreaterThan(stopped + 5000)
})
