import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { BridgeMessage } from '../../../contract/bridge/bridge-protocol.ts'
import { addCamera, type NewCameraInput } from '../../../bridge/cameras/camera-file.ts'
import { OwnerSettingsStore } from '../../../bridge/cameras/owner-settings.ts'
import { createWeriftPeer } from '../../../bridge/webrtc/werift-peer.ts'
import { ProviderClient, ProviderError } from '../../../bridge/uplink/provider-client.ts'
import { RecordingQueue } from '../../../bridge/recording/recording-queue.ts'
import { ManagedRtspCamera } from '../../../bridge/cameras/rtsp-camera.ts'
import { scaleTimeout } from '../../support/machine.ts'
import { addTestCleanup, CAMERA_WAIT_OPTIONS, startCamera } from '../../support/watched-camera.ts'
import { DRIVEWAY_ACTION, encodeTestPatternStream, ACTION_STREAM } from '../../support/bridge-streams.ts'
import { parseReason } from '../../support/camera-reasons.ts'

const LARGE_STREAM = readFileSync(new URL(`../../../scenes/${DRIVEWAY_ACTION.files['720'] ?? ''}`, import.meta.url))

/** Opens a managed camera of a bridge that cannot reach its provider. */
async function openManagedCamera(camera: NewCameraInput) {
  const dataFolder = await mkdtemp(join(tmpdir(), 'unit-'))
  addTestCleanup(() => rm(dataFolder, { recursive: true, force: true }))
  const client = new ProviderClient('http://127.0.0.1:1', { bridgeId: 'b', key: Buffer.alloc(32) })
  const queue = new RecordingQueue(dataFolder, () => Promise.reject(new ProviderError(0, 'down')))
  await queue.open()
  const registered: string[] = []
  const changed = ({ camera: { registration } }: ManagedRtspCamera) =>
    void registered.push(`${registration.renditions.join('/')} ${registration.audio ? 'with' : 'without'} sound`)
  const choice = new OwnerSettingsStore(dataFolder).get('RC1')
  const messages: BridgeMessage[] = []
  const unit = new ManagedRtspCamera(await addCamera(dataFolder, camera), 0, {
    client,
    queue,
    choice,
    changed,
    createPeer: createWeriftPeer,
    send: (message) => void messages.push(message),
  })
  addTestCleanup(() => queue.stop())
  addTestCleanup(() => unit.stop())
  return { unit, queue, registered, messages }
}

test('registers a camera with both its sub-stream and its audio', async () => {
  const main = await startCamera({ stream: LARGE_STREAM, sound: 'tone' })
  const sub = await startCamera({ stream: ACTION_STREAM })
  const { registered } = await openManagedCamera({ url: main.url(), sub: sub.url() })
  await vi.waitUntil(() => registered.at(-1) === '360/720 with sound', CAMERA_WAIT_OPTIONS)
  expect(new Set(registered).size).toBe(2)
})

test('a bridge never prints or sends camera passwords, right or wrong, or its own key', async () => {
  const printed = vi.spyOn(process.stdout, 'write')
  addTestCleanup(() => printed.mockRestore())
  const credentials = { user: 'me', password: 'right-word' }
  const [main, closedCamera] = [
    await startCamera({ stream: LARGE_STREAM, credentials }),
    await startCamera({ stream: ACTION_STREAM }),
  ]
  const sub = closedCamera.url('me:sub-word')
  await closedCamera.close()
  const right = await openManagedCamera({ url: main.url('me:right-word'), sub })
  const wrong = await openManagedCamera({ url: main.url('me:wrong-word') })
  for (const { unit } of [right, wrong]) unit.camera.announce()
  await vi.waitUntil(
    () => JSON.stringify(wrong.messages).includes('rejected the username or password'),
    CAMERA_WAIT_OPTIONS,
  )
  const lines = () => printed.mock.calls.map(([line]) => String(line)).join('')
  await vi.waitUntil(() => lines().includes('Sub-stream of'), CAMERA_WAIT_OPTIONS)
  const output = lines() + JSON.stringify([right.messages, wrong.messages])
  const key = Buffer.alloc(32)
  const secrets = ['right-word', 'wrong-word', 'sub-word', key.toString('base64url'), key.toString('hex')]
  expect(secrets.filter((secret) => output.includes(secret))).toEqual([])
})

