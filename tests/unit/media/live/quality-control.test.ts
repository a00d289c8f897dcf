import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { decodePayload } from '../../../../contract/live/signaling.ts'
import { QualityControl } from '../../../../src/media/live/quality-control.ts'

beforeEach(() => void vi.stubGlobal('devicePixelRatio', 1))
afterEach(() => void vi.unstubAllGlobals())

const WISH = { offered: ['360', '720'], chosen: null, pin: null }

/**
 * Creates a large WebRTC video that switches to each requested rendition. `pass` takes the stall duration in each
 * second of playback, s, and returns the video heights.
 */
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
      control.chooseRendition(WISH, brought, ++seconds * 1000)
      return video.videoHeight
    })
  const steady = (length: number) => pass(Array<number>(length).fill(0))
  return { pass, steady }
}

describe('video quality with retransmitted packets', () => {
  test('drops when all frames arrive too late, although no packet counts as lost', () => {
    const { pass, steady } = watched()
    expect(steady(8).at(-1)).toBe(720)
    const seen = pass([0.5, 0.5, 0.5, 0.5])
    expect(seen.at(-1)).toBe(360)
    expect(pass(Array<number>(20).fill(0.3)).every((height) => height === 360)).toBe(true)
    expect(steady(30).at(-1)).toBe(720)
  })

  test('stays unchanged after one stall', () => {
    const { pass, steady } = watched()
    steady(8)
    expect(pass([0.35, 0, 0, 0, 0])).toEqual([720, 720, 720, 720, 720])
  })
})

describe('quality explanation', () => {
  test('names the connection as the limit if a requested better rendition does not arrive', () => {
    const video = { clientHeight: 700, videoHeight: 360 } as HTMLVideoElement
    const requests: string[] = []
    const control = new QualityControl({
      ...{ video, isRelayed: true, chosenBefore: null },
      send: (message) => requests.push(message),
    })
    const notes = Array.from({ length: 40 }, (_, second) => {
      const brought = { pictures: second * 15, received: null, lost: null, roundTripMs: null, frozen: 0 }
      return control.chooseRendition(WISH, brought, second * 1000)
    })
    expect(new Set(requests)).toEqual(new Set(['{"action":"RELAY_RENDITION","name":"720"}']))
    expect(notes[0]).toEqual({ name: '360', why: 'start' })
    expect(notes[12]).toEqual({ name: '360', why: 'link' })
    // The link is clean, so the connection is not the reason: a lens with a single rendition, for example, has no
    // better rendition to send.
    expect(notes.at(-1)).toEqual({ name: '360', why: 'sent' })
    Object.assign(video, { videoHeight: 720 })
    const last = { pictures: 600, received: null, lost: null, roundTripMs: null, frozen: 0 }
    expect(control.chooseRendition(WISH, last, 40_000)).toEqual({ name: '720', why: 'best' })
  })
})
