import { describe, expect, test } from 'vitest'
import {
  allowed,
  firstQuality,
  SETTLE_MS,
  TILE_MS,
  UP_MS,
  wantedRendition,
  type Link,
  type Quality,
  type QualityPreference,
} from '../../../../src/media/live/quality-selection.ts'

const CLEAN: Link = { lost: 0, fps: 15, roundTripMs: 20, frozen: 0 }
const LOSSY: Link = { ...CLEAN, lost: 0.08 }
const LARGE = 500
const SMALL = 170
const wish = (change: Partial<QualityPreference> = {}): QualityPreference => ({
  offered: ['360', '720'],
  chosen: null,
  pin: null,
  ...change,
})

/** Applies one link measurement per second, and returns the wanted rendition after each measurement. */
function play(links: readonly Link[], { tile = LARGE, wishes = wish(), from = startQuality(wishes) } = {}): Quality[] {
  const seen: Quality[] = []
  for (const link of links) {
    const before = seen.at(-1) ?? from
    seen.push(wantedRendition(before, wishes, link, tile, (times.get(before) ?? 0) + 1000))
    times.set(seen.at(-1)!, (times.get(before) ?? 0) + 1000)
  }
  return seen
}
const times = new WeakMap<Quality, number>()
const startQuality = (wishes: QualityPreference) => firstQuality(wishes.offered[0] ?? '', wishes.chosen, 0)
const clean = (seconds: number) => Array<Link>(seconds).fill(CLEAN)
const listNames = (seen: readonly Quality[]) => seen.map(({ name }) => name)
const last = (seen: readonly Quality[]) => seen.at(-1)!

describe('the requested rendition', () => {
  test('starts lowest and rises for a large tile after some clean seconds', () => {
    const seen = play(clean(6))
    expect(listNames(seen)).toEqual(['360', '360', '360', '360', '720', '720'])
    expect([seen[0]?.why, last(seen).why]).toEqual(['start', 'best'])
  })

  test('stays low in a small tile, and drops some seconds after a tile shrinks', () => {
    const small = play(clean(60), { tile: SMALL })
    expect([new Set(listNames(small)).size, last(small).name, last(small).why]).toEqual([1, '360', 'tile'])
    const shrunk = play(clean(10), { tile: SMALL, from: last(play(clean(6))) })
    expect(listNames(shrunk).indexOf('360')).toBe(TILE_MS / 1000 - 2)
  })

  test.each([
    ['lost packets', LOSSY],
    ['pictures that stay away', { ...CLEAN, fps: 0 }],
    ['pictures that come slowly', { ...CLEAN, fps: 7 }],
    ['a link that is choked', { ...CLEAN, roundTripMs: 1800 }],
    ['pictures that wait for packets sent again', { ...CLEAN, frozen: 0.3 }],
  ])('drops in the first second of %s', (_, link) => {
    const seen = play([link], { from: last(play(clean(9))) })
    expect(last(seen)).toMatchObject({ name: '360', why: 'link', falls: 1 })
  })

  test('doubles its wait after each drop before it rises again', () => {
    const waits: number[] = []
    let from = last(play(clean(9)))
    for (let fall = 0; fall < 3; fall++) {
      const seen = play([LOSSY, ...clean(200)], { from })
      waits.push(listNames(seen).indexOf('720'))
      from = last(seen)
    }
    expect(waits).toEqual([9, 17, 33])
  })

  test('neither rises nor drops while single packets are lost', () => {
    const drops = Array<Link>(60).fill({ ...CLEAN, lost: 0.02 })
    expect(last(play(drops)).name).toBe('360')
    expect(last(play(drops, { from: last(play(clean(9))) })).name).toBe('720')
  })

  test('does not treat a gradually lower frame rate at night as a slow link', () => {
    const evening = Array.from({ length: 120 }, (_, n) => ({ ...CLEAN, fps: 25 - n / 10 }))
    expect(new Set(listNames(play(evening, { from: last(play(clean(9))) })))).toEqual(new Set(['720']))
  })

  test('is the pinned one, regardless of link and tile', () => {
    const pinned = wish({ pin: '720' })
    expect(play([LOSSY, LOSSY], { wishes: pinned, tile: SMALL }).map(({ name, why }) => `${name} ${why}`)).toEqual([
      '720 pinned',
      '720 pinned',
    ])
  })

  test('LIVE-05 follows the camera-wide choice immediately, even in a small tile, and the link can lower it', () => {
    const from = last(play(clean(2), { tile: SMALL }))
    const seen = play([CLEAN, CLEAN, LOSSY], { tile: SMALL, wishes: wish({ chosen: '720' }), from })
    expect(listNames(seen)).toEqual(['720', '720', '360'])
  })

  test('never exceeds the camera-wide choice, not even if pinned', () => {
    const chosen = wish({ chosen: '360', pin: '720' })
    expect(last(play([CLEAN], { wishes: chosen, from: last(play(clean(9))) }))).toMatchObject({
      ...{ name: '360', why: 'chosen' },
    })
    expect(allowed(chosen)).toEqual(['360'])
  })
})

/** Yields deterministic pseudorandom numbers from 0 (included) to 1 (excluded). */
function* dice(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    yield state / 2_147_483_648
  }
}

describe('rendition selection over hours of any link, tile and choice', () => {
  const OFFERS = [['360'], ['360', '720'], ['240', '480', '1080'], ['SD', 'HD'], ['360', '720', '1080', '2160']]

  test('requests only offered renditions, keeps minimum intervals and lets the pin win', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const rolls = dice(seed)
      const roll = () => rolls.next().value
      const offered = OFFERS[seed % OFFERS.length] ?? []
      const pick = (share: number) => (roll() < share ? (offered[Math.floor(roll() * offered.length)] ?? null) : null)
      let wishes: QualityPreference = { offered, chosen: null, pin: null }
      let quality = firstQuality(offered[0] ?? '', null, 0)
      let now = 0
      let tile = LARGE
      for (let second = 0; second < 600; second++) {
        if (roll() < 0.02) wishes = { offered, chosen: pick(0.5), pin: pick(0.3) }
        if (roll() < 0.05) tile = roll() * 1500
        const link = {
          lost: roll() < 0.1 ? roll() * 0.2 : 0,
          fps: roll() < 0.1 ? roll() * 15 : 15,
          roundTripMs: null,
          frozen: 0,
        }
        const before = quality
        now += 900 + roll() * 300
        quality = wantedRendition(before, wishes, link, tile, now)
        const names = allowed(wishes)
        expect(names).toContain(quality.name)
        if (wishes.pin !== null && names.includes(wishes.pin)) expect(quality.name).toBe(wishes.pin)
        else expectHysteresis(before, quality, wishes, now)
      }
    }
  })

  function expectHysteresis(before: Quality, after: Quality, wishes: QualityPreference, now: number): void {
    const isForced = wishes.chosen !== before.chosen || !allowed(wishes).includes(before.name)
    if (isForced || before.name === after.name || before.why === 'pinned') return
    const age = now - before.changedAt
    expect(age).toBeGreaterThanOrEqual(after.why === 'link' ? SETTLE_MS : Math.min(UP_MS, TILE_MS))
  }
})
