import { beforeEach, describe, expect, test } from 'vitest'
import type { StepVideo } from '../../../../src/media/sync/synced-video.ts'
import { SyncedPlayer } from '../../../../src/media/sync/synced-player.ts'
import { correct, IN_STEP_MS, computeSpread, stretchAt } from '../../../../src/media/sync/sync-correction.ts'

const BEGIN = Date.UTC(2026, 10, 22, 9, 41)
const BEAT = 50

/** Clock of the page, ms. */
let t = 0

/**
 * Fake video element that behaves as in a browser: it has its own playback speed and seek time, and its data may not
 * arrive.
 */
class PlayedVideo implements StepVideo {
  duration: number
  muted = true
  paused = true
  playbackRate = 1
  error: MediaError | null = null
  hasData = true
  jumps = 0
  private second = 0
  private jumpEnds = -1
  private readonly speed: number
  private readonly jumpTakes: number

  constructor({ duration = 40, speed = 1, jumpTakes = 80 } = {}) {
    this.duration = duration
    this.speed = speed
    this.jumpTakes = jumpTakes
  }
  get seeking() {
    return t < this.jumpEnds
  }
  get ended() {
    return this.second >= this.duration
  }
  get readyState() {
    return this.hasData && !this.seeking ? 4 : 1
  }
  get currentTime() {
    return this.second
  }
  set currentTime(second: number) {
    this.second = second
    this.jumpEnds = t + this.jumpTakes
    this.jumps += 1
  }
  play() {
    this.paused = false
    return Promise.resolve()
  }
  pause() {
    this.paused = true
  }
  pass(ms: number) {
    if (this.paused || this.seeking || !this.hasData) return
    this.second = Math.min(this.duration, this.second + (ms / 1000) * this.playbackRate * this.speed)
  }
}

/** Video that reports each displayed frame to its frame callbacks. */
class FramedVideo extends PlayedVideo {
  readonly asked = new Map<number, VideoFrameRequestCallback>()
  private last = 0

  requestVideoFrameCallback(callback: VideoFrameRequestCallback) {
    this.asked.set(++this.last, callback)
    return this.last
  }
  cancelVideoFrameCallback(id: number) {
    this.asked.delete(id)
  }
  show(mediaTime: number) {
    const callbacks = [...this.asked.values()]
    this.asked.clear()
    for (const callback of callbacks)
      callback(t, { mediaTime, expectedDisplayTime: t } as Parameters<VideoFrameRequestCallback>[1])
  }
}

const stretch = (id: string, from: number, to: number) => ({ id, begin: BEGIN + from * 1000, end: BEGIN + to * 1000 })
const SPAN = { begin: BEGIN - 60_000, end: BEGIN + 60_000 }

function together(videos: Record<string, [PlayedVideo, from: number, to: number]>, at = BEGIN) {
  const sources = Object.entries(videos).map(([camera, [, from, to]]) => ({
    camera,
    stretches: [stretch(`${camera}-1`, from, to)],
  }))
  const step = new SyncedPlayer(sources, { at, span: SPAN, now: () => t })
  const run = (ms: number) => {
    for (let elapsed = 0; elapsed < ms; elapsed += BEAT) {
      t += BEAT
      for (const [video] of Object.values(videos)) video.pass(BEAT)
      step.beat()
    }
  }
  for (const [camera, [video]] of Object.entries(videos)) step.attach(camera, `${camera}-1`, video)
  const getPosition = (camera: string) =>
    BEGIN + (videos[camera]?.[1] ?? 0) * 1000 + (videos[camera]?.[0].currentTime ?? 0) * 1000
  const apart = () => {
    const all = Object.keys(videos).map(getPosition)
    return Math.max(...all) - Math.min(...all)
  }
  return { step, run, apart, taken: getPosition }
}

beforeEach(() => {
  t = 1000
})

