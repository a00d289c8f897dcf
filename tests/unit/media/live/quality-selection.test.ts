import { describe, expect, test } from 'vitest'
import {
  listAllowedRenditions,
  createInitialDecision,
  RENDITION_SETTLE_MS,
  SMALL_TILE_DELAY_MS,
  UPGRADE_AFTER_MS,
  decideQuality,
  type LinkMeasurement,
  type QualityDecision,
  type QualityPreference,
} from '../../../../src/media/live/quality-selection.ts'

const CLEAN_LINK: LinkMeasurement = { lost: 0, fps: 15, roundTripMs: 20, frozen: 0 }
const LOSSY_LINK: LinkMeasurement = { ...CLEAN_LINK, lost: 0.08 }
const LARGE_TILE_PX = 500
const SMALL_TILE_PX = 170
const createPreference = (change: Partial<QualityPreference> = {}): QualityPreference => ({
  offered: ['360', '720'],
  chosen: null,
  pin: null,
  ...change,
})

/** Applies one link measurement per second, and returns the quality decision after each measurement. */
function applyLinks(
  links: readonly LinkMeasurement[],
  { tile = LARGE_TILE_PX, preference = createPreference(), from = startQuality(preference) } = {},
): QualityDecision[] {
  const seen: QualityDecision[] = []
  for (const link of links) {
    const before = seen.at(-1) ?? from
    seen.push(decideQuality(before, preference, link, tile, (measuredAtMs.get(before) ?? 0) + 1000))
    measuredAtMs.set(seen.at(-1)!, (measuredAtMs.get(before) ?? 0) + 1000)
  }
  return seen
}
const measuredAtMs = new WeakMap<QualityDecision, number>()
const startQuality = (preference: QualityPreference) =>
  createInitialDecision(preference.offered[0] ?? '', preference.chosen, 0)
const cleanLinks = (seconds: number) => Array<LinkMeasurement>(seconds).fill(CLEAN_LINK)
const listNames = (seen: readonly QualityDecision[]) => seen.map(({ name }) => name)
const getLast = (seen: readonly QualityDecision[]) => seen.at(-1)!

describe('the requested rendition', () => {
  test('starts lowest and rises for a large tile after some clean seconds', () => {
    const seen = applyLinks(cleanLinks(6))
    expect(listNames(seen)).toEqual(['360', '360', '360', '360', '720', '720'])
    expect([seen[0]?.why, getLast(seen).why]).toEqual(['start', 'best'])
  })

  test('stays low in a small tile, and drops some seconds after a tile shrinks', () => {
    const small = applyLinks(cleanLinks(60), { tile: SMALL_TILE_PX })
    expect([new Set(listNames(small)).size, getLast(small).name, getLast(small).why]).toEqual([1, '360', 'tile'])
    const shrunk = applyLinks(cleanLinks(10), { tile: SMALL_TILE_PX, from: getLast(applyLinks(cleanLinks(6))) })
    expect(listNames(shrunk).indexOf('360')).toBe(SMALL_TILE_DELAY_MS / 1000 - 2)
  })

  test.each([
    ['lost packets', LOSSY_LINK],
    ['missing frames', { ...CLEAN_LINK, fps: 0 }],
    ['a low frame rate', { ...CLEAN_LINK, fps: 7 }],
    ['a congested link', { ...CLEAN_LINK, roundTripMs: 1800 }],
    ['frames delayed by retransmitted packets', { ...CLEAN_LINK, frozen: 0.3 }],
  ])('drops in the first second of %s', (_, link) => {
    const seen = applyLinks([link], { from: getLast(applyLinks(cleanLinks(9))) })
    expect(getLast(seen)).toMatchObject({ name: '360', why: 'link', downgrades: 1 })
  })

  test('doubles its wait after each drop before it rises again', () => {
    const waits: number[] = []
    let from = getLast(applyLinks(cleanLinks(9)))
    for (let fall = 0; fall < 3; fall++) {
      const seen = applyLinks([LOSSY_LINK, ...cleanLinks(200)], { from })
      waits.push(listNames(seen).indexOf('720'))
      from = getLast(seen)
    }
    expect(waits).toEqual([9, 17, 33])
  })

  test('neither rises nor drops while single packets are lost', () => {
    const drops = Array<LinkMeasurement>(60).fill({ ...CLEAN_LINK, lost: 0.02 })
    expect(getLast(applyLinks(drops)).name).toBe('360')
    expect(getLast(applyLinks(drops, { from: getLast(applyLinks(cleanLinks(9))) })).name).toBe('720')
  })

  test('does not treat a gradually lower frame rate at night as a slow link', () => {
    const evening = Array.from({ length: 120 }, (_, n) => ({ ...CLEAN_LINK, fps: 25 - n / 10 }))
    expect(new Set(listNames(applyLinks(evening, { from: getLast(applyLinks(cleanLinks(9))) })))).toEqual(
      new Set(['720']),
    )
  })

  test('is the pinned one, regardless of link and tile', () => {
    const pinned = createPreference({ pin: '720' })
    expect(
      applyLinks([LOSSY_LINK, LOSSY_LINK], { preference: pinned, tile: SMALL_TILE_PX }).map(
        ({ name, why }) => `${name} ${why}`,
      ),
    ).toEqual(['720 pinned', '720 pinned'])
  })

  test('LIVE-05 follows the camera-wide choice immediately, even in a small tile, and the link can lower it', () => {
    const from = getLast(applyLinks(cleanLinks(2), { tile: SMALL_TILE_PX }))
    const seen = applyLinks([CLEAN_LINK, CLEAN_LINK, LOSSY_LINK], {
      tile: SMALL_TILE_PX,
      preference: createPreference({ chosen: '720' }),
      from,
    })
    expect(listNames(seen)).toEqual(['720', '720', '360'])
  })

  test('never exceeds the camera-wide choice, not even if pinned', () => {
    const chosen = createPreference({ chosen: '360', pin: '720' })
    expect(
      getLast(applyLinks([CLEAN_LINK], { preference: chosen, from: getLast(applyLinks(cleanLinks(9))) })),
    ).toMatchObject({
      name: '360',
      why: 'chosen',
    })
    expect(listAllowedRenditions(chosen)).toEqual(['360'])
  })
})

