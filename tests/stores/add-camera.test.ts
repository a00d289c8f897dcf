import { beforeEach, describe, expect, it } from 'vitest'
import { $checks, checkCamera } from '../../src/stores/add-camera/checks.ts'
import { $door } from '../../src/stores/add-camera/door.ts'
import { $around, lookAround } from '../../src/stores/add-camera/found.ts'
import { answerWith } from '../support/client.ts'

/** A point that is on no curve, in the form of a key. */
const UNUSABLE = 'A'.repeat(87)
const WORDS = 'The key of your box cannot be used. Start the box again, then load this page again.'

describe('a box whose key cannot be used', () => {
  beforeEach(() => {
    const open = { state: 'open', bridge_id: 'bridge_1', home_id: 'home_1', name: 'Box', nonce: 'n'.repeat(22) }
    answerWith({ 'camera-door': { code: 200, data: { ...open, key: UNUSABLE } } })
  })

  it('is said by the note, by the check and by the look around, and none of them goes on', async () => {
    await Promise.all([checkCamera({ address: 'rtsp://192.168.1.40/', user: '', password: '' }), lookAround()])
    expect($door.get()).toEqual({ state: 'failed', text: WORDS })
    expect($checks.get()).toMatchObject([{ state: 'bad', words: WORDS }])
    expect($around.get()).toMatchObject({ state: 'done', cameras: [], words: WORDS })
  })
})
