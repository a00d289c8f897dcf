import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createSealingContext, type CameraRequest, type SealedRequest } from '../../../contract/cameras/camera-setup.ts'
import { openChannelToPage, encodeBytes } from '../../../contract/bridge/sealed-channel.ts'
import {
  $cameraChecks,
  addCheckedCamera,
  changeStreams,
  checkCamera,
  closeCheck,
} from '../../../src/stores/add-camera/camera-checks.ts'
import {
  $storedStreams,
  changeStoredStreams,
  closeStoredStreams,
  loadStoredStreams,
} from '../../../src/stores/add-camera/stored-streams.ts'
import { $sealingKeyState } from '../../../src/stores/add-camera/sealing-key.ts'
import { $cameraDiscovery, requestCameraDiscovery } from '../../../src/stores/add-camera/discovered-cameras.ts'
import { stubApiResponses } from '../../support/client.ts'

/** Sealing key of the right length that is not a point on the curve. */
const UNUSABLE_KEY = 'A'.repeat(87)

afterEach(() => $cameraChecks.set([]))

describe('a bridge with an unusable sealing key', () => {
  beforeEach(() => {
    const open = { state: 'open', bridge_id: 'bridge_1', home_id: 'home_1', name: 'Box', nonce: 'n'.repeat(22) }
    stubApiResponses({ 'camera-door': { code: 200, data: { ...open, key: UNUSABLE_KEY } } })
  })

  test('is reported by setup note, camera check and network discovery, and all of them stop', async () => {
    await Promise.all([
      checkCamera({ address: 'rtsp://192.168.1.40/', user: '', password: '' }),
      requestCameraDiscovery(),
    ])
    const sealingKey = $sealingKeyState.get()
    const words = sealingKey.state === 'failed' ? sealingKey.text : ''
    expect(words).not.toBe('')
    expect($cameraChecks.get()).toMatchObject([{ state: 'bad', words }])
    expect($cameraDiscovery.get()).toMatchObject({ state: 'done', cameras: [], words })
  })
})

/** Key pair of the fake bridge. All tests share it, because the page caches the key of a bridge. */
const bridgeKeyPair = crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, false, ['deriveBits'])

/**
 * Fakes a bridge with the key `bridgeKeyPair` and a camera that delivers frames and can be added. Each read returns at
 * most `maxAnswersPerRead` answers.
 */
async function fakeBridge(
  maxAnswersPerRead = Infinity,
  stepTexts: readonly string[] = [''],
  { requests = [], answers = [] }: { requests?: CameraRequest[]; answers?: readonly unknown[] } = {},
) {
  const pair = await bridgeKeyPair
  const key = encodeBytes(new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey)))
  const sealingKey = { bridge_id: 'bridge_1', home_id: 'home_1', name: 'Box', key, nonce: 'n'.repeat(22) }
  const parties = {
    bridgeKey: key,
    nonce: sealingKey.nonce,
    context: createSealingContext(sealingKey.bridge_id, sealingKey.home_id),
  }
  let sealedAnswers: string[] = []
  return {
    'camera-door': { code: 200, data: { state: 'open', ...sealingKey } },
    'camera-ask': async ({ sealed }: { sealed: SealedRequest }) => {
      const channel = await openChannelToPage(pair.privateKey, parties, sealed.page_key)
      const cameraRequest = (await channel.open(sealed.box)) as CameraRequest
      const { ask } = cameraRequest
      requests.push(cameraRequest)
      const steps = stepTexts.map((text) => ({ answer: 'step', step: 'picture', state: 'done', ms: 120, words: text }))
      const messages = [
        ...(ask === 'add' ? [{ answer: 'added', device_id: 'camera_1' }] : []),
        ...(ask === 'streams' ? [{ answer: 'stored', main: 'rtsp://192.168.1.45/1', sub: '' }] : []),
        ...(ask === 'check' || ask === 'discover' ? [...answers, ...steps] : []),
        { answer: 'over', words: '' },
      ]
      sealedAnswers = []
      for (const answer of messages) sealedAnswers.push(await channel.seal(answer))
      return { code: 200, data: { ask_id: 'ask_1' } }
    },
    'camera-answers': ({ after }: { after: number }) => {
      const read = sealedAnswers.slice(after, after + maxAnswersPerRead)
      return { code: 200, data: { boxes: read, over: after + read.length === sealedAnswers.length } }
    },
  }
}

describe('a camera check with many partial results', () => {
  test('is polled to its end while the bridge keeps responding', async () => {
    stubApiResponses(await fakeBridge(1, ['1', '2', '3', '4', '5', '6', '7']))
    await checkCamera({ address: 'rtsp://192.168.1.42/', user: '', password: '' })
    expect($cameraChecks.get()).toMatchObject([{ state: 'good', words: '', steps: { picture: { words: '7' } } }])
  })
})

describe('an added camera', () => {
  test('stays visible with instructions if the camera list fails to load', async () => {
    stubApiResponses(await fakeBridge())
    const camera = { address: 'rtsp://192.168.1.41/', user: '', password: '' }
    await checkCamera(camera)
    expect($cameraChecks.get()).toMatchObject([{ state: 'good' }])
    await addCheckedCamera(camera.address, 'Shed')
    const words: unknown = expect.stringMatching(/./)
    expect($cameraChecks.get()).toMatchObject([{ name: 'Shed', state: 'added', words }])
  })
})

