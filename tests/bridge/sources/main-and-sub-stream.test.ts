import { afterEach, expect, test, vi } from 'vitest'
import type { AccessUnit } from '../../../bridge/media/h264/annex-b.ts'
import type { LensFrames, VideoSource } from '../../../bridge/sources/video-source.ts'
import { SUB_STREAM_STOP_DELAY_MS, MainAndSubStream } from '../../../bridge/sources/main-and-sub-stream.ts'

/** A stream whose frames the test creates: `K` is a keyframe, `-` any other frame. */
class ManualSource implements VideoSource {
  readonly watchers = new Set<(unit: AccessUnit) => void>()
  units: AccessUnit[] = []
  readonly streamId: number
  constructor(streamId: number) {
    this.streamId = streamId
  }
  emitFrames(kinds: string): void {
    for (const kind of kinds) {
      const unit = { nals: [Buffer.from([this.streamId])], keyframe: kind === 'K', pts: 0 }
      this.units = kind === 'K' ? [unit] : [...this.units, unit]
      for (const watcher of this.watchers) watcher(unit)
    }
  }
  disconnect(): void {
    this.units = []
  }
  getGop = () => this.units
  watch(onUnit: (unit: AccessUnit) => void): () => void {
    this.watchers.add(onUnit)
    return () => this.watchers.delete(onUnit)
  }
  getRendition(): LensFrames {
    return this
  }
  running = false
  start(): void {
    this.running = true
  }
  stop(): void {
    this.running = false
    this.disconnect()
  }
}

const MAIN_ID = 1
const SUB_ID = 2
afterEach(() => void vi.useRealTimers())

function openStreamPair() {
  const [main, low] = [new ManualSource(MAIN_ID), new ManualSource(SUB_ID)]
  const pair = new MainAndSubStream({ main, low }, (name) => (name === '1080' ? 'main' : 'low'))
  const watchFrames = (frames: LensFrames) => {
    const seen: string[] = []
    const stopWatching = frames.watch(({ nals, keyframe }) => {
      seen.push(`${nals[0]?.[0] === MAIN_ID ? 'main' : 'low'}${keyframe ? '!' : ''}`)
    })
    return { seen, stopWatching }
  }
  return { main, low, pair, watchFrames }
}

test('motion detection reads the sub-stream, or the main stream from a keyframe on while it is down', () => {
  const { main, low, pair, watchFrames } = openStreamPair()
  const { seen } = watchFrames(pair)
  low.emitFrames('K-')
  main.emitFrames('K-')
  low.disconnect()
  main.emitFrames('-K-')
  low.emitFrames('K')
  main.emitFrames('-')
  expect(seen).toEqual(['low!', 'low', 'main!', 'main', 'low!'])
})

test('two viewers get one rendition each; a missing main stream falls back to the sub-stream', () => {
  const { main, low, pair, watchFrames } = openStreamPair()
  const [small, large] = [watchFrames(pair), watchFrames(pair.getRendition('1080'))]
  expect(pair.getRendition('1080')).toBe(pair.getRendition('1080'))
  low.emitFrames('K-')
  main.emitFrames('K-')
  main.disconnect()
  low.emitFrames('-K')
  expect(small.seen).toEqual(['low!', 'low', 'low', 'low!'])
  expect(large.seen).toEqual(['low!', 'low', 'main!', 'main', 'low!'])
})

test('the sub-stream runs while it has a viewer and shortly after, the main stream always', () => {
  vi.useFakeTimers()
  const { main, low, pair, watchFrames } = openStreamPair()
  pair.start()
  watchFrames(pair.getRendition('1080'))
  expect([main.running, low.running]).toEqual([true, false])
  main.emitFrames('K')
  // Until the sub-stream has started, viewers get the frames of the main stream.
  expect(pair.getGop()).toBe(main.getGop())
  const first = watchFrames(pair)
  expect(low.running).toBe(true)
  main.emitFrames('-')
  low.emitFrames('K')
  expect(first.seen).toEqual(['main', 'low!'])
  first.stopWatching()
  vi.advanceTimersByTime(SUB_STREAM_STOP_DELAY_MS - 1)
  watchFrames(pair).stopWatching()
  vi.advanceTimersByTime(SUB_STREAM_STOP_DELAY_MS - 1)
  expect(low.running).toBe(true)
  vi.advanceTimersByTime(1)
  expect([main.running, low.running]).toEqual([true, false])
})

test('a camera takes its audio from the main stream', () => {
  const { main, pair } = openStreamPair()
  expect(pair.watchAudio).toBeUndefined()
  const listen = () => () => undefined
  Object.assign(main, { watchAudio: listen })
  expect(pair.watchAudio).toBe(listen)
})