describe('synced playback', () => {
  test('keeps recordings within a tenth of a second, even if one plays 2 % too fast and one 2 % too slowly', () => {
    const { step, run, apart } = together({
      drive: [new PlayedVideo({ speed: 1.02 }), -20, 20],
      door: [new PlayedVideo({ speed: 0.98, jumpTakes: 300 }), -5, 35],
      street: [new PlayedVideo(), -1, 39],
    })
    step.play()
    run(2000)
    let worst = 0
    for (let second = 0; second < 15; second += 1) {
      run(1000)
      worst = Math.max(worst, apart())
    }
    expect(worst).toBeLessThanOrEqual(IN_STEP_MS)
    expect(step.state.spread).toBeLessThanOrEqual(IN_STEP_MS)
    expect(step.state.at).toBeGreaterThan(BEGIN + 15_000)
  })

  test('waits for a recording without data, names its camera, and resumes together once the data arrives', () => {
    const late = new PlayedVideo()
    const { step, run, apart } = together({ drive: [new PlayedVideo(), -10, 30], garage: [late, -10, 30] })
    step.play()
    run(3000)
    late.hasData = false
    run(200)
    expect(step.state.waitingFor).toBeNull()
    run(800)
    expect(step.state).toMatchObject({ waitingFor: 'garage', isPlaying: true })
    const stood = step.state.at
    run(3000)
    expect(step.state.at).toBe(stood)
    late.hasData = true
    run(2000)
    expect(step.state.waitingFor).toBeNull()
    expect(step.state.at).toBeGreaterThan(stood + 1000)
    expect(apart()).toBeLessThanOrEqual(IN_STEP_MS)
  })

  test('continues without a recording that never arrives or cannot be loaded', () => {
    const never = new PlayedVideo()
    never.hasData = false
    const { step, run } = together({ drive: [new PlayedVideo(), -10, 30], garage: [never, -10, 30] })
    step.play()
    run(5000)
    expect(step.state.at).toBe(BEGIN)
    run(8000)
    expect(step.state.at).toBeGreaterThan(BEGIN + 1000)
    const other = together({ drive: [new PlayedVideo(), -10, 30], garage: [never, -10, 30] })
    other.step.lose('garage', 'garage-1', true)
    other.step.play()
    other.run(2000)
    expect(other.step.state.at).toBeGreaterThan(BEGIN + 1000)
    expect(other.step.state.cameras).toContainEqual(expect.objectContaining({ camera: 'garage', isFailed: true }))
  })

  test('waits for a recording as long after a pause as before it', () => {
    const never = new PlayedVideo()
    never.hasData = false
    const { step, run } = together({ drive: [new PlayedVideo(), -10, 30], garage: [never, -10, 30] })
    run(9000)
    step.play()
    run(200)
    expect(step.state.waitingFor).toBeNull()
    run(5000)
    expect(step.state).toMatchObject({ at: BEGIN, waitingFor: 'garage' })
    run(6000)
    expect(step.state.at).toBeGreaterThan(BEGIN + 500)
  })

  test('stops observing a video once another video has replaced it', () => {
    const [first, next] = [new FramedVideo(), new FramedVideo()]
    const stretches = [stretch('drive-1', -10, 0), stretch('drive-2', 0, 30)]
    const step = new SyncedPlayer([{ camera: 'drive', stretches }], { at: BEGIN + 5000, span: SPAN, now: () => t })
    const detach = step.attach('drive', 'drive-1', first)
    step.attach('drive', 'drive-2', next)
    detach()
    expect([first.asked.size, next.asked.size]).toEqual([0, 1])
    next.show(5)
    step.beat()
    expect(step.state.cameras[0]?.picture).toBe(BEGIN + 5000)
  })

  test('steps all recordings by one frame at 15 per second, and stays paused', () => {
    const {
      step,
      run,
      taken: getPosition,
    } = together({ drive: [new PlayedVideo(), -20, 20], door: [new PlayedVideo(), -5, 35] })
    step.play()
    run(2000)
    step.step(0)
    run(500)
    const before = step.state.at
    step.step(1)
    run(500)
    expect(step.state).toMatchObject({ isPlaying: false })
    for (const camera of ['drive', 'door']) expect(Math.abs(getPosition(camera) - step.state.at)).toBeLessThan(2)
    step.step(-2)
    run(500)
    expect(step.state.at).toBeCloseTo(before - 1000 / 15, 1)
  })

  test('shows the first or last frame of a camera that has not started or has ended', () => {
    const [early, late] = [new PlayedVideo({ duration: 10 }), new PlayedVideo()]
    const { step, run } = together({
      street: [early, -15, -5],
      door: [late, 5, 45],
      drive: [new PlayedVideo(), -20, 20],
    })
    step.play()
    run(2000)
    expect(step.state.cameras.map(({ place }) => place)).toEqual(['after', 'before', 'during'])
    expect([early.paused, late.paused]).toEqual([true, true])
    expect(early.currentTime).toBeCloseTo(9.95, 1)
    expect(late.currentTime).toBeCloseTo(0, 1)
    run(5000)
    expect(step.state.cameras[1]?.place).toBe('during')
    expect(late.paused).toBe(false)
  })

  test('stays in sync at double and half speed, and stops at the end of the timelines', () => {
    const { step, run, apart } = together({
      drive: [new PlayedVideo({ speed: 1.02, duration: 80 }), -20, 60],
      door: [new PlayedVideo({ duration: 80 }), -10, 70],
    })
    step.play()
    run(1000)
    for (const rate of [2, 0.5]) {
      step.setRate(rate)
      run(4000)
      expect(apart()).toBeLessThanOrEqual(IN_STEP_MS)
    }
    step.setRate(4)
    run(20_000)
    expect(step.state).toMatchObject({ at: SPAN.end, isPlaying: false })
  })

  test('plays the audio of one camera at a time', () => {
    const [drive, door] = [new PlayedVideo(), new PlayedVideo()]
    const { step } = together({ drive: [drive, -10, 30], door: [door, -10, 30] })
    expect([drive.muted, door.muted]).toEqual([true, true])
    step.hear('drive')
    step.hear('door')
    expect([drive.muted, door.muted]).toEqual([true, false])
    step.hear(null)
    expect([drive.muted, door.muted]).toEqual([true, true])
  })

  test('does not wait for an excluded camera', () => {
    const never = new PlayedVideo()
    never.hasData = false
    const { step, run } = together({ drive: [new PlayedVideo(), -10, 30], garage: [never, -10, 30] })
    step.leaveOut(new Set(['garage']))
    step.play()
    run(2000)
    expect(step.state.at).toBeGreaterThan(BEGIN + 1000)
    expect(step.state.cameras.map(({ camera }) => camera)).toEqual(['drive'])
  })
})