describe('the streams of a camera', () => {
  const createStream = (path: string) => ({
    address: `rtsp://192.168.1.43${path}`,
    width: 640,
    height: 360,
    fps: 0,
    problem: '',
  })
  const found = { answer: 'streams', main: createStream('/1'), sub: createStream('/2'), name: 'Yard', brand: 'tapo' }
  const typed = { address: '192.168.1.43', user: 'me', password: 'x', brand: 'tapo' }

  test('that the hub found are shown, and are added with the camera', async () => {
    const requests: CameraRequest[] = []
    stubApiResponses(await fakeBridge(Infinity, [''], { requests, answers: [found] }))
    await checkCamera(typed)
    expect(requests[0]).toEqual({ ask: 'check', ...typed })
    expect($cameraChecks.get()).toMatchObject([{ address: typed.address, name: 'Yard', brand: 'tapo', state: 'good' }])
    await addCheckedCamera(typed.address, 'Yard')
    expect(requests[1]).toMatchObject({ ask: 'add', address: 'rtsp://192.168.1.43/1', sub: 'rtsp://192.168.1.43/2' })
  })

  test('of a recorder are offered by channel, also after another channel was checked', async () => {
    const channels = [
      { main: 'rtsp://192.168.1.43/1', sub: '' },
      { main: 'rtsp://192.168.1.43/2', sub: '' },
    ]
    stubApiResponses(await fakeBridge(Infinity, [''], { answers: [{ ...found, channels }] }))
    await checkCamera(typed)
    stubApiResponses(await fakeBridge(Infinity, [''], { answers: [found] }))
    changeStreams(typed.address, { main: 'rtsp://192.168.1.43/2', sub: '' })
    await vi.waitFor(() => expect($cameraChecks.get()).toMatchObject([{ state: 'good' }]))
    expect($cameraChecks.get()).toMatchObject([{ channels }])
  })

  test('can be changed, which checks them on the same card', async () => {
    const requests: CameraRequest[] = []
    stubApiResponses(await fakeBridge(Infinity, [''], { requests, answers: [found] }))
    await checkCamera(typed)
    changeStreams(typed.address, { main: 'rtsp://192.168.1.43/9', sub: '' })
    await vi.waitFor(() => expect($cameraChecks.get()).toMatchObject([{ state: 'good', run: expect.any(Number) }]))
    expect(requests[1]).toEqual({ ask: 'check', ...typed, address: 'rtsp://192.168.1.43/9', sub: '' })
    expect($cameraChecks.get()).toHaveLength(1)
  })
})

describe('the streams of a stored camera', () => {
  const change = { main: 'rtsp://192.168.1.45/2', sub: 'rtsp://192.168.1.45/3', user: '', password: '' }
  const request = { device_id: 'camera_1', address: change.main, sub: change.sub, user: '', password: '' }
  const createSub = (problem: string) => {
    const stream = { address: change.sub, width: 0, height: 0, fps: 0, problem }
    return { answer: 'streams', main: { ...stream, problem: '' }, sub: stream, name: '', brand: '' }
  }
  afterEach(closeStoredStreams)

  async function openStreams(answers: readonly unknown[]) {
    const requests: CameraRequest[] = []
    const sent = stubApiResponses(await fakeBridge(Infinity, [''], { requests, answers }))
    await loadStoredStreams('camera_1')
    expect($storedStreams.get()).toMatchObject({ state: 'ready', streams: { main: 'rtsp://192.168.1.45/1', sub: '' } })
    expect(sent[0]?.body).toMatchObject({ device_id: 'camera_1' })
    return requests
  }

  test('are checked with the stored login, and stored', async () => {
    const requests = await openStreams([createSub('')])
    expect(await changeStoredStreams('camera_1', change)).toBe(true)
    expect(requests.slice(1)).toEqual([
      { ask: 'check', brand: '', ...request },
      { ask: 'change', ...request },
    ])
    expect($storedStreams.get()).toMatchObject({ streams: { main: change.main, sub: change.sub }, words: '' })
  })

  test('stay as they are if the sub-stream does not work, or if the form closes during the check', async () => {
    const requests = await openStreams([createSub('No stream at this path.')])
    expect(await changeStoredStreams('camera_1', change)).toBe(false)
    const words: unknown = expect.stringContaining('No stream at this path.')
    expect($storedStreams.get()).toMatchObject({ state: 'ready', streams: { main: 'rtsp://192.168.1.45/1' }, words })
    const changing = changeStoredStreams('camera_1', change)
    closeStoredStreams()
    expect(await changing).toBe(false)
    expect(requests.map(({ ask }) => ask)).not.toContain('change')
  })
})

describe('a closed check', () => {
  test('stays closed although the hub still answers, and its login is forgotten', async () => {
    const requests: CameraRequest[] = []
    stubApiResponses(await fakeBridge(Infinity, [''], { requests }))
    const camera = { address: 'rtsp://192.168.1.44/', user: 'me', password: 'x' }
    const checking = checkCamera(camera)
    closeCheck(camera.address)
    await checking
    expect($cameraChecks.get()).toEqual([])
    await addCheckedCamera(camera.address, 'Shed')
    expect(requests.map(({ ask }) => ask)).toEqual(['check'])
  })
})
