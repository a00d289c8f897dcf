import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { BridgeMessage } from '../../contract/bridge.ts'
import { addCamera, type AddCamera } from '../../bridge/cameras/cameras.ts'
import { Choices } from '../../bridge/cameras/choices.ts'
import { weriftPeer } from '../../bridge/peers/werift-peer.ts'
import { ProviderClient, ProviderError } from '../../bridge/uplink/provider-client.ts'
import { RecordingQueue } from '../../bridge/recording/queue.ts'
import { RtspCameraUnit } from '../../bridge/cameras/rtsp-cameras.ts'
import { atEnd, patience, switchOn } from '../support/watched-camera.ts'
import { ACTION, STREAM } from './streams.ts'

const LARGE = readFileSync(new URL(`../../scenes/${ACTION.files['720'] ?? ''}`, import.meta.url))

/** A camera of a bridge whose provider is away. */
async function unitOf(camera: AddCamera) {
  const data = await mkdtemp(join(tmpdir(), 'unit-'))
  atEnd(() => rm(data, { recursive: true, force: true }))
  const client = new ProviderClient('http://127.0.0.1:1', { bridgeId: 'b', key: Buffer.alloc(32) })
  const queue = new RecordingQueue(data, () => Promise.reject(new ProviderError(0, 'down')))
  await queue.open()
  const registered: string[] = []
  const changed = ({ camera: { registration } }: RtspCameraUnit) =>
    void registered.push(`${registration.renditions.join('/')} ${registration.audio ? 'with' : 'without'} sound`)
  const choice = new Choices(data).of('RC1')
  const said: BridgeMessage[] = []
  const unit = new RtspCameraUnit(await addCamera(data, camera), 0, {
    ...{ client, queue, choice, changed, createPeer: weriftPeer },
    send: (message) => void said.push(message),
  })
  atEnd(() => queue.stop())
  atEnd(() => unit.stop())
  return { unit, queue, registered, said }
}

test('a camera with a sub-stream and sound is registered with both', async () => {
  const main = await switchOn({ stream: LARGE, sound: 'tone' })
  const sub = await switchOn({ stream: STREAM })
  const { registered } = await unitOf({ url: main.url(), sub: sub.url() })
  await vi.waitUntil(() => registered.at(-1) === '360/720 with sound', patience)
  expect(new Set(registered).size).toBe(2)
})

test('of a camera that sends no keyframe for 30 seconds the owner is told what to change, and sees it with the next one, on the same connection', async () => {
  const camera = await switchOn({ stream: STREAM, withoutKeyframes: 450, speed: 15, sound: 'tone' })
  const begun = performance.now()
  // The clock goes by the times of the pictures: 30 s of them come in two.
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => begun + camera.playedMs)
  atEnd(() => clock.mockRestore())
  const { unit, said } = await unitOf({ url: camera.url() })
  unit.camera.announce()
  const told = () => said.filter((message) => message.type === 'state')
  await vi.waitUntil(() => told().length === 2, patience)
  expect([camera.playedMs > 8000, camera.playedMs < 30_000]).toEqual([true, true])
  await vi.waitUntil(() => told().length === 3, patience)
  expect(camera.playedMs).toBeGreaterThanOrEqual(30_000)
  expect(told().map(({ state, reason }) => [state, reason])).toEqual([
    ['waking', ''],
    [
      'offline',
      'The camera sends pictures, but no keyframe to begin with. Set its keyframe (I-frame) interval to 1 or 2 seconds.',
    ],
    ['awake', ''],
  ])
  expect(unit.camera.source.group()[0]?.keyframe).toBe(true)
  expect(camera.plays).toBe(1)
})

test('while its sub-stream is away motion is found in the main stream, and recorded with its sound', async () => {
  const gone = await switchOn({ stream: STREAM })
  const sub = gone.url()
  await gone.close()
  const main = await switchOn({ stream: STREAM, sound: 'tone' })
  const { unit, queue } = await unitOf({ url: main.url(), sub })
  const said = vi.spyOn(process.stdout, 'write')
  atEnd(() => said.mockRestore())
  const recording = async () => (await readdir(queue.recordingFolder)).length > 0
  await vi.waitUntil(recording, { timeout: 45_000, interval: 100 })
  unit.camera.setPower(false)
  await vi.waitUntil(async () => (await queue.waiting()).length === 1, patience)
  const [name = ''] = await queue.waiting()
  const clip = queue.pathOf(name.replace(/\.json$/, ''), 'mp4')
  const asked = ['-v', 'error', '-show_entries', 'stream=codec_name', '-of', 'csv=p=0', clip]
  expect(spawnSync('ffprobe', asked, { encoding: 'utf8' }).stdout.trim().split('\n')).toEqual(['h264', 'opus'])
  // Taken away in the middle of another one: that is not left open.
  await vi.waitUntil(async () => !(await recording()), patience)
  unit.camera.setPower(true)
  await vi.waitUntil(recording, { timeout: 45_000, interval: 100 })
  unit.stop()
  await vi.waitUntil(async () => (await queue.waiting()).length === 2 && !(await recording()), patience)
  // It was called again and again, and told once.
  expect(said.mock.calls.filter(([line]) => String(line).includes('The sub-stream of'))).toHaveLength(1)
})
