import { describe, expect, test } from 'vitest'
import {
  IDLE_TILE,
  needsHelp,
  nextTileState,
  type TileState,
  type TileEvent,
} from '../../../../src/media/live/tile-state-machine.ts'

/**
 * Applies the events in order and returns the resulting tile state. The number before each event is its delay after
 * the previous event, in milliseconds.
 */
function applyEvents(events: readonly (readonly [number, TileEvent])[], from: TileState = IDLE_TILE): TileState {
  let now = 1000
  return events.reduce((tile, [after, event]) => nextTileState(tile, event, (now += after)), from)
}

const startupEvents = [
  [0, { type: 'begin' }],
  [10, { type: 'step', step: 'ticket' }],
  [8, { type: 'step', step: 'signalling' }],
  [20, { type: 'step', step: 'answered' }],
  [140, { type: 'step', step: 'connected' }],
  [5, { type: 'step', step: 'waiting-for-keyframe' }],
  [15, { type: 'playing', transport: 'webrtc', width: 640, height: 360 }],
] as const satisfies readonly (readonly [number, TileEvent])[]

const playingTile = applyEvents(startupEvents)
const offlineEvent: TileEvent = { type: 'camera', state: 'offline', text: 'It lost its Wi-Fi.' }

describe('start of live video', () => {
  test('passes the phases in order', () => {
    const phases = startupEvents.map((_, index) => applyEvents(startupEvents.slice(0, index + 1)).phase)
    expect(phases).toEqual([
      'starting',
      'starting',
      'signalling',
      'signalling',
      'connected',
      'waiting-for-keyframe',
      'playing',
    ])
  })

  test('records the milliseconds of every step since the attempt started', () => {
    expect(playingTile.steps).toEqual({
      ticket: 10,
      signalling: 18,
      answered: 38,
      connected: 178,
      'waiting-for-keyframe': 183,
      playing: 198,
    })
  })

  test('keeps the time of the first frame when the video plays again', () => {
    expect(
      applyEvents([[500, { type: 'playing', transport: 'webrtc', width: 640, height: 360 }]], playingTile).steps
        .playing,
    ).toBe(198)
  })

  test('accepts a late signaling step without leaving playback', () => {
    expect(applyEvents([[1, { type: 'step', step: 'connected' }]], playingTile).phase).toBe('playing')
  })
})

describe('reported camera state', () => {
  test.each([
    ['offline', 'camera-offline'],
    ['switched_off', 'camera-off'],
    ['bridge_off', 'bridge-off'],
  ] as const)('shows %s with the reason %s and the given sentence', (state, reason) => {
    const tile = applyEvents([...startupEvents.slice(0, 3), [1, { type: 'camera', state, text: 'Because.' }]])
    expect(tile).toMatchObject({ phase: 'failed', reason, text: 'Because.' })
    expect(needsHelp(tile)).toBe(true)
  })

  test('changes nothing while frames arrive', () => {
    expect(applyEvents([[1, offlineEvent]], playingTile)).toBe(playingTile)
  })

  test('counts the waking time from the first waking message', () => {
    const waking: TileEvent = { type: 'camera', state: 'waking', text: '' }
    const tile = applyEvents([
      [0, { type: 'camera', state: 'asleep', text: '' }],
      [100, waking],
      [900, waking],
    ])
    expect(tile).toMatchObject({ phase: 'waking', wakingAt: 1100 })
  })

  test('resumes connecting when the camera is awake again', () => {
    const awake: TileEvent = { type: 'camera', state: 'awake', text: '' }
    expect(
      applyEvents([
        [0, { type: 'begin' }],
        [1, offlineEvent],
        [1, awake],
      ]),
    ).toMatchObject({ phase: 'signalling', reason: null, text: '' })
  })
})

describe('end of live video', () => {
  test('reports a stall, and plays again with the next measurements', () => {
    const stalled = applyEvents([[2500, { type: 'stalled' }]], playingTile)
    expect(stalled.phase).toBe('stalled')
    const figures = { fps: 15, latencyMs: 120, lost: 0, width: 640, height: 360, rendition: null }
    expect(applyEvents([[100, { type: 'figures', figures }]], stalled)).toMatchObject({ phase: 'playing', figures })
  })

  test('keeps the sentence on screen during a retry', () => {
    const blocked = applyEvents([
      [0, { type: 'begin' }],
      [2500, { type: 'failed', reason: 'udp-blocked' }],
      [1000, { type: 'begin' }],
      [20, { type: 'step', step: 'signalling' }],
    ])
    expect(blocked).toMatchObject({ phase: 'failed', reason: 'udp-blocked' })
    expect(applyEvents([[100, { type: 'step', step: 'connected' }]], blocked)).toMatchObject({
      phase: 'connected',
      reason: null,
    })
  })

  test('clears the sentence immediately when the owner retries', () => {
    expect(
      applyEvents([
        [0, { type: 'failed', reason: 'no-answer' }],
        [50, { type: 'retry' }],
      ]),
    ).toMatchObject({ phase: 'starting', reason: null, steps: {} })
  })

  test('discards everything when the tile is left', () => {
    expect(applyEvents([[1, { type: 'stopped' }]], playingTile)).toBe(IDLE_TILE)
  })

  test('ignores measurements of an ended connection', () => {
    const figures = { fps: 15, latencyMs: 120, lost: 0, width: 640, height: 360, rendition: null }
    const failed = applyEvents([[0, { type: 'failed', reason: 'no-answer' }]])
    expect(applyEvents([[1, { type: 'figures', figures }]], failed)).toBe(failed)
  })
})

describe('live video transport', () => {
  const relayedTile = applyEvents([
    [0, { type: 'begin' }],
    [60, { type: 'playing', transport: 'mse', width: 640, height: 360 }],
  ])

  test('is stored with the video, and the first frame counts on any transport', () => {
    expect(relayedTile).toMatchObject({ phase: 'playing', transport: 'mse', steps: { playing: 60 } })
    const handed = applyEvents([[100, { type: 'playing', transport: 'webrtc', width: 640, height: 360 }]], relayedTile)
    expect(handed).toMatchObject({ transport: 'webrtc', steps: { playing: 60 } })
  })

  test('explains why a better one is not used until that one plays', () => {
    const blocked = applyEvents([[10, { type: 'fallback', reason: 'udp-blocked' }]], relayedTile)
    expect(blocked).toMatchObject({ phase: 'playing', transport: 'mse', fallback: 'udp-blocked' })
    const handed = applyEvents([[100, { type: 'playing', transport: 'webrtc', width: 640, height: 360 }]], blocked)
    expect(handed.fallback).toBeNull()
  })

  test('is cleared by a new attempt', () => {
    expect(applyEvents([[10, { type: 'begin' }]], relayedTile).transport).toBeNull()
  })
})
