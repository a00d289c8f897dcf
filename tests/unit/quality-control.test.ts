import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { decodePayload } from '../../contract/signalling.ts'
import { QualityControl } from '../../src/media/quality-control.ts'

beforeEach(() => void vi.stubGlobal('devicePixelRatio', 1))
afterEach(() => void vi.unstubAllGlobals())

const WISH = { offered: ['360', '720'], chosen: null, pin: null }

/** A large picture over WebRTC that goes over to what is asked for; seconds pass with stand-stills of so many s each. */
function watched() {
  const video = { clientHeight: 700, videoHeight: 360 }
  const control = new QualityControl({
    ...{ video: video as HTMLVideoElement, isRelayed: false, chosenBefore: null },
    send: (message) => {
      const { messagePayload } = JSON.parse(message) as { messagePayload: string }
      video.videoHeight = Number((decodePayload(messagePayload) as { name: string }).name)
    },
  })
  let [seconds, pictures, frozen] = [0, 0, 0]
  const pass = (stills: readonly number[]) =>
    stills.map((still) => {
      frozen += still
      const brought = { pictures: (pictures += 15), received: pictures, lost: 0, roundTripMs: 5, frozen }
      control.look(WISH, brought, ++seconds * 1000)
      return video.videoHeight
    })
  const steady = (length: number) => pass(Array<number>(length).fill(0))
  return { pass, steady }
}

describe('the quality of a picture whose packets are lost and sent again', () => {
  it('goes down although nothing is counted as lost and all pictures come, too late', () => {
    const { pass, steady } = watched()
    expect(steady(8).at(-1)).toBe(720)
    const seen = pass([0.5, 0.5, 0.5, 0.5])
    expect(seen.at(-1)).toBe(360)
    expect(pass(Array<number>(20).fill(0.3)).every((height) => height === 360)).toBe(true)
    expect(steady(30).at(-1)).toBe(720)
  })

  it('stays as it is for one stand-still', () => {
    const { pass, steady } = watched()
    steady(8)
    expect(pass([0.35, 0, 0, 0, 0])).toEqual([720, 720, 720, 720, 720])
  })
})
