import { beforeEach, describe, expect, test } from 'vitest'
import type { SyncedVideoElement } from '../../../../src/media/sync/synced-video.ts'
import { SyncedPlayer } from '../../../../src/media/sync/synced-player.ts'
import { MAX_IN_SYNC_OFFSET_MS } from '../../../../src/media/sync/sync-correction.ts'

const BEGIN_MS = Date.UTC(2026, 10, 22, 9, 41)
const CLOCK_STEP_MS = 50

let pageTimeMs = 0

/** Fake video element with a configurable playback speed and seek duration. It stalls while `hasData` is false. */
class FakeVideo implements SyncedVideoElement {
  duration: number
  muted = true
  paused = true
  playbackRate = 1
  error: MediaError | null = null
  hasData = true
  seekCount = 0
  #currentSecond = 0
  #seekEndsAtMs = -1
  readonly #speed: number
  readonly #seekDurationMs: number

  constructor({ duration = 40, speed = 1, seekDurationMs = 80 } = {}) {
    this.duration = duration
    this.#speed = speed
    this.#seekDurationMs = seekDurationMs
  }
  get seeking() {
    return pageTimeMs < this.#seekEndsAtMs
  }
  get ended() {
    return this.#currentSecond >= this.duration
  }
  get readyState() {
    return this.hasData && !this.seeking ? 4 : 1
  }
  get currentTime() {
    return this.#currentSecond
  }
  set currentTime(currentSecond: number) {
    this.#currentSecond = currentSecond
    this.#seekEndsAtMs = pageTimeMs + this.#seekDurationMs
    this.seekCount += 1
  }
  play() {
    this.paused = false
    return Promise.resolve()
  }
  pause() {
    this.paused = true
  }
  advance(ms: number) {
    if (this.paused || this.seeking || !this.hasData) return
    this.#currentSecond = Math.min(this.duration, this.#currentSecond + (ms / 1000) * this.playbackRate * this.#speed)
  }
}

class FrameReportingVideo extends FakeVideo {
  readonly frameCallbacks = new Map<number, VideoFrameRequestCallback>()
  #lastCallbackId = 0

