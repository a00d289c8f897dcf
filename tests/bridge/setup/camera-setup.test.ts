import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CameraSetup, type CameraSetupParts } from '../../../bridge/setup/camera-setup.ts'
import { RequestNonces } from '../../../bridge/setup/request-nonces.ts'
import { addCamera, readCameras } from '../../../bridge/cameras/camera-file.ts'
import type { CameraAnswer } from '../../../contract/cameras/camera-setup.ts'
import type { BridgeMessage } from '../../../contract/bridge/bridge-protocol.ts'
import { computeFingerprint } from '../../../contract/bridge/sealed-channel.ts'
import { openCameraAnswers, sealForBridge } from '../../support/camera-setup-channel.ts'
import { OnvifCamera } from '../../support/onvif-camera.ts'
import { RtspServer, type RtspServerOptions } from '../../support/rtsp-server.ts'
import { ACTION_STREAM } from '../../support/bridge-streams.ts'

const CANARY_PASSWORD = 'canary-Pass/w0rd?'
const cleanups: (() => unknown)[] = []
let dataFolder: string
let output: string
beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'adding-'))
  cleanups.push(() => rm(dataFolder, { recursive: true }))
  output = ''
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((output += String(text)), true))
  cleanups.push(() => spy.mockRestore())
})
afterEach(async () => {
  for (const end of cleanups.splice(0).reverse()) await end()
})

async function startCamera(options: Partial<RtspServerOptions> = {}): Promise<RtspServer> {
  const server = await RtspServer.start({ stream: ACTION_STREAM, ...options })
  cleanups.push(() => server.close())
  return server
}

async function openCameraSetup(overrides: Partial<CameraSetupParts> = {}) {
  const sent: BridgeMessage[] = []
  const cameraSetup = await CameraSetup.open(dataFolder, {
    bridgeId: 'bridge_1',
    servesHome: (home) => home === 'home_1',
    send: (message) => sent.push(message),
    add: async (camera) => (await addCamera(dataFolder, { ...camera, firstHome: 'home_1' })).device_id,
    find: () => Promise.reject(new Error('There is no camera.')),
    change: () => Promise.reject(new Error('There is no camera.')),
    ...overrides,
  })
  const requestKeyAndNonce = () => {
    cameraSetup.sendSealingKey('door_ask')
    const answer = sent.pop()
    if (answer?.type !== 'door') throw new Error('The bridge sent no key and nonce.')
    return { bridge_id: 'bridge_1', home_id: 'home_1', key: answer.key, nonce: answer.nonce }
  }
  const sendSealed = async (message: unknown, keyAndNonce = requestKeyAndNonce()): Promise<CameraAnswer[]> => {
    const { sealed, channel } = await sealForBridge(keyAndNonce, message)
    const before = sent.length
    await cameraSetup.handleRequest({ type: 'sealed', ask_id: 'ask_1', home_id: 'home_1', sealed })
    const sealedAnswers = sent.slice(before).flatMap((reply) => (reply.type === 'answer' ? [reply.box] : []))
    return openCameraAnswers(channel, sealedAnswers)
  }
  return { cameraSetup, sent, requestKeyAndNonce, sendSealed }
}

const toCheckFields = (server: RtspServer, user = '', password = '') => ({ address: server.url(), user, password })
const findLastStep = (answers: readonly CameraAnswer[], step: string) =>
  answers.findLast((answer) => answer.answer === 'step' && answer.step === step)

