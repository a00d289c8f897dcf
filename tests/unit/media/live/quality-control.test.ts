import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { decodePayload } from '../../../../contract/live/signaling.ts'
import { QualityControl } from '../../../../src/media/live/quality-control.ts'

beforeEach(() => void vi.stubGlobal('devicePixelRatio', 1))
afterEach(() => void vi.unstubAllGlobals())

const PREFERENCE = { offered: ['360', '720'], chosen: null, pin: null }

/**
 * Creates a large WebRTC video that switches to each requested rendition. `playSeconds` takes the stall duration (s) in
 * each second of playback, and returns the video height (px) after each second.
 */
function openWatchedVideo() {
  const video = { clientHeight: 700, videoHeight: 360 }
  const control = new QualityControl({
    video: video as HTMLVideoElement,
    isRelayed: false,
    chosenBefore: null,
    send: (message) => {
      const { messagePayload } = JSON.parse(message) as { messagePayload: string }
      video.videoHeight = Number((decodePayload(messagePayload) as { name: string }).name)
    },
  })
  let [seconds, pictures, frozen] = [0, 0, 0]
  const playSeconds = (stallSeconds: readonly number[]) =>
    stallSeconds.map((still) => {
      frozen += still
      const statistics = { pictures: (pictures += 15), received: pictures, lost: 0, roundTripMs: 5, frozen }
      control.chooseRendition(PREFERENCE, statistics, ++seconds * 1000)
      return video.videoHeight
    })
  const playWithoutStalls = (length: number) => playSeconds(Array<number>(length).fill(0))
  return { playSeconds, playWithoutStalls }
}

describe('video quality with retransmitted packets', () => {
  test('drops when all frames arrive too late, although no packet counts as lost', () => {
    const { playSeconds, playWithoutStalls } = openWatchedVideo()
    expect(playWithoutStalls(8).at(-1)).toBe(720)
    const seen = playSeconds([0.5, 0.5, 0.5, 0.5])
    expect(seen.at(-1)).toBe(360)
    expect(playSeconds(Array<number>(20).fill(0.3)).every((height) => height === 360)).toBe(true)
    expect(playWithoutStalls(30).at(-1)).toBe(720)
  })

  test('stays unchanged after one stall', () => {
    const { playSeconds, playWithoutStalls } = openWatchedVideo()
    playWithoutStalls(8)
    expect(playSeconds([0.35, 0, 0, 0, 0])).toEqual([720, 720, 720, 720, 720])
  })
})

describe('quality explanation', () => {
  test('names the connection as the limit if a requested better rendition does not arrive', () => {
    const video = { clientHeight: 700, videoHeight: 360 } as HTMLVideoElement
    const requests: string[] = []
    const control = new QualityControl({
      video,
      isRelayed: true,
      chosenBefore: null,
      send: (message) => requests.push(message),
    })
    const notes = Array.from({ length: 40 }, (_, second) => {
      const statistics = { pictures: second * 15, received: null, lost: null, roundTripMs: null, frozen: 0 }
      return control.chooseRendition(PREFERENCE, statistics, second * 1000)
    })
    expect(new Set(requests)).toEqual(new Set(['{"action":"RELAY_RENDITION","name":"720"}']))
    expect(notes[0]).toEqual({ name: '360', why: 'start' })
    expect(notes[12]).toEqual({ name: '360', why: 'link' })
    // The link is clean, so the connection is not the limit. The sender may have no better rendition: some lenses have
    // only one.
    expect(notes.at(-1)).toEqual({ name: '360', why: 'sent' })
    Object.assign(video, { videoHeight: 720 })
    const last = { pictures: 600, received: null, lost: null, roundTripMs: null, frozen: 0 }
    expect(control.chooseRendition(PREFERENCE, last, 40_000)).toEqual({ name: '720', why: 'best' })
  })
})
