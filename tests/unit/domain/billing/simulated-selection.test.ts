import { expect, test } from 'vitest'
import { simulateSelection } from '../../../../src/domain/billing/simulated-selection.ts'
import { searchResultLabel, simulatedCoverageLabel } from '../../../../src/domain/copy/plan-simulation.ts'

const HOME = {
  cameras: 3,
  clips: 100,
  camera_clips: [
    { device_id: 'door', with_plan: 20, without_plan: 2 },
    { device_id: 'yard', with_plan: 40, without_plan: 4 },
    { device_id: 'den', with_plan: 30, without_plan: 0 },
  ],
}
const simulate = (quantity: number, ...covered: string[]) => {
  const row = simulateSelection(HOME, quantity, covered)
  return row && [row.kept, row.lost, simulatedCoverageLabel(row, HOME.cameras)]
}

test('a part of the cameras keeps the clips of the chosen cameras, or of the busiest ones', () => {
  expect(simulate(1)).toEqual([42, 58, '14 days, your busiest camera'])
  expect(simulate(2)).toEqual([72, 28, '14 days, your 2 busiest cameras'])
  expect(simulate(1, 'door')).toEqual([24, 76, '14 days, 1 camera'])
  expect(simulate(2, 'door')).toEqual([24, 76, '14 days, 1 camera'])
  expect(simulate(2, 'door', 'den')).toEqual([54, 46, '14 days, 2 cameras'])
})

test('no row is added for all cameras, for an invalid quantity, or without counts per camera', () => {
  expect([simulate(3), simulate(9), simulate(NaN), simulate(0)]).toEqual([null, null, null, null])
  expect(simulateSelection({ ...HOME, camera_clips: [] }, 1, [])).toBeNull()
})

test('the row promises search without counting matches', () => {
  expect(searchResultLabel({ found: undefined }, 20)).toBe('Includes search')
  expect(searchResultLabel({ found: null }, 20)).toBe('Search not included')
})