describe('correction rule', () => {
  test('ignores small offsets, changes the speed for larger ones, and jumps for very large ones', () => {
    expect(correct(20, 1)).toEqual({ kind: 'rate', rate: 1 })
    expect(correct(35, 1)).toEqual({ kind: 'rate', rate: 0.965 })
    expect(correct(-99, 1)).toEqual({ kind: 'rate', rate: 1.04 })
    expect(correct(-400, 1)).toEqual({ kind: 'rate', rate: 1.2 })
    expect(correct(501, 1)).toEqual({ kind: 'jump' })
    expect(correct(501, 2).kind).toBe('rate')
  })

  test('computes how far apart frames are and which recording belongs to a moment', () => {
    expect(computeSpread([5])).toBeNull()
    expect(computeSpread([-20, 10, 20])).toBe(40)
    const two = [stretch('a', 0, 10), stretch('b', 20, 30)]
    expect([-1, 5, 15, 25, 40].map((at) => stretchAt(two, BEGIN + at * 1000))).toMatchObject([
      { stretch: { id: 'a' }, place: 'before' },
      { stretch: { id: 'a' }, place: 'during' },
      { stretch: { id: 'a' }, place: 'after' },
      { stretch: { id: 'b' }, place: 'during' },
      { stretch: { id: 'b' }, place: 'after' },
    ])
  })
})
