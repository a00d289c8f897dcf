import { expect, test } from 'vitest'
import type { AccessUnit } from '../../bridge/h264/annex-b.ts'
import type { Source } from '../../bridge/sources/source.ts'
import { StreamPair } from '../../bridge/sources/stream-pair.ts'

/** A stream whose pictures the test makes: `K` a keyframe, `-` another one. */
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
  /** As a camera that is gone. */
  die(): void {
    this.units = []
  }
  group = () => this.units
  watch(onUnit: (unit: AccessUnit) => void): () => void {
    this.watchers.add(onUnit)
    return () => this.watchers.delete(onUnit)
  }
  setRendition(): void {}
  start(): void {}
  stop(): void {}
}

const MAIN = 1
const LOW = 2

test('where motion is looked for: in the sub-stream, from a keyframe of the main stream on while it is away', () => {
  const [main, low] = [new Hand(MAIN), new Hand(LOW)]
  const pair = new StreamPair({ main, low }, () => undefined)
  const seen: string[] = []
  pair.watch(({ nals, keyframe }) => void seen.push(`${nals[0]![0] === MAIN ? 'main' : 'low'}${keyframe ? '!' : ''}`))
  low.give('K-')
  main.give('K-')
  low.die()
  main.give('-K-')
  low.give('K')
  main.give('-')
  expect(seen).toEqual(['low!', 'low', 'main!', 'main', 'low!'])
})

test('the sound of a camera is that of its main stream', () => {
  const [main, low] = [new Hand(MAIN), new Hand(LOW)]
  const pair = new StreamPair({ main, low }, () => undefined)
  expect(pair.watchAudio).toBeUndefined()
  const listen = () => () => undefined
  Object.assign(main, { watchAudio: listen })
  expect(pair.watchAudio).toBe(listen)
})