describe('camera check', () => {
  test('reports the four steps of a working camera in order with its image, and logs nothing of its address', async () => {
    const server = await startCamera({ sound: 'tone', credentials: { user: 'viewer', password: CANARY_PASSWORD } })
    const { sendSealed, sent } = await openCameraSetup()
    const answers = await sendSealed({ ask: 'check', ...toCheckFields(server, 'viewer', CANARY_PASSWORD) })
    const done = answers.flatMap((answer) => (answer.answer === 'step' && answer.state === 'done' ? [answer.step] : []))
    expect(done).toEqual(['reachable', 'signed_in', 'picture', 'sound'])
    expect(findLastStep(answers, 'signed_in')).toMatchObject({ words: 'Logged in as viewer' })
    expect(findLastStep(answers, 'picture')).toMatchObject({
      words: expect.stringMatching(/^640 × 360, 1\d fps$/),
    })
    expect(findLastStep(answers, 'sound')).toMatchObject({ words: 'Microphone works' })
    const picture = answers.find((answer) => answer.answer === 'picture')
    expect(
      Buffer.from(picture?.jpeg ?? '', 'base64')
        .subarray(0, 2)
        .toString('hex'),
    ).toBe('ffd8')
    expect(answers.at(-1)).toEqual({ answer: 'over', words: '' })
    expect(`${output}${JSON.stringify(sent)}`).not.toMatch(/canary|127\.0\.0\.1|viewer/)
  })

  test('tries a wrong password once, says what to do and starts no later step', async () => {
    const server = await startCamera({ credentials: { user: 'viewer', password: 'right' } })
    const { sendSealed } = await openCameraSetup()
    const answers = await sendSealed({ ask: 'check', ...toCheckFields(server, 'viewer', CANARY_PASSWORD) })
    expect(findLastStep(answers, 'signed_in')).toMatchObject({
      state: 'failed',
      words: expect.stringMatching(/rejected/i) as unknown,
    })
    expect(findLastStep(answers, 'picture')).toBeUndefined()
    expect(server.requests.filter((line) => line.includes('with credentials')).length).toBeLessThanOrEqual(2)
    expect(output).not.toContain('canary')
  })

  test('reports that a camera needs a password, and that a port is closed', async () => {
    const server = await startCamera({ credentials: { user: 'viewer', password: 'right' } })
    const { sendSealed } = await openCameraSetup()
    expect(findLastStep(await sendSealed({ ask: 'check', ...toCheckFields(server) }), 'signed_in')).toMatchObject({
      words: expect.stringMatching(/^(?!.*rejected).*password/i) as unknown,
    })
    const closedPortFields = toCheckFields(server)
    await server.close()
    expect(findLastStep(await sendSealed({ ask: 'check', ...closedPortFields }), 'reachable')).toMatchObject({
      state: 'failed',
      words: expect.stringMatching(/\bclosed\b.*\bRTSP\b/),
    })
  })

  test('names an unknown authentication scheme and does not blame the password', async () => {
    const server = await startCamera({
      credentials: { user: 'me', password: 'right', digest: [{ algorithm: 'SHA-512' }] },
    })
    const { sendSealed } = await openCameraSetup()
    const answers = await sendSealed({ ask: 'check', ...toCheckFields(server, 'me', 'right') })
    expect(findLastStep(answers, 'signed_in')).toMatchObject({
      state: 'failed',
      words: expect.stringMatching(/^(?!.*(?:refused|password)).*SHA-512.*Digest/i) as unknown,
    })
    expect(findLastStep(answers, 'picture')).toBeUndefined()
  })

  test('shows what a camera address looks like if the input is not one', async () => {
    const { sendSealed } = await openCameraSetup()
    const answers = await sendSealed({ ask: 'check', address: 'http://10.0.0.1/', user: 'a', password: 'b' })
    expect(answers).toEqual([
      { answer: 'over', words: expect.stringContaining('Enter an address like rtsp://192.168.1.20:554/stream1') },
    ])
  })
})