test('reports 30 s without a keyframe and its fix; the next keyframe restores video without reconnecting', async () => {
  const camera = await startCamera({
    stream: ACTION_STREAM,
    keyframelessFrameCount: 450,
    speedFactor: 15,
    sound: 'tone',
  })
  const startedAt = performance.now()
  // The fake clock follows the frame timestamps: 30 s of frames arrive in 2 s.
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => startedAt + camera.playDurationMs)
  addTestCleanup(() => clock.mockRestore())
  const { unit, messages } = await openManagedCamera({ url: camera.url() })
  unit.camera.announce()
  const listStates = () => messages.filter((message) => message.type === 'state')
  await vi.waitUntil(() => listStates().length === 2, CAMERA_WAIT_OPTIONS)
  expect([camera.playDurationMs > 8000, camera.playDurationMs < 30_000]).toEqual([true, true])
  await vi.waitUntil(() => listStates().length === 3, CAMERA_WAIT_OPTIONS)
  expect(camera.playDurationMs).toBeGreaterThanOrEqual(30_000)
  expect(listStates().map(({ state, reason }) => [state, parseReason(reason)])).toEqual([
    ['waking', ''],
    ['offline', 'no keyframe'],
    ['awake', ''],
  ])
  expect(unit.camera.source.getGop()[0]?.keyframe).toBe(true)
  expect(camera.playCount).toBe(1)
})

test('reports the cost of B-frames to the owner once', async () => {
  const camera = await startCamera({ stream: encodeTestPatternStream('bframes=3') })
  const stdoutSpy = vi.spyOn(process.stdout, 'write')
  addTestCleanup(() => stdoutSpy.mockRestore())
  const { unit } = await openManagedCamera({ url: camera.url() })
  let seen = 0
  unit.camera.source.watch(() => void seen++)
  await vi.waitUntil(() => seen > 20, CAMERA_WAIT_OPTIONS)
  expect(stdoutSpy.mock.calls.filter(([line]) => String(line).includes('sends B-frames'))).toHaveLength(1)
})

test('detects motion in the main stream while the sub-stream is down, and records it with audio', async () => {
  const closedCamera = await startCamera({ stream: ACTION_STREAM })
  const sub = closedCamera.url()
  await closedCamera.close()
  const main = await startCamera({ stream: ACTION_STREAM, sound: 'tone' })
  const { unit, queue } = await openManagedCamera({ url: main.url(), sub })
  const stdoutSpy = vi.spyOn(process.stdout, 'write')
  addTestCleanup(() => stdoutSpy.mockRestore())
  const recording = async () => (await readdir(queue.recordingFolder)).length > 0
  await vi.waitUntil(recording, { timeout: scaleTimeout(45_000), interval: 100 })
  unit.camera.setPower(false)
  await vi.waitUntil(async () => (await queue.listWaiting()).length === 1, CAMERA_WAIT_OPTIONS)
  const [name = ''] = await queue.listWaiting()
  const clip = queue.getFilePath(name.replace(/\.json$/, ''), 'mp4')
  const args = ['-v', 'error', '-show_entries', 'stream=codec_name', '-of', 'csv=p=0', clip]
  expect(spawnSync('ffprobe', args, { encoding: 'utf8' }).stdout.trim().split('\n')).toEqual(['h264', 'opus'])
  // Stopping the camera during a recording closes the recording's file and queues the clip.
  await vi.waitUntil(async () => !(await recording()), CAMERA_WAIT_OPTIONS)
  unit.camera.setPower(true)
  await vi.waitUntil(recording, { timeout: scaleTimeout(45_000), interval: 100 })
  unit.stop()
  await vi.waitUntil(async () => (await queue.listWaiting()).length === 2 && !(await recording()), CAMERA_WAIT_OPTIONS)
  // The camera retried the sub-stream repeatedly, but logged the failure once.
  expect(stdoutSpy.mock.calls.filter(([line]) => String(line).includes('Sub-stream of'))).toHaveLength(1)
})
