import { afterEach, expect, test, vi } from 'vitest'
import type { AccessUnit } from '../../../bridge/media/h264/annex-b.ts'
import type { LensFrames, Source } from '../../../bridge/sources/video-source.ts'
import { LEFT_AFTER_MS, StreamPair } from '../../../bridge/sources/main-and-sub-stream.ts'

/** A stream whose frames the test creates: `K` is a keyframe, `-` any other frame. */
class Hand implements Source {
  readonly watchers = new Set<(unit: AccessUnit) => void>()
  units: AccessUnit[] = []
  readonly name: number
  constructor(name: number) {
    this.name = name
  }
  give(kinds: string): void {
    for (const kind of kinds) {
      const unit = { nals: [Buffer.from([this.name])], keyframe: kind === 'K', pts: 0 }
      this.units = kind === 'K' ? [unit] : [...this.units, unit]
      for (const watcher of this.watchers) watcher(unit)
    }
  }
  /** Simulates a camera that has disconnected. */
  die(): void {
    this.units = []
  }
  group = () => this.units
  watch(onUnit: (unit: AccessUnit) => void): () => void {
    this.watchers.add(onUnit)
    return () => this.watchers.delete(onUnit)
  }
  rendition(): LensFrames {
    return this
  }
  running = false
  start(): void {
    this.running = true
  }
  stop(): void {
    this.running = false
    this.die()
  }
}

const MAIN = 1
const LOW = 2
afterEach(() => void vi.useRealTimers())

function open() {
  const [main, low] = [new Hand(MAIN), new Hand(LOW)]
  const pair = new StreamPair({ main, low }, (name) => (name === '1080' ? 'main' : 'low'))
  const watchFrames = (pictures: LensFrames) => {
    const seen: string[] = []
    const leave = pictures.watch(({ nals, keyframe }) => {
      seen.push(`${nals[0]?.[0] === MAIN ? 'main' : 'low'}${keyframe ? '!' : ''}`)
    })
    return { seen, leave }
  }
  return { main, low, pair, look: watchFrames }
}

test('motion detection reads the sub-stream, or the main stream from a keyframe on while it is down', () => {
  const { main, low, pair, look } = open()
  const { seen } = look(pair)
  low.give('K-')
  main.give('K-')
  low.die()
  main.give('-K-')
  low.give('K')
  main.give('-')
  expect(seen).toEqual(['low!', 'low', 'main!', 'main', 'low!'])
})

test('two viewers get one rendition each; a missing main stream falls back to the sub-stream', () => {
  const { main, low, pair, look } = open()
  const [small, large] = [look(pair), look(pair.rendition('1080'))]
  expect(pair.rendition('1080')).toBe(pair.rendition('1080'))
  low.give('K-')
  main.give('K-')
  main.die()
  low.give('-K')
  expect(small.seen).toEqual(['low!', 'low', 'low', 'low!'])
  expect(large.seen).toEqual(['low!', 'low', 'main!', 'main', 'low!'])
})

test('the sub-stream runs while it has a viewer and shortly after, the main stream always', () => {
  vi.useFakeTimers()
  const { main, low, pair, look } = open()
  pair.start()
  look(pair.rendition('1080'))
  expect([main.running, low.running]).toEqual([true, false])
  main.give('K')
  // Until the sub-stream has started, viewers get the frames of the main stream.
  expect(pair.group()).toBe(main.group())
  const first = look(pair)
  expect(low.running).toBe(true)
  main.give('-')
  low.give('K')
  expect(first.seen).toEqual(['main', 'low!'])
  first.leave()
  vi.advanceTimersByTime(LEFT_AFTER_MS - 1)
  look(pair).leave()
  vi.advanceTimersByTime(LEFT_AFTER_MS - 1)
  expect(low.running).toBe(true)
  vi.advanceTimersByTime(1)
  expect([main.running, low.running]).toEqual([true, false])
})

test('a camera takes its audio from the main stream', () => {
  const { main, pair } = open()
  expect(pair.watchAudio).toBeUndefined()
  const listen = () => () => undefined
  Object.assign(main, { watchAudio: listen })
  expect(pair.watchAudio).toBe(listen)
})