describe('network discovery', () => {
  const startDiscoverableCamera = async (user?: { name: string; password: string }) => {
    const found = await OnvifCamera.start(user ? { user } : {})
    cleanups.push(() => found.close())
    return { to: found.probeAddress, from: ['127.0.0.1'], waitMs: 300 }
  }

  test('finds a camera with the address of its main stream', async () => {
    const { sendSealed } = await openCameraSetup({ probe: await startDiscoverableCamera() })
    const [found] = await sendSealed({ ask: 'discover' })
    const address = 'rtsp://127.0.0.1:554/live?a=1&sub=0'
    const cameras = [{ host: '127.0.0.1', name: 'Front Door', address, asks_for_user: false, brand: '' }]
    expect(found).toEqual({ answer: 'found', cameras, words: '' })
  })

  test('reports that a camera needs a user, and why nothing was found', async () => {
    const { sendSealed } = await openCameraSetup({
      probe: await startDiscoverableCamera({ name: 'me', password: 'x' }),
    })
    expect((await sendSealed({ ask: 'discover' }))[0]).toMatchObject({
      cameras: [{ address: null, asks_for_user: true }],
    })
    const setupWithoutNetworks = await openCameraSetup({ probe: { from: [] } })
    expect((await setupWithoutNetworks.sendSealed({ ask: 'discover' }))[0]).toEqual({
      answer: 'found',
      cameras: [],
      words: expect.stringMatching(/\bnetwork\b/) as unknown,
    })
  })
})

describe('adding a camera', () => {
  test('persists the camera and its password across restarts, readable only by the folder owner', async () => {
    const { sendSealed } = await openCameraSetup()
    const address = 'rtsp://10.0.0.9:554/stream1'
    const answers = await sendSealed({
      ask: 'add',
      address,
      user: 'viewer',
      password: CANARY_PASSWORD,
      name: ' Front door ',
    })
    const { cameras } = await readCameras(dataFolder)
    expect(cameras).toHaveLength(1)
    expect(cameras[0]).toMatchObject({ name: 'Front door', home: 'home_1' })
    expect(new URL(cameras[0]?.url ?? '').password).toBe(encodeURIComponent(CANARY_PASSWORD))
    expect(answers[0]).toEqual({ answer: 'added', device_id: cameras[0]?.device_id })
    expect((await stat(join(dataFolder, 'cameras.json'))).mode & 0o077).toBe(0)
    expect(output).not.toContain('canary')
  })

  test('stores the sub-stream with the same login, and removes it on request', async () => {
    const { sendSealed } = await openCameraSetup()
    const camera = { address: 'rtsp://10.0.0.9:554/stream1', user: 'viewer', password: 'a/b', name: 'Front door' }
    const sub = 'rtsp://10.0.0.9:554/stream2'
    await sendSealed({ ask: 'add', ...camera, sub })
    expect((await readCameras(dataFolder)).cameras).toMatchObject([{ sub: 'rtsp://viewer:a%2Fb@10.0.0.9:554/stream2' }])
    await sendSealed({ ask: 'add', ...camera })
    expect((await readCameras(dataFolder)).cameras).toMatchObject([{ sub: expect.stringContaining('stream2') }])
    await sendSealed({ ask: 'add', ...camera, sub: '' })
    const { cameras } = await readCameras(dataFolder)
    expect([cameras.length, cameras[0]?.sub]).toEqual([1, undefined])
  })

  test('treats the same address in another home as another camera and leaves that camera unchanged', async () => {
    const url = 'rtsp://10.0.0.9/stream1'
    const otherHomeCamera = await addCamera(dataFolder, { url, home: 'home_2', name: 'Theirs' })
    const { sendSealed } = await openCameraSetup()
    await sendSealed({ ask: 'add', address: url, user: '', password: '', name: 'Mine' })
    await sendSealed({ ask: 'add', address: url, user: 'me', password: 'new', name: 'Mine again' })
    const { cameras } = await readCameras(dataFolder)
    expect(cameras.map(({ name, home }) => [name, home])).toEqual([
      ['Theirs', 'home_2'],
      ['Mine again', 'home_1'],
    ])
    expect(cameras[0]).toEqual(otherHomeCamera)
    expect(cameras[1]?.device_id).not.toBe(otherHomeCamera.device_id)
  })
})

