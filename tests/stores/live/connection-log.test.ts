import { expect, test } from 'vitest'
import { nextTile, IDLE_TILE, type TileState, type TileEvent } from '../../../src/media/live/tile-state-machine.ts'
import { $cameraLog, $liveLogs, watchTiles } from '../../../src/stores/live/connection-log.ts'
import { $tiles } from '../../../src/stores/live/live-tiles.ts'

const after = (tile: TileState, ...events: TileEvent[]) =>
  events.reduce((last, event) => nextTile(last, event, 1000), tile)
const whats = (id: string) => $liveLogs.get()[id]?.map(({ what: step }) => step)

test('STORE-08 STORE-09 connection logs start empty, record each step once including earlier steps, and are separate per camera', () => {
  expect([$cameraLog.get(), $liveLogs.get()]).toEqual([[], {}])
  const startedTile = after(IDLE_TILE, { type: 'begin' }, { type: 'step', step: 'ticket' })
  $tiles.setKey('door', startedTile)
  const stop = watchTiles()
  expect(whats('door')).toEqual(['ticket'])
  const playing = after(startedTile, { type: 'playing', transport: 'mse', width: 640, height: 360 })
  $tiles.setKey('door', playing)
  $tiles.setKey('yard', after(IDLE_TILE, { type: 'failed', reason: 'no-stream' }))
  $tiles.setKey('door', after(playing, { type: 'stalled' }))
  stop()
  $tiles.setKey('door', after(playing, { type: 'failed', reason: 'no-answer' }))
  expect([whats('door'), whats('yard')]).toEqual([['ticket', 'playing', 'stalled'], ['failed: no-stream']])
  expect($cameraLog.get()).toHaveLength(4)
})