  requestVideoFrameCallback(callback: VideoFrameRequestCallback) {
    this.frameCallbacks.set(++this.#lastCallbackId, callback)
    return this.#lastCallbackId
  }
  cancelVideoFrameCallback(id: number) {
    this.frameCallbacks.delete(id)
  }
  displayFrame(mediaTime: number) {
    const callbacks = [...this.frameCallbacks.values()]
    this.frameCallbacks.clear()
    for (const callback of callbacks)
      callback(pageTimeMs, { mediaTime, expectedDisplayTime: pageTimeMs } as Parameters<VideoFrameRequestCallback>[1])
  }
}

const createClipSpan = (id: string, from: number, to: number) => ({
  id,
  begin: BEGIN_MS + from * 1000,
  end: BEGIN_MS + to * 1000,
})
const SPAN = { begin: BEGIN_MS - 60_000, end: BEGIN_MS + 60_000 }

function openSyncedPlayer(videos: Record<string, [FakeVideo, from: number, to: number]>, at = BEGIN_MS) {
  const sources = Object.entries(videos).map(([camera, [, from, to]]) => ({
    camera,
    stretches: [createClipSpan(`${camera}-1`, from, to)],
  }))
  const player = new SyncedPlayer(sources, { at, span: SPAN, now: () => pageTimeMs })
  const run = (ms: number) => {
    for (let elapsed = 0; elapsed < ms; elapsed += CLOCK_STEP_MS) {
      pageTimeMs += CLOCK_STEP_MS
      for (const [video] of Object.values(videos)) video.advance(CLOCK_STEP_MS)
      player.update()
    }
  }
  for (const [camera, [video]] of Object.entries(videos)) player.attach(camera, `${camera}-1`, video)
  const getPosition = (camera: string) =>
    BEGIN_MS + (videos[camera]?.[1] ?? 0) * 1000 + (videos[camera]?.[0].currentTime ?? 0) * 1000
  const measureSpread = () => {
    const all = Object.keys(videos).map(getPosition)
    return Math.max(...all) - Math.min(...all)
  }
  return { player, run, measureSpread, getPosition }
}

beforeEach(() => {
  pageTimeMs = 1000
})

describe('synced playback', () => {
  test('keeps recordings within a tenth of a second, even if one plays 2 % too fast and one 2 % too slowly', () => {
    const { player, run, measureSpread } = openSyncedPlayer({
      drive: [new FakeVideo({ speed: 1.02 }), -20, 20],
      door: [new FakeVideo({ speed: 0.98, seekDurationMs: 300 }), -5, 35],
      street: [new FakeVideo(), -1, 39],
    })
    player.play()
    run(2000)
    let worst = 0
    for (let second = 0; second < 15; second += 1) {
      run(1000)
      worst = Math.max(worst, measureSpread())
    }
    expect(worst).toBeLessThanOrEqual(MAX_IN_SYNC_OFFSET_MS)
    expect(player.state.spread).toBeLessThanOrEqual(MAX_IN_SYNC_OFFSET_MS)
    expect(player.state.at).toBeGreaterThan(BEGIN_MS + 15_000)
  })

  test('waits for a recording without data, names its camera, and resumes together once the data arrives', () => {
    const late = new FakeVideo()
    const { player, run, measureSpread } = openSyncedPlayer({
      drive: [new FakeVideo(), -10, 30],
      garage: [late, -10, 30],
    })
    player.play()
    run(3000)
    late.hasData = false
    run(200)
    expect(player.state.waitingFor).toBeNull()
    run(800)
    expect(player.state).toMatchObject({ waitingFor: 'garage', isPlaying: true })
    const waitingAt = player.state.at
    run(3000)
    expect(player.state.at).toBe(waitingAt)
    late.hasData = true
    run(2000)
    expect(player.state.waitingFor).toBeNull()
    expect(player.state.at).toBeGreaterThan(waitingAt + 1000)
    expect(measureSpread()).toBeLessThanOrEqual(MAX_IN_SYNC_OFFSET_MS)
  })

  test('continues without a recording that never arrives or cannot be loaded', () => {
    const videoWithoutData = new FakeVideo()
    videoWithoutData.hasData = false
    const { player, run } = openSyncedPlayer({
      drive: [new FakeVideo(), -10, 30],
      garage: [videoWithoutData, -10, 30],
    })
    player.play()
    run(5000)
    expect(player.state.at).toBe(BEGIN_MS)
    run(8000)
    expect(player.state.at).toBeGreaterThan(BEGIN_MS + 1000)
    const other = openSyncedPlayer({ drive: [new FakeVideo(), -10, 30], garage: [videoWithoutData, -10, 30] })
    other.player.setClipUnavailable('garage', 'garage-1', true)
    other.player.play()
    other.run(2000)
    expect(other.player.state.at).toBeGreaterThan(BEGIN_MS + 1000)
    expect(other.player.state.cameras).toContainEqual(expect.objectContaining({ camera: 'garage', isFailed: true }))
  })

  test('waits for a recording as long after a pause as before it', () => {
    const videoWithoutData = new FakeVideo()
    videoWithoutData.hasData = false
    const { player, run } = openSyncedPlayer({
      drive: [new FakeVideo(), -10, 30],
      garage: [videoWithoutData, -10, 30],
    })
    run(9000)
    player.play()
    run(200)
    expect(player.state.waitingFor).toBeNull()
    run(5000)
    expect(player.state).toMatchObject({ at: BEGIN_MS, waitingFor: 'garage' })
    run(6000)
    expect(player.state.at).toBeGreaterThan(BEGIN_MS + 500)
  })

  test('stops observing a video once another video has replaced it', () => {
    const [first, next] = [new FrameReportingVideo(), new FrameReportingVideo()]
    const stretches = [createClipSpan('drive-1', -10, 0), createClipSpan('drive-2', 0, 30)]
    const player = new SyncedPlayer([{ camera: 'drive', stretches }], {
      at: BEGIN_MS + 5000,
      span: SPAN,
      now: () => pageTimeMs,
    })
    const detach = player.attach('drive', 'drive-1', first)
    player.attach('drive', 'drive-2', next)
    detach()
    expect([first.frameCallbacks.size, next.frameCallbacks.size]).toEqual([0, 1])
    next.displayFrame(5)
    player.update()
    expect(player.state.cameras[0]?.picture).toBe(BEGIN_MS + 5000)
  })

  test('steps all recordings by one frame at 15 per second, and stays paused', () => {
    const { player, run, getPosition } = openSyncedPlayer({
      drive: [new FakeVideo(), -20, 20],
      door: [new FakeVideo(), -5, 35],
    })
    player.play()
    run(2000)
    player.step(0)
    run(500)
    const before = player.state.at
    player.step(1)
    run(500)
    expect(player.state).toMatchObject({ isPlaying: false })
    for (const camera of ['drive', 'door']) expect(Math.abs(getPosition(camera) - player.state.at)).toBeLessThan(2)
    player.step(-2)
    run(500)
    expect(player.state.at).toBeCloseTo(before - 1000 / 15, 1)
  })

  test('shows the first or last frame of a camera that has not started or has ended', () => {
    const [early, late] = [new FakeVideo({ duration: 10 }), new FakeVideo()]
    const { player, run } = openSyncedPlayer({
      street: [early, -15, -5],
      door: [late, 5, 45],
      drive: [new FakeVideo(), -20, 20],
    })
    player.play()
    run(2000)
    expect(player.state.cameras.map(({ place }) => place)).toEqual(['after', 'before', 'during'])
    expect([early.paused, late.paused]).toEqual([true, true])
    expect(early.currentTime).toBeCloseTo(9.95, 1)
    expect(late.currentTime).toBeCloseTo(0, 1)
    run(5000)
    expect(player.state.cameras[1]?.place).toBe('during')
    expect(late.paused).toBe(false)
  })

  test('stays in sync at double and half speed, and stops at the end of the timelines', () => {
    const { player, run, measureSpread } = openSyncedPlayer({
      drive: [new FakeVideo({ speed: 1.02, duration: 80 }), -20, 60],
      door: [new FakeVideo({ duration: 80 }), -10, 70],
    })
    player.play()
    run(1000)
    for (const rate of [2, 0.5]) {
      player.setRate(rate)
      run(4000)
      expect(measureSpread()).toBeLessThanOrEqual(MAX_IN_SYNC_OFFSET_MS)
    }
    player.setRate(4)
    run(20_000)
    expect(player.state).toMatchObject({ at: SPAN.end, isPlaying: false })
  })

  test('plays the audio of one camera at a time', () => {
    const [drive, door] = [new FakeVideo(), new FakeVideo()]
    const { player } = openSyncedPlayer({ drive: [drive, -10, 30], door: [door, -10, 30] })
    expect([drive.muted, door.muted]).toEqual([true, true])
    player.setAudibleCamera('drive')
    player.setAudibleCamera('door')
    expect([drive.muted, door.muted]).toEqual([true, false])
    player.setAudibleCamera(null)
    expect([drive.muted, door.muted]).toEqual([true, true])
  })

  test('does not wait for an excluded camera', () => {
    const videoWithoutData = new FakeVideo()
    videoWithoutData.hasData = false
    const { player, run } = openSyncedPlayer({
      drive: [new FakeVideo(), -10, 30],
      garage: [videoWithoutData, -10, 30],
    })
    player.excludeCameras(new Set(['garage']))
    player.play()
    run(2000)
    expect(player.state.at).toBeGreaterThan(BEGIN_MS + 1000)
    expect(player.state.cameras.map(({ camera }) => camera)).toEqual(['drive'])
  })
})
