import { expect, test } from 'vitest'
import { nextTileState, IDLE_TILE, type TileState, type TileEvent } from '../../../src/media/live/tile-state-machine.ts'
import { $cameraLog, $liveLogs, logTileChanges } from '../../../src/stores/live/connection-log.ts'
import { $tiles } from '../../../src/stores/live/live-tiles.ts'

const applyEvents = (tile: TileState, ...events: TileEvent[]) =>
  events.reduce((last, event) => nextTileState(last, event, 1000), tile)
const listSteps = (id: string) => $liveLogs.get()[id]?.map(({ what: step }) => step)

test('STORE-08 STORE-09 connection logs start empty, record each step once including earlier steps, and are separate per camera', () => {
  expect([$cameraLog.get(), $liveLogs.get()]).toEqual([[], {}])
  const startedTile = applyEvents(IDLE_TILE, { type: 'begin' }, { type: 'step', step: 'ticket' })
  $tiles.setKey('door', startedTile)
  const stop = logTileChanges()
  expect(listSteps('door')).toEqual(['ticket'])
  const playing = applyEvents(startedTile, { type: 'playing', transport: 'mse', width: 640, height: 360 })
  $tiles.setKey('door', playing)
  $tiles.setKey('yard', applyEvents(IDLE_TILE, { type: 'failed', reason: 'no-stream' }))
  $tiles.setKey('door', applyEvents(playing, { type: 'stalled' }))
  stop()
  $tiles.setKey('door', applyEvents(playing, { type: 'failed', reason: 'no-answer' }))
  expect([listSteps('door'), listSteps('yard')]).toEqual([['ticket', 'playing', 'stalled'], ['failed: no-stream']])
  expect($cameraLog.get()).toHaveLength(4)
})
