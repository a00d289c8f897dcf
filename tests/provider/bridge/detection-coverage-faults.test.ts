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
import { STREAM } from '../../support/bridge-streams.ts'
import { openFaultProxy, type FaultProxy } from '../../support/fault-proxy.ts'
import { openNeighborhood, type Neighborhood } from '../../support/home.ts'
import { scaled } from '../../support/machine.ts'
import { RtspServer } from '../../support/rtsp-server.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const waitFor = { timeout: scaled(60_000), interval: 100 }
const key = randomBytes(32)

let town: Neighborhood
let proxy: FaultProxy
let camera: RtspServer
let bridge: ChildProcess
let device = ''
let data = ''
let began = 0

/**
 * Starts a real bridge with one camera that sees motion repeatedly. The provider gets no events yet, because a proxy
 * resets their requests.
 */
beforeAll(async () => {
  town = await openNeighborhood()
  proxy = await openFaultProxy()
  proxy.forwardTo(town.stage.env.PROVIDER_ORIGIN)
  proxy.fail('/bridge/v1/events', { kind: 'reset' })
  const key_hash = createHash('sha256').update(key).digest('hex')
  await storeBridge(town.bindings, 'br_watch', { key_hash, name: 'Watch', homes: ['home_b'] }, Date.now())
  data = mkdtempSync(join(tmpdir(), 'bridge-watched-'))
  writeFileSync(join(data, 'bridge.key'), JSON.stringify({ bridge_id: 'br_watch', key: key.toString('base64url') }))
  camera = await RtspServer.start({ stream: STREAM })
  device = (await addCamera(data, { url: camera.url() })).device_id
  began = Date.now()
  const args = ['bridge/main.ts', '--provider', proxy.origin, '--data', data, '--no-virtual']
  bridge = spawn(process.execPath, args, { cwd: root, stdio: 'ignore' })
})
afterAll(async () => {
  if (bridge.exitCode === null && bridge.signalCode === null) {
    bridge.kill('SIGKILL')
    await once(bridge, 'exit')
  }
  await camera.close()
  await proxy.close()
  await town.close()
  rmSync(data, { recursive: true, force: true })
})

/** Every run that the timeline ever reported as without motion. */
const claimed: TimelineRun[] = []
async function readTimeline(): Promise<TimelineRun[]> {
  const query = { device_ids: [device], begin_time: began, end_time: Date.now() }
  const answer = await town.call(town.b, timeline, query)
  if (answer.status !== 200) return []
  const runs = answer.body.data.devices[0].runs as TimelineRun[]
  claimed.push(...runs.filter(([, , , reason]) => reason.includes('nothing moved')))
  return runs
}
const until = (fits: (run: TimelineRun) => boolean) =>
  vi.waitUntil(async () => (await readTimeline()).find(fits), waitFor)
const waits = ([, , state, reason]: TimelineRun) =>
  state === 'not_indexed' && reason.includes('waits in the box at home')

test('the timeline never shows a waiting recording as no motion, from first second until playback', async () => {
  await until(waits)
  // The lost camera connection ends the recording. The bridge cannot deliver the event of the recording yet.
  camera.drop()
  await vi.waitUntil(async () => (await readTimeline()) && proxy.count('/bridge/v1/events') > 1, waitFor)
  await until(waits)
  proxy.heal()
  await until(([, , state]) => state === 'recorded')
  const recorded = (await readTimeline()).filter(([, , state]) => state === 'recorded')
  const overlap = claimed.filter(([from, to]) => recorded.some(([begin, end]) => from < end && begin < to))
  expect(overlap).toEqual([])
})

test('the timeline shows a coverage gap while the bridge process was suspended', async () => {
  const { present } = (await vi.waitUntil(
    async () => (await town.bindings.BRIDGES.getByName('br_watch').watched([device]))[0],
    waitFor,
  )) as unknown as { present: [number, number, string] }
  expect(present[2]).toBe('watched')
  bridge.kill('SIGSTOP')
  const stopped = Date.now()
  const played = camera.playedMs
  await vi.waitUntil(() => camera.playedMs - played > 8000, waitFor)
  bridge.kill('SIGCONT')
  const [from, to] = await until(
    ([from, to, state, reason]) => state === 'not_watched' && reason.includes('nobody looked') && to - from > 5000,
  )
  expect(from).toBeLessThan(stopped + scaled(3000))
  expect(to).toBeGreaterThan(stopped + 5000)
})