describe('sealed request', () => {
  const discover = { ask: 'discover' }

  test('is opened only once: a replay or a request with an unissued nonce is ignored', async () => {
    const { cameraSetup, sent, requestKeyAndNonce } = await openCameraSetup({ probe: { from: [] } })
    const { sealed } = await sealForBridge(requestKeyAndNonce(), discover)
    const send = () => cameraSetup.handleRequest({ type: 'sealed', ask_id: 'ask_1', home_id: 'home_1', sealed })
    await send()
    const answerCount = sent.length
    expect(answerCount).toBeGreaterThan(0)
    await send()
    const unissuedNonceRequest = await sealForBridge({ ...requestKeyAndNonce(), nonce: 'A'.repeat(22) }, discover)
    await cameraSetup.handleRequest({
      type: 'sealed',
      ask_id: 'ask_2',
      home_id: 'home_1',
      sealed: unissuedNonceRequest.sealed,
    })
    expect(sent).toHaveLength(answerCount)
    expect(output).toContain('was already used, or is for another home')
  })

  test('does not open if it is for another bridge or home, was altered, or uses another key', async () => {
    const { cameraSetup, sent, requestKeyAndNonce } = await openCameraSetup({ servesHome: () => true })
    const { sealed: validRequest } = await sealForBridge(requestKeyAndNonce(), discover)
    const alteredRequest = { ...validRequest, box: `${validRequest.box.slice(0, -4)}AAAA` }
    const otherBridgeRequest = (await sealForBridge({ ...requestKeyAndNonce(), bridge_id: 'bridge_2' }, discover))
      .sealed
    const otherHomeRequest = (await sealForBridge({ ...requestKeyAndNonce(), home_id: 'home_2' }, discover)).sealed
    for (const sealed of [alteredRequest, otherBridgeRequest, otherHomeRequest])
      await cameraSetup.handleRequest({ type: 'sealed', ask_id: 'ask_1', home_id: 'home_1', sealed })
    expect(sent).toEqual([])
    expect(output.match(/couldn't be decrypted/g)).toHaveLength(3)
  })

  test('may contain only messages of the contract', async () => {
    const { sendSealed } = await openCameraSetup()
    expect(await sendSealed({ ask: 'delete everything' })).toEqual([])
  })

  test('is ignored for a home that the bridge does not serve', async () => {
    const { cameraSetup, sent, requestKeyAndNonce } = await openCameraSetup({ servesHome: () => false })
    const { sealed } = await sealForBridge(requestKeyAndNonce(), discover)
    await cameraSetup.handleRequest({ type: 'sealed', ask_id: 'ask_1', home_id: 'home_1', sealed })
    expect(sent).toEqual([])
  })

  test('nonces expire after two minutes, and the oldest is discarded when there are too many', () => {
    let now = 0
    const nonces = new RequestNonces(() => now)
    const [first, second] = [nonces.create(), nonces.create()]
    now = 119_999
    expect(nonces.consume(first)).toBe(true)
    now = 120_000
    expect(nonces.consume(second)).toBe(false)
    const oldest = nonces.create()
    const many = Array.from({ length: 64 }, () => nonces.create())
    expect([nonces.consume(oldest), nonces.consume(many[0] ?? '')]).toEqual([false, true])
  })
})

describe('sealing key', () => {
  test('is created once, is readable only by its owner, and its fingerprint is printed at every start', async () => {
    const { requestKeyAndNonce } = await openCameraSetup()
    const fingerprint = await computeFingerprint(requestKeyAndNonce().key)
    expect(fingerprint).toMatch(/^([0-9A-F]{4} ){3}[0-9A-F]{4}$/)
    expect((await stat(join(dataFolder, 'sealing.key'))).mode & 0o077).toBe(0)
    const again = await openCameraSetup()
    expect(again.requestKeyAndNonce().key).toBe(requestKeyAndNonce().key)
    expect(output.split(`This hub's fingerprint code: ${fingerprint}`)).toHaveLength(3)
    expect(output).not.toContain(JSON.parse(await readFile(join(dataFolder, 'sealing.key'), 'utf8')).d)
  })
})