/** Yields deterministic pseudorandom numbers from 0 (included) to 1 (excluded). */
function* randomNumbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    yield state / 2_147_483_648
  }
}

describe('rendition selection over hours of any link, tile and choice', () => {
  const OFFERS = [['360'], ['360', '720'], ['240', '480', '1080'], ['SD', 'HD'], ['360', '720', '1080', '2160']]

  test('requests only offered renditions, keeps minimum intervals and lets the pin win', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const generator = randomNumbers(seed)
      const nextRandom = () => generator.next().value
      const offered = OFFERS[seed % OFFERS.length] ?? []
      const pick = (share: number) =>
        nextRandom() < share ? (offered[Math.floor(nextRandom() * offered.length)] ?? null) : null
      let preference: QualityPreference = { offered, chosen: null, pin: null }
      let quality = createInitialDecision(offered[0] ?? '', null, 0)
      let now = 0
      let tile = LARGE_TILE_PX
      for (let second = 0; second < 600; second++) {
        if (nextRandom() < 0.02) preference = { offered, chosen: pick(0.5), pin: pick(0.3) }
        if (nextRandom() < 0.05) tile = nextRandom() * 1500
        const link = {
          lost: nextRandom() < 0.1 ? nextRandom() * 0.2 : 0,
          fps: nextRandom() < 0.1 ? nextRandom() * 15 : 15,
          roundTripMs: null,
          frozen: 0,
        }
        const before = quality
        now += 900 + nextRandom() * 300
        quality = decideQuality(before, preference, link, tile, now)
        const names = listAllowedRenditions(preference)
        expect(names).toContain(quality.name)
        if (preference.pin !== null && names.includes(preference.pin)) expect(quality.name).toBe(preference.pin)
        else expectHysteresis(before, quality, preference, now)
      }
    }
  })

  function expectHysteresis(
    before: QualityDecision,
    after: QualityDecision,
    preference: QualityPreference,
    now: number,
  ): void {
    const isForced = preference.chosen !== before.chosen || !listAllowedRenditions(preference).includes(before.name)
    if (isForced || before.name === after.name || before.why === 'pinned') return
    const age = now - before.changedAt
    expect(age).toBeGreaterThanOrEqual(
      after.why === 'link' ? RENDITION_SETTLE_MS : Math.min(UPGRADE_AFTER_MS, SMALL_TILE_DELAY_MS),
    )
  }
})
