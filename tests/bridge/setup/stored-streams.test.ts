import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { addCamera, changeCameraStreams, readCameras, type RtspCamera } from '../../../bridge/cameras/camera-file.ts'
import { CameraSetup } from '../../../bridge/setup/camera-setup.ts'
import { createSetupActions } from '../../../bridge/setup/register-camera.ts'
import type { BridgeMessage } from '../../../contract/bridge/bridge-protocol.ts'
import type { CameraAnswer } from '../../../contract/cameras/camera-setup.ts'
import { ACTION_STREAM } from '../../support/bridge-streams.ts'
import { openCameraAnswers, sealForBridge } from '../../support/camera-setup-channel.ts'
import { RtspServer } from '../../support/rtsp-server.ts'

const PASSWORD = 'canary-Pass/w0rd?'
const cleanups: (() => unknown)[] = []
let dataFolder: string
let started: RtspCamera[]
beforeEach(async () => {
  started = []
  dataFolder = await mkdtemp(join(tmpdir(), 'streams-'))
  cleanups.push(() => rm(dataFolder, { recursive: true }))
  const spy = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  cleanups.push(() => spy.mockRestore())
})
afterEach(async () => {
  for (const end of cleanups.splice(0).reverse()) await end()
})

async function openCameraSetup() {
  const sent: BridgeMessage[] = []
  const activation = {
    data: dataFolder,
    homes: () => [{ home_id: 'home_1' }],
    open: (camera: RtspCamera) => void started.push(camera),
    register: async (id: string) => id,
  }
  const cameraSetup = await CameraSetup.open(dataFolder, {
    bridgeId: 'bridge_1',
    servesHome: () => true,
    send: (message) => sent.push(message),
    ...createSetupActions(activation),
  })
  return async (message: object, home_id = 'home_1'): Promise<CameraAnswer[]> => {
    cameraSetup.sendSealingKey('door_ask')
    const door = sent.pop()
    if (door?.type !== 'door') throw new Error('The bridge sent no key and nonce.')
    const { key, nonce } = door
    const { sealed, channel } = await sealForBridge({ bridge_id: 'bridge_1', home_id, key, nonce }, message)
    const before = sent.length
    await cameraSetup.handleRequest({ type: 'sealed', ask_id: 'ask_1', home_id, sealed })
    const boxes = sent.slice(before).flatMap((reply) => (reply.type === 'answer' ? [reply.box] : []))
    return openCameraAnswers(channel, boxes)
  }
}

const NO_LOGIN = { user: '', password: '' }
const LOGIN = `viewer:${encodeURIComponent(PASSWORD)}`

async function startCamera(): Promise<RtspServer> {
  const credentials = { user: 'viewer', password: PASSWORD }
  const server = await RtspServer.start({ stream: ACTION_STREAM, credentials })
  cleanups.push(() => server.close())
  return server
}

describe('the streams of a stored camera', () => {
  test('are shown without the login, only in the home of the camera', async () => {
    const url = `rtsp://${LOGIN}@10.0.0.9:554/stream1`
    const { device_id } = await addCamera(dataFolder, { url, sub: url.replace('stream1', 'stream2'), home: 'home_1' })
    const send = await openCameraSetup()
    const [stored] = await send({ ask: 'streams', device_id })
    expect(stored).toEqual({
      answer: 'stored',
      main: 'rtsp://10.0.0.9:554/stream1',
      sub: 'rtsp://10.0.0.9:554/stream2',
    })
    for (const answers of [
      await send({ ask: 'streams', device_id }, 'home_2'),
      await send({ ask: 'streams', device_id: 'RC0' }),
    ])
      expect(answers).toEqual([{ answer: 'over', words: expect.stringContaining('Add it again') as string }])
  })

  test('are checked with the stored login, and changed without changing id, name and home', async () => {
    const server = await startCamera()
    const before = await addCamera(dataFolder, { url: server.url(LOGIN), name: 'Yard', home: 'home_1' })
    const send = await openCameraSetup()
    const [address, sub] = [server.url().replace('stream1', 'other'), server.url().replace('stream1', 'small')]
    const request = { address, sub, ...NO_LOGIN, device_id: before.device_id }
    const answers = await send({ ask: 'check', brand: '', ...request })
    expect(answers).toContainEqual(expect.objectContaining({ step: 'picture', state: 'done' }))
    expect((await readCameras(dataFolder)).cameras).toEqual([before])

    expect((await send({ ask: 'change', ...request }))[0]).toEqual({ answer: 'stored', main: address, sub })
    const withLogin = (url: string) => url.replace('rtsp://', `rtsp://${LOGIN}@`)
    const after = { ...before, url: withLogin(address), sub: withLogin(sub) }
    expect((await readCameras(dataFolder)).cameras).toEqual([after])
    expect(started).toEqual([after])
    await send({ ask: 'change', ...request, sub: '', user: 'new', password: 'x' })
    expect((await readCameras(dataFolder)).cameras).toEqual([{ ...before, url: address.replace('//', '//new:x@') }])
  })

  test('never take the stored login to another device', async () => {
    const server = await startCamera()
    const { device_id } = await addCamera(dataFolder, { url: `rtsp://${LOGIN}@10.0.0.9/stream1`, home: 'home_1' })
    const send = await openCameraSetup()
    const answers = await send({ ask: 'check', brand: '', address: server.url(), ...NO_LOGIN, device_id })
    expect(answers).toContainEqual(expect.objectContaining({ step: 'signed_in', state: 'failed' }))
    expect(server.requests.filter((line) => line.includes('with credentials'))).toEqual([])
    const main = 'rtsp://10.0.0.9/stream1'
    expect(await send({ ask: 'change', address: main, sub: server.url(), ...NO_LOGIN, device_id })).toEqual([
      { answer: 'over', words: expect.stringContaining('another device') as string },
    ])
    await send({ ask: 'change', address: server.url(), ...NO_LOGIN, device_id })
    expect((await readCameras(dataFolder)).cameras).toMatchObject([{ url: server.url() }])
  })

  test('stay as they are if the new address is invalid or belongs to another camera of the home', async () => {
    const first = await addCamera(dataFolder, { url: 'rtsp://10.0.0.9/stream1', home: 'home_1' })
    const second = await addCamera(dataFolder, { url: 'rtsp://10.0.0.9/stream2', home: 'home_1' })
    for (const url of ['http://10.0.0.9/', 'rtsp://me:x@10.0.0.9/stream2'])
      await expect(changeCameraStreams(dataFolder, first.device_id, { url, sub: '' })).rejects.toThrow(/address/)
    expect((await readCameras(dataFolder)).cameras).toEqual([first, second])
  })
})
