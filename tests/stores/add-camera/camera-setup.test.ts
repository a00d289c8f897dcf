import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sealingContext, type CameraAsk, type SealedAsk } from '../../../contract/cameras/camera-setup.ts'
import { channelToPage, encodeBytes } from '../../../contract/bridge/sealed-channel.ts'
import { $checks, addChecked, checkCamera } from '../../../src/stores/add-camera/camera-checks.ts'
import { $door } from '../../../src/stores/add-camera/sealing-key.ts'
import { $around, requestCameraDiscovery } from '../../../src/stores/add-camera/discovered-cameras.ts'
import { answerWith } from '../../support/client.ts'

/** Sealing key of the right length that is not a point on the curve. */
const UNUSABLE = 'A'.repeat(87)

afterEach(() => $checks.set([]))

describe('a bridge with an unusable sealing key', () => {
  beforeEach(() => {
    const open = { state: 'open', bridge_id: 'bridge_1', home_id: 'home_1', name: 'Box', nonce: 'n'.repeat(22) }
    answerWith({ 'camera-door': { code: 200, data: { ...open, key: UNUSABLE } } })
  })

  test('is reported by setup note, camera check and network discovery, and all of them stop', async () => {
    await Promise.all([
      checkCamera({ address: 'rtsp://192.168.1.40/', user: '', password: '' }),
      requestCameraDiscovery(),
    ])
    const door = $door.get()
    const words = door.state === 'failed' ? door.text : ''
    expect(words).not.toBe('')
    expect($checks.get()).toMatchObject([{ state: 'bad', words }])
    expect($around.get()).toMatchObject({ state: 'done', cameras: [], words })
  })
})

/** Shared by all tests, because the page remembers the key of a bridge. */
const ownPair = crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, false, ['deriveBits'])

/**
 * Fakes a bridge with the key `ownPair` and a camera that delivers frames and can be added. Each read returns at most
 * `perRead` answers.
 */
async function openBridge(perRead = Infinity, words: readonly string[] = ['']) {
  const pair = await ownPair
  const key = encodeBytes(new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey)))
  const door = { bridge_id: 'bridge_1', home_id: 'home_1', name: 'Box', key, nonce: 'n'.repeat(22) }
  const parties = { bridgeKey: key, nonce: door.nonce, context: sealingContext(door.bridge_id, door.home_id) }
  let boxes: string[] = []
  return {
    'camera-door': { code: 200, data: { state: 'open', ...door } },
    'camera-ask': async ({ sealed }: { sealed: SealedAsk }) => {
      const channel = await channelToPage(pair.privateKey, parties, sealed.page_key)
      const { ask } = (await channel.open(sealed.box)) as CameraAsk
      const steps = words.map((text) => ({ answer: 'step', step: 'picture', state: 'done', ms: 120, words: text }))
      const messages = [
        ...(ask === 'add' ? [{ answer: 'added', device_id: 'camera_1' }] : steps),
        { answer: 'over', words: '' },
      ]
      boxes = []
      for (const answer of messages) boxes.push(await channel.seal(answer))
      return { code: 200, data: { ask_id: 'ask_1' } }
    },
    'camera-answers': ({ after }: { after: number }) => {
      const read = boxes.slice(after, after + perRead)
      return { code: 200, data: { boxes: read, over: after + read.length === boxes.length } }
    },
  }
}

describe('a camera check with many partial results', () => {
  test('is polled to its end while the bridge keeps responding', async () => {
    answerWith(await openBridge(1, ['1', '2', '3', '4', '5', '6', '7']))
    await checkCamera({ address: 'rtsp://192.168.1.42/', user: '', password: '' })
    expect($checks.get()).toMatchObject([{ state: 'good', words: '', steps: { picture: { words: '7' } } }])
  })
})

describe('an added camera', () => {
  test('stays visible with instructions if the camera list fails to load', async () => {
    answerWith(await openBridge())
    const camera = { address: 'rtsp://192.168.1.41/', user: '', password: '' }
    await checkCamera(camera)
    expect($checks.get()).toMatchObject([{ state: 'good' }])
    await addChecked(camera.address, 'Shed')
    const words: unknown = expect.stringMatching(/./)
    expect($checks.get()).toMatchObject([{ name: 'Shed', state: 'added', words }])
  })
})
